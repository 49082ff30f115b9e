// The short form of continuation tokens, and the cursors that are made of them.

import { describe, expect, onTestFinished, test } from 'vitest'
import { ChangeStream } from '../../../src/feed/change-stream.ts'
import { processClock } from '../../../src/feed/clock.ts'
import { createCursors } from '../../../src/model/keys/cursor.ts'
import { readSdl } from '../../../src/model/sdl/read-sdl.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import { isShortToken, sdkTokenOf, shortTokenOf } from '../../../src/store/cosmos/feed/short-token.ts'
import type { PhysicalPartition } from '../../../src/store/cosmos/read-many/physical-partitions.ts'
import { ownLayout } from '../../../src/store/own-container.ts'
import type { FeedPoints, Store } from '../../../src/store/store.ts'
import { startCosmosEmulator, type CosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'

const partition = (id: string, minInclusive: string, maxExclusive: string, ...parents: string[]): PhysicalPartition => ({ id, minInclusive, maxExclusive, parents })
const tokenOf = (...ranges: readonly [PhysicalPartition, string][]): string =>
  JSON.stringify({ rid: 'r=', Continuation: ranges.map(([{ minInclusive, maxExclusive }, continuationToken]) => ({ minInclusive, maxExclusive, continuationToken })) })

const [a, b, c] = [partition('0', '', '1'), partition('1', '1', '2'), partition('7', '2', 'FF')]

describe('a short token', () => {
  test('has the sequence number of each partition, whatever the order of the ranges', () => {
    const short = shortTokenOf(tokenOf([c, '"36"'], [a, '"5"'], [b, '"0"']), [a, b, c])
    expect(short).toBe('r= 0:5.0,7:10')
    expect(JSON.parse(sdkTokenOf(short!, [a, b, c])!)).toEqual(JSON.parse(tokenOf([a, '"5"'], [b, '"0"'], [c, '"36"'])))
  })

  test.each([
    ['a range that is no partition', tokenOf([a, '"5"'], [partition('', '1', 'FF'), '"5"'])],
    ['fewer ranges than partitions', tokenOf([a, '"5"'], [b, '"5"'])],
    ['a partition that was not read', tokenOf([a, '"5"'], [b, ''], [c, '"5"'])],
    ['a continuation that is no number', tokenOf([a, '"5"'], [b, '"5|x"'], [c, '"5"'])],
  ])('is not made of %s', (_, token) => {
    expect(shortTokenOf(token, [a, b, c])).toBeUndefined()
  })

  test('goes on in both halves of a partition that was split, and in theirs', () => {
    const halves = [partition('8', '1', '15', '1'), partition('10', '15', '17', '1', '9'), partition('11', '17', '2', '1', '9')]
    expect(JSON.parse(sdkTokenOf('r= 0:5.6,7:7', [a, ...halves, c])!)).toEqual(JSON.parse(tokenOf([a, '"5"'], ...halves.map((half): [PhysicalPartition, string] => [half, '"6"']), [c, '"7"'])))
  })

  test('begins again in a partition that others were merged into, whose numbers do not count there', () => {
    const merged = partition('8', '', '2', '0', '1')
    expect(JSON.parse(sdkTokenOf('r= 0:5.6,7:7', [merged, c])!)).toEqual(JSON.parse(tokenOf([merged, ''], [c, '"7"'])))
  })

  test('of partitions that are not known is not read', () => {
    expect(sdkTokenOf('r= 0:5.6,9:7', [a, b, c])).toBeUndefined()
  })
})

const containers = ['authors', 'books', 'carts', 'dealers', 'editors', 'fans', 'guests']

async function openShop(partitions: number): Promise<{ server: CosmosEmulator; store: Store }> {
  const server = await startCosmosEmulator({ partitions })
  const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'shop', create: true }, [ownLayout, ...containers.map((name) => ({ name, partitionKey: [['id']], indexes: [], followed: true }))])
  onTestFinished(async () => {
    await store.close()
    await server.close()
  })
  for (const container of containers) for (let at = 0; at < 8; at++) await write(store, container, `${container}-${at}`)
  return { server, store }
}

const write = (store: Store, container: string, id: string) => store.write([{ kind: 'put', container, key: { partition: [id], id }, body: { id } }])

const changed = async (store: Store, behind: FeedPoints): Promise<string[]> => {
  const found: string[] = []
  for (const part of await store.feedParts()) {
    for (let [point, end] = [behind[part], false]; !end;) {
      const page = await store.changes(part, point, 5)
      found.push(...page.changes.map(({ key }) => key.id));
      [point, end] = [page.point, page.end]
    }
  }
  return found.toSorted()
}

const ends = async (store: Store): Promise<FeedPoints> => Object.fromEntries(await Promise.all((await store.feedParts()).map(async (part) => [part, await store.feedEnd(part)] as const)))

test.each([1, 4, 64])('the points within one container of %i physical partitions are short, and have all changes of that container, after splits, too', async (partitions) => {
  const { server, store } = await openShop(partitions)
  const end = await ends(store)
  for (const point of Object.values(end)) for (const token of Object.values(JSON.parse(point!) as Record<string, string>)) expect(isShortToken(token)).toBe(true)
  const text = store.pointsWithin(end, 'books')
  expect(text.length).toBeLessThan(300)
  const within = await store.pointsOf(text)
  expect(store.pointsWithin(within, 'books')).toBe(text)
  const first = String(partitions)
  server.split('shop', 'books', '0')
  server.split('shop', 'books', first)
  for (const container of ['authors', 'books']) for (let at = 0; at < 8; at++) await write(store, container, `new-${container}-${at}`)
  const books = Array.from({ length: 8 }, (_, at) => `new-books-${at}`)
  expect(await changed(store, within)).toEqual(books)
  // It is read by a gateway that knows only of the new partitions, and by one that has read a part of them.
  expect(await changed(store, await store.pointsOf(text))).toEqual(books)
  const [part] = (await store.feedParts()).toSorted(() => -1)
  const { point } = await store.changes(part!, within[part!], 100)
  expect((await changed(store, await store.pointsOf(store.pointsWithin({ ...within, [part!]: point }, 'books')))).filter((id) => !books.includes(id))).toEqual([])
  expect(await changed(store, end)).toEqual([...books, ...Array.from({ length: 8 }, (_, at) => `new-authors-${at}`)].toSorted())
})

test('the points of a gateway that knows of a split are read by one that does not, and points in the longer form of earlier cursors, too', async () => {
  const { server, store } = await openShop(4)
  const other = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'shop', create: false }, [ownLayout, { name: 'books', partitionKey: [['id']], indexes: [], followed: true }])
  onTestFinished(() => other.close())
  server.split('shop', 'books', '0')
  await changed(store, {})
  const end = await ends(store)
  const text = store.pointsWithin(end, 'books')
  await write(store, 'books', 'new')
  expect(await changed(other, await other.pointsOf(text))).toEqual(['new'])
  const longer = JSON.stringify(Object.fromEntries(Object.entries(end).map(([part, point]) => [part, JSON.stringify({ '': 'books', books: (JSON.parse(point!) as { books?: string }).books })])))
  expect(await changed(other, await other.pointsOf(longer))).toEqual(['new'])
  await expect(other.pointsOf(text.replace(' 1:', ' 77:'))).rejects.toThrow('is not a point in the change feed')
})

/** As if each partition had a few hundred thousand million changes. */
const grown = (points: FeedPoints): FeedPoints => Object.fromEntries(Object.entries(points).map(([part, point]) => [part, point!.replaceAll(/(?<=[:.])[0-9a-z]+/g, (number) => (Number.parseInt(number, 36) + 345_678_901_234).toString(36))]))

test('the cursor of a subscription has less than a kilobyte on 64 physical partitions, and resumes', async () => {
  const { store } = await openShop(64)
  const types = ['Author', 'Book', 'Cart', 'Dealer', 'Editor', 'Fan', 'Guest'].map((name, at) => `type ${name} @document(container: "${containers[at]}", partitionKey: "/id") { id: ID! }`)
  const declaration = readDeclaration(readSdl(`${types.join('\n')} type Subscription { bookChanged: Book! }`))
  const open = () => new ChangeStream(declaration, store, createCursors('tests'), { shortestMs: 1, longestMs: 1, restMs: 1, clock: processClock })
  const stream = open()
  const events = stream.of('Book')
  const first = events.next()
  await write(store, 'books', 'one')
  // Until the follower has begun, a change is not its own.
  const again = setInterval(() => void write(store, 'books', 'one'), 50)
  const { cursor } = (await first).value!
  clearInterval(again)
  await stream.stop()
  expect(cursor.length).toBeLessThan(1024)
  expect(createCursors('tests').write('changes', { value: store.pointsWithin(grown(await ends(store)), 'books'), id: '' }).length).toBeLessThan(1024)
  await write(store, 'books', 'two')
  const resumed = open()
  const found: string[] = []
  for await (const { document } of resumed.of('Book', cursor)) {
    found.push(document.key.id)
    if (document.key.id === 'two') break
  }
  await resumed.stop()
  expect(found.filter((id) => id !== 'one')).toEqual(['two'])
})
