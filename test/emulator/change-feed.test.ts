// Tests of the change feed, in both of its modes, through the SDK's iterator.

import { ChangeFeedMode, ChangeFeedStartFrom, type ChangeFeedPullModelIterator, type Container, type OperationInput } from '@azure/cosmos'
import { expect, test } from 'vitest'
import { openAccount, refusal } from './open-account.ts'

interface Changed { id: string; n?: number; _lsn: number }
interface Version { current: { id?: string; n?: number }; previous?: { id: string; n?: number }; metadata: { operationType: string; lsn: number } }

/** Reads until nothing is new; answers the changes page by page, and where to go on. */
async function drain<T>(iterator: ChangeFeedPullModelIterator<T>): Promise<{ pages: T[][]; token: string }> {
  const pages: T[][] = []
  for (;;) {
    const { statusCode, result, continuationToken } = await iterator.readNext()
    if (statusCode === 304) return { pages, token: continuationToken }
    pages.push(result)
  }
}

function latest(container: Container, start: ChangeFeedStartFrom, maxItemCount = 100): ChangeFeedPullModelIterator<Changed> {
  return container.items.getChangeFeedIterator({ changeFeedStartFrom: start, maxItemCount }) as unknown as ChangeFeedPullModelIterator<Changed>
}

const creations = (...all: string[]): OperationInput[] => all.map((id) => ({ operationType: 'Create', resourceBody: { id, pk: 'k' } }))

const ids = (pages: readonly (readonly { id: string }[])[]): string[] => pages.flat().map(({ id }) => id)

test('the feed shows the latest version of what changed, in order, and no deletes', async () => {
  const { container } = await openAccount({ partitions: 1 })
  const books = await container()
  for (const id of ['a', 'b', 'c']) await books.items.create({ id, pk: 'k' })
  await books.items.upsert({ id: 'a', pk: 'k', n: 2 })
  await books.item('b', 'k').delete()
  const { pages, token } = await drain(latest(books, ChangeFeedStartFrom.Beginning()))
  expect(pages.flat().map(({ id, n, _lsn }) => [id, n, _lsn])).toEqual([['c', undefined, 3], ['a', 2, 4]])
  await books.items.create({ id: 'd', pk: 'k' })
  expect(ids((await drain(latest(books, ChangeFeedStartFrom.Continuation(token)))).pages)).toEqual(['d'])
})

test('every document comes once over all feed ranges, in pages of the asked size', async () => {
  const { container } = await openAccount()
  const books = await container()
  const all = Array.from({ length: 40 }, (_, i) => `b${i}`)
  for (const [i, id] of all.entries()) await books.items.create({ id, pk: `k${i}` })
  const whole = await drain(latest(books, ChangeFeedStartFrom.Beginning(), 3))
  expect(ids(whole.pages).toSorted()).toEqual(all.toSorted())
  expect(Math.max(...whole.pages.map((page) => page.length))).toBe(3)
  const parts = []
  for (const range of await books.getFeedRanges()) parts.push(...ids((await drain(latest(books, ChangeFeedStartFrom.Beginning(range)))).pages))
  expect(parts.toSorted()).toEqual(all.toSorted())
})

test('the feed can be read by partition key', async () => {
  const { container } = await openAccount({ partitions: 1 })
  const books = await container()
  for (let i = 0; i < 6; i++) await books.items.create({ id: `b${i}`, pk: `k${i % 2}` })
  const iterator = latest(books, ChangeFeedStartFrom.Beginning('k1'), 2)
  expect(ids((await drain(iterator)).pages)).toEqual(['b1', 'b3', 'b5'])
})

test('what one batch wrote shares a number and is never torn apart', async () => {
  const { container } = await openAccount()
  const books = await container()
  await books.items.batch(creations('a', 'b', 'c'), 'k')
  await books.items.batch(creations('d', 'e'), 'k')
  const { pages } = await drain(latest(books, ChangeFeedStartFrom.Beginning(), 2))
  expect(pages.map((page) => page.map(({ id, _lsn }) => `${id}${_lsn}`))).toEqual([['a1', 'b1', 'c1'], ['d2', 'e2']])
})

test('the feed starts now or at a time', async () => {
  let now = 1_000_000
  const { container } = await openAccount({ now: () => now })
  const books = await container()
  await books.items.create({ id: 'before', pk: 'k' })
  const fromNow = latest(books, ChangeFeedStartFrom.Now())
  await drain(fromNow)
  now += 60_000
  await books.items.create({ id: 'after', pk: 'k' })
  expect(ids((await drain(fromNow)).pages)).toEqual(['after'])
  expect(ids((await drain(latest(books, ChangeFeedStartFrom.Time(new Date(1_030_000))))).pages)).toEqual(['after'])
})

test('documents whose time to live is over are not shown', async () => {
  let now = 1_000_000
  const { container } = await openAccount({ now: () => now })
  const books = await container({ defaultTtl: -1 })
  await books.items.create({ id: 'short', pk: 'k', ttl: 1 })
  await books.items.create({ id: 'long', pk: 'k' })
  now += 5_000
  expect(ids((await drain(latest(books, ChangeFeedStartFrom.Beginning()))).pages)).toEqual(['long'])
})

test('a continuation of a partition that was split goes on in its children', async () => {
  const { server, container } = await openAccount({ partitions: 1 })
  const books = await container()
  const expected = Array.from({ length: 30 }, (_, i) => `b${i}`)
  for (const [i, id] of expected.entries()) await books.items.create({ id, pk: `k${i}` })
  const iterator = latest(books, ChangeFeedStartFrom.Beginning(), 7)
  const first = await iterator.readNext()
  server.split('library', 'books', '0')
  await books.items.create({ id: 'late', pk: 'k1' })
  const sameIterator = await drain(iterator)
  expect([...first.result, ...sameIterator.pages.flat()].map(({ id }) => id).toSorted()).toEqual([...expected, 'late'].toSorted())
  const resumed = await drain(latest(books, ChangeFeedStartFrom.Continuation(first.continuationToken), 7))
  expect([...first.result, ...resumed.pages.flat()].map(({ id }) => id).toSorted()).toEqual([...expected, 'late'].toSorted())
  expect(server.log.some(({ operation, status, subStatus }) => operation === 'changes' && status === 410 && subStatus === 1002)).toBe(true)
  expect(server.partitions('library', 'books').map(({ id }) => id)).toEqual(['1', '2'])
})

test('all versions and deletes are shown with what was there before, across a split', async () => {
  const { server, container } = await openAccount({ partitions: 1 })
  const books = await container()
  await books.items.create({ id: 'unseen', pk: 'k' })
  const iterator = books.items.getChangeFeedIterator({ changeFeedMode: ChangeFeedMode.AllVersionsAndDeletes, changeFeedStartFrom: ChangeFeedStartFrom.Now() }) as unknown as ChangeFeedPullModelIterator<Version>
  await drain(iterator)
  await books.items.create({ id: 'a', pk: 'k', n: 1 })
  await books.items.upsert({ id: 'a', pk: 'k', n: 2 })
  server.split('library', 'books', '0')
  await books.item('a', 'k').delete()
  const { pages } = await drain(iterator)
  expect(pages.flat().map(({ metadata, previous, current }) => [metadata.operationType, metadata.lsn, previous?.n, current.n])).toEqual([
    ['create', 2, undefined, 1], ['replace', 3, 1, 2], ['delete', 4, 2, undefined],
  ])
})

test('all versions and deletes cannot be read from the beginning', async () => {
  const { container } = await openAccount()
  const books = await container()
  const iterator = books.items.getChangeFeedIterator({ changeFeedMode: ChangeFeedMode.AllVersionsAndDeletes, changeFeedStartFrom: ChangeFeedStartFrom.Beginning() })
  expect(await refusal(iterator.readNext())).toMatchObject({ code: 400 })
})
