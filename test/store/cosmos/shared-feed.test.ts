// The change feed of Cosmos DB in parts that several gateways share: each change is in one part, also after splits, and each gateway takes
// its share of them.

import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startCosmosEmulator, type CosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'
import { Leases } from '../../../src/feed/leases.ts'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import { partOf } from '../../../src/store/cosmos/feed/feed-slots.ts'
import { feedKey, ownContainer, ownLayout, ownPut } from '../../../src/store/own-container.ts'
import type { Store } from '../../../src/store/store.ts'

const containers = ['songs', 'bands']
const layout = [ownLayout, ...containers.map((name) => ({ name, partitionKey: [['id']], indexes: [], followed: true }))]

let server: CosmosEmulator
beforeEach(async () => {
  server = await startCosmosEmulator({ partitions: (name) => (name === 'songs' ? 16 : 1) })
  return () => server.close()
})

async function open(): Promise<Store> {
  const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'music', create: true }, layout)
  onTestFinished(() => store.close())
  return store
}

const write = (store: Store, container: string, id: string) => store.write([{ kind: 'put', container, key: { partition: [id], id }, body: { id } }])

/** Reads each part from its own point, and moves that point. */
async function readAll(store: Store, points: Map<string, string | undefined>): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const part of await store.feedParts()) {
    found.set(part, [])
    for (let end = false; !end;) {
      const page = await store.changes(part, points.get(part), 7)
      found.get(part)!.push(...page.changes.map(({ key }) => key.id))
      points.set(part, page.point)
      end = page.end
    }
  }
  return found
}

const partsOf = async (leases: Leases) => (await leases.hold()).map(({ part }) => part)

const numbered = (name: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${name}-${at}`)

test('each change is in one of eight parts, and stays there when physical partitions are split, and split again', async () => {
  const store = await open()
  expect(await store.feedParts()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
  const songs = numbered('song', 200)
  for (const id of songs) await write(store, 'songs', id)
  for (const id of numbered('band', 20)) await write(store, 'bands', id)
  const points = new Map<string, string | undefined>()
  const first = await readAll(store, points)
  expect([...first.values()].flat().toSorted()).toEqual([...songs, ...numbered('band', 20)].toSorted())
  expect([...first.values()].filter((ids) => ids.length > 0).length).toBe(8)

  for (const range of ['3', '0', '16', '18']) server.split('music', 'songs', range)
  server.split('music', 'bands', '0')
  for (const id of songs) await write(store, 'songs', id)
  for (const id of numbered('band', 20)) await write(store, 'bands', id)
  // Another gateway, which knows only what is stored.
  const again = await readAll(await open(), points)
  for (const [part, ids] of again) expect(ids.toSorted()).toEqual(first.get(part)!.toSorted())
  expect([...(await readAll(store, points)).values()].flat()).toEqual([])
})

test('a part asks only its own physical partitions, so a look at all parts takes as many requests as a look at the whole', async () => {
  const store = await open()
  const points = new Map<string, string | undefined>()
  await readAll(store, points)
  server.clearLog()
  await readAll(store, points)
  const asked = server.log.filter(({ operation }) => operation === 'changes').map(({ container, rangeId }) => `${container} ${rangeId}`)
  expect(asked.length).toBe(17)
  expect(new Set(asked).size).toBe(17)
})

test('the end of each part is after everything, and new changes come from there', async () => {
  const store = await open()
  for (const id of numbered('song', 40)) await write(store, 'songs', id)
  const points = new Map(await Promise.all((await store.feedParts()).map(async (part) => [part, await store.feedEnd(part)] as const)))
  expect([...(await readAll(store, points)).values()].flat()).toEqual([])
  for (const id of numbered('new', 40)) await write(store, 'songs', id)
  expect([...(await readAll(store, points)).values()].flat().toSorted()).toEqual(numbered('new', 40).toSorted())
})

test('gateways that start together agree on the parts, and one that starts after splits takes those that are stored', async () => {
  const stores = await Promise.all([open(), open(), open()])
  const parts = await Promise.all(stores.map((store) => store.feedParts()))
  expect(new Set(parts.map(String)).size).toBe(1)
  await stores[0].write([ownPut(feedKey('parts'), { type: 'parts', count: 3 })])
  expect(await (await open()).feedParts()).toEqual(['0', '1', '2'])
})

test('a database whose feed was followed as a whole goes on so', async () => {
  const store = await open()
  await store.write([ownPut(feedKey('feed-all'), { owner: '', expiresAt: 0, point: JSON.stringify({}) })])
  expect(await store.feedParts()).toEqual(['all'])
})

test('a partition that others were merged into is read from its beginning, by one part', () => {
  const merged = { id: '20', minInclusive: '', maxExclusive: 'FF', parents: ['3', '9'] }
  expect(partOf('songs', merged, 8)).toBe(partOf('songs', { ...merged, id: '3', parents: [] }, 8))
})

describe('followers that hold leases for as long as they are registered', () => {
  const time = { ms: 1_000_000 }
  const clock = { now: () => time.ms, pause: async () => {}, random: () => 0 } as never
  /** A store whose clock is the test's. */
  const timed = (store: Store): Store => Object.assign(Object.create(store) as Store, { now: async () => ({ earliest: time.ms, latest: time.ms }) })
  const follower = (store: Store, owner: string) => new Leases(timed(store), owner, 30_000, clock, { withOwner: true })

  test('a second one has half within a lease, and a dead one loses its parts within another', async () => {
    const store = await open()
    const [one, two] = [follower(store, 'one'), follower(store, 'two')]
    expect((await partsOf(one)).length).toBe(8)
    expect((await partsOf(two)).length).toBe(0)
    time.ms += 15_000
    expect((await partsOf(one)).length).toBe(4)
    expect((await partsOf(two)).length).toBe(4)
    // Both live: nothing moves, however long ago a lease was written.
    for (let times = 0; times < 10; times++) {
      time.ms += 14_000
      expect([(await partsOf(one)).length, (await partsOf(two)).length]).toEqual([4, 4])
    }
    // From now on "one" is not heard of.
    time.ms += 31_000
    expect((await partsOf(two)).length).toBe(8)
  })

  test('one registration renews all leases: at rest no lease is written', async () => {
    const store = await open()
    const one = follower(store, 'one')
    await one.hold()
    const etags = async () => (await store.readMany(ownContainer, (await store.feedParts()).map((part) => feedKey(`feed-${part}`)))).map((document) => document!.etag)
    const before = await etags()
    for (let times = 0; times < 10; times++) {
      time.ms += 16_000
      expect((await one.hold()).length).toBe(8)
    }
    expect(await etags()).toEqual(before)
  })

  test('one that wakes up after its registration has expired writes nothing under a lease that another has', async () => {
    const store = await open()
    const [one, two] = [follower(store, 'one'), follower(store, 'two')]
    const [held] = await one.hold()
    time.ms += 31_000
    await two.hold()
    time.ms += 31_000
    expect((await partsOf(two)).length).toBe(8)
    expect(await one.keep(held!)).toBeUndefined()
  })

  test('a long look keeps its registration with the leases that it stores', async () => {
    const store = await open()
    const [one, two] = [follower(store, 'one'), follower(store, 'two')]
    let [held] = await one.hold()
    for (let times = 0; times < 4; times++) {
      time.ms += 20_000
      held = await one.keep(held!)
      expect((await partsOf(two)).length).toBe(0)
    }
  })
})
