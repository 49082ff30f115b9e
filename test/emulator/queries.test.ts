// Tests of queries through the SDK's own pipeline: targets, order, counts, groups, pages and plans.

import type { Container } from '@azure/cosmos'
import { expect, test } from 'vitest'
import { openAccount, refusal, type OpenAccount } from './open-account.ts'

interface Book { id: string; pk: string; n: number; title: string; tags: string[]; _ts?: number }

/** 60 books under 20 keys over 4 physical partitions. */
async function openLibrary(): Promise<OpenAccount & { books: Container; all: Book[] }> {
  const account = await openAccount()
  const books = await account.container({
    indexingPolicy: {
      includedPaths: [{ path: '/*' }],
      excludedPaths: [{ path: '/secret/*' }],
      compositeIndexes: [[{ path: '/pk', order: 'ascending' }, { path: '/n', order: 'descending' }]],
    },
  })
  const all = Array.from({ length: 60 }, (_, i) => ({ id: `b${i}`, pk: `k${i % 20}`, n: (i * 37) % 60, title: `T${(i * 7) % 10}`, tags: ['all', `t${i % 3}`] }))
  await books.items.bulk(all.map((resourceBody) => ({ operationType: 'Create', resourceBody })))
  account.server.clearLog()
  return { ...account, books, all }
}

const ids = (books: readonly { id: string }[]): string[] => books.map(({ id }) => id).toSorted()

test('a key asks one physical partition for one logical partition', async () => {
  const { server, books, all } = await openLibrary()
  const { resources } = await books.items.query<Book>('SELECT * FROM c', { partitionKey: 'k3' }).fetchAll()
  expect(ids(resources)).toEqual(ids(all.filter(({ pk }) => pk === 'k3')))
  expect(server.log.filter(({ operation }) => operation === 'query')).toHaveLength(1)
})

test('without a key the gateway serves one physical partition a page', async () => {
  const { server, books, all } = await openLibrary()
  const { resources } = await books.items.query<Book>('SELECT * FROM c WHERE c.n < 30').fetchAll()
  expect(ids(resources)).toEqual(ids(all.filter(({ n }) => n < 30)))
  expect(server.log.filter(({ operation }) => operation === 'query').map(({ rangeId }) => rangeId)).toEqual(['0', '1', '2', '3'])
})

test('with a forced plan the SDK asks every physical partition at once', async () => {
  const { server, books, all } = await openLibrary()
  const { resources } = await books.items.query<Book>('SELECT * FROM c WHERE c.n < 30', { forceQueryPlan: true, maxItemCount: 1000 }).fetchAll()
  expect(ids(resources)).toEqual(ids(all.filter(({ n }) => n < 30)))
  expect(server.log.map(({ operation, rangeId }) => rangeId ?? operation).toSorted()).toEqual(['0', '1', '2', '3', 'plan'])
})

test.each(['ASC', 'DESC'])('ORDER BY %s over all partitions equals a sort', async (direction) => {
  const { books, all } = await openLibrary()
  const { resources } = await books.items.query<Book>(`SELECT * FROM c WHERE c.n != 7 ORDER BY c.n ${direction}`).fetchAll()
  const sorted = all.filter(({ n }) => n !== 7).toSorted((one, other) => (direction === 'ASC' ? one.n - other.n : other.n - one.n))
  expect(resources.map(({ n }) => n)).toEqual(sorted.map(({ n }) => n))
})

test('TOP counts over all pages and partitions', async () => {
  const { books } = await openLibrary()
  const top = { query: 'SELECT TOP @top * FROM c ORDER BY c.n', parameters: [{ name: '@top', value: 7 }] }
  expect((await books.items.query<Book>(top, { maxItemCount: 2 }).fetchAll()).resources.map(({ n }) => n)).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect((await books.items.query<Book>('SELECT TOP 2 * FROM c', { partitionKey: 'k1', maxItemCount: 1 }).fetchAll()).resources).toHaveLength(2)
  expect((await books.items.query<Book>('SELECT TOP 50 * FROM c', { maxItemCount: 5 }).fetchAll()).resources).toHaveLength(50)
})

test('counts are one row, over one key and over all partitions', async () => {
  const { books } = await openLibrary()
  expect((await books.items.query('SELECT VALUE COUNT(1) FROM c WHERE c.n < 10').fetchAll()).resources).toEqual([10])
  expect((await books.items.query('SELECT VALUE COUNT(1) FROM c', { partitionKey: 'k1' }).fetchAll()).resources).toEqual([3])
  expect((await books.items.query('SELECT VALUE COUNT(1) FROM c WHERE c.n < 0').fetchAll()).resources).toEqual([0])
})

test('groups are counted by a property or by the distinct values of a list', async () => {
  const { books } = await openLibrary()
  type Group = { found?: string; many: number }
  const groups = async (query: string, partitionKey?: string): Promise<Group[]> =>
    (await books.items.query<Group>(query, partitionKey === undefined ? {} : { partitionKey }).fetchAll()).resources.toSorted((one, other) => (one.found ?? '').localeCompare(other.found ?? ''))
  const byTitle = 'SELECT c["title"] AS found, COUNT(1) AS many FROM c WHERE c.n < 60 GROUP BY c["title"]'
  expect(await groups(byTitle)).toEqual(Array.from({ length: 10 }, (_, i) => ({ found: `T${i}`, many: 6 })))
  await books.items.create({ id: 'twice', pk: 'k1', n: 60, tags: ['all', 'all', 't1'] })
  const byTag = 'SELECT e AS found, COUNT(1) AS many FROM c JOIN e IN (SELECT DISTINCT VALUE v FROM v IN c["tags"]) WHERE c.n >= 0 GROUP BY e'
  expect(await groups(byTag)).toEqual([{ found: 'all', many: 61 }, { found: 't0', many: 20 }, { found: 't1', many: 21 }, { found: 't2', many: 20 }])
  expect(await groups(byTag, 'k1')).toEqual([{ found: 'all', many: 4 }, { found: 't0', many: 1 }, { found: 't1', many: 2 }, { found: 't2', many: 1 }])
  expect(await groups('SELECT c.title AS found, COUNT(1) AS many FROM c WHERE c.n = 60 GROUP BY c.title', 'k1')).toEqual([{ many: 1 }])
  // Without a name a property has its own.
  expect(await groups('SELECT c.pk, COUNT(1) AS many FROM c WHERE c.n = 0 GROUP BY c.pk')).toEqual([{ pk: 'k0', many: 1 }])
})

test('values are summed and compared, undefined ones are left out, and a sum of anything but numbers is undefined', async () => {
  const { books } = await openLibrary()
  const rows = async (query: string): Promise<unknown[]> => (await books.items.query(query, { partitionKey: 'k1' }).fetchAll()).resources
  const [{ total }] = (await rows('SELECT SUM(c.n) AS total FROM c')) as [{ total: number }]
  expect(total).toBeGreaterThan(0)
  await books.items.create({ id: 'text', pk: 'k1', n: 'text' })
  expect(await rows('SELECT SUM(c.n) AS total, COUNT(1) AS many, MIN(c.none) AS least FROM c')).toEqual([{ many: 4 }])
  expect(await rows('SELECT SUM(IIF(IS_NUMBER(c.n), c.n, undefined)) AS total, SUM(IIF(IS_NUMBER(c.n), 1, 0)) AS numbers, MAX(c.n) AS most FROM c')).toEqual([{ total, numbers: 3, most: 'text' }])
  expect(await rows('SELECT c.pk AS pk, c.n AS n, COUNT(1) AS many FROM c WHERE c.id = "text" GROUP BY c.pk, c.n')).toEqual([{ pk: 'k1', n: 'text', many: 1 }])
  expect(await rows('SELECT c.pk, c["n"], MAX(c.id) AS last FROM c WHERE c.id = "text" GROUP BY c.pk, c.n')).toEqual([{ pk: 'k1', n: 'text', last: 'text' }])
  await expect(rows('SELECT c.pk AS pk, SUM(c.n) AS total FROM c GROUP BY c.n')).rejects.toMatchObject({ code: 400 })
})

test('ORDER BY puts types in order and strings by UTF-16 unit', async () => {
  const { container } = await openAccount()
  const values = await container({ id: 'values' })
  const sorted = [undefined, null, false, true, -1, 0.5, 2, '', 'Z', 'a', 'ab', 'é', '😀', '\uFFFD', [], {}]
  for (const [i, v] of sorted.toReversed().entries()) await values.items.create({ id: `${i}`, pk: 'k', v })
  const { resources } = await values.items.query<{ v: unknown }>('SELECT * FROM c ORDER BY c.v', { partitionKey: 'k', maxItemCount: 3 }).fetchAll()
  expect(resources.map(({ v }) => v)).toEqual(sorted)
  const { resources: backwards } = await values.items.query<{ v: unknown }>('SELECT * FROM c ORDER BY c.v DESC', { partitionKey: 'k', maxItemCount: 3 }).fetchAll()
  expect(backwards.map(({ v }) => v)).toEqual(sorted.toReversed())
})

test('equal values keep the order of creation', async () => {
  const { container } = await openAccount()
  const values = await container()
  for (const id of ['c', 'a', 'b']) await values.items.create({ id, pk: 'k', v: 1 })
  for (const direction of ['ASC', 'DESC']) {
    const { resources } = await values.items.query<Book>(`SELECT * FROM c ORDER BY c.v ${direction}`, { partitionKey: 'k', maxItemCount: 1 }).fetchAll()
    expect(resources.map(({ id }) => id)).toEqual(['c', 'a', 'b'])
  }
})

test.each([
  ['c.pk, c.n DESC', 200], ['c.pk DESC, c.n', 200], ['c["pk"] ASC, c["n"] DESC', 200],
  ['c.pk, c.n', 400], ['c.n DESC, c.pk', 400], ['c.pk, c.n DESC, c.id', 400],
  ['c.n', 200], ['c.secret.code', 400],
])('ORDER BY %s answers %i, by the indexes there are', async (order, status) => {
  const { books } = await openLibrary()
  const query = books.items.query(`SELECT * FROM c ORDER BY ${order}`, { partitionKey: 'k1' }).fetchAll()
  if (status === 200) expect((await query).resources).toHaveLength(3)
  else expect(await refusal(query)).toMatchObject({ code: 400, message: expect.stringContaining('does not have a corresponding') as string })
})

test.each([['c.n = 1', false], ['c.secret.code = 1', true], ['c.n = 1 OR STARTSWITH(c.secret.code, "x")', true], ['IS_DEFINED(c.title)', false], ['EXISTS(SELECT VALUE 1 FROM e IN c.tags WHERE e = "x")', false]])(
  'a filter on %s is a scan: %s', async (where, scanned) => {
    const { server, books } = await openLibrary()
    await books.items.query(`SELECT * FROM c WHERE ${where}`, { partitionKey: 'k1' }).fetchAll()
    expect(server.log.find(({ operation }) => operation === 'query')?.scanned).toBe(scanned)
  })

test('a continuation goes on after the last document, whatever was written in between', async () => {
  const { books } = await openLibrary()
  const options = { partitionKey: 'k1', maxItemCount: 1 }
  const first = await books.items.query<Book>('SELECT * FROM c ORDER BY c.n', options).fetchNext()
  const { continuationToken } = first
  await books.items.create({ id: 'before', pk: 'k1', n: -1 })
  await books.items.create({ id: 'after', pk: 'k1', n: 100 })
  await books.item(first.resources[0]?.id ?? '', 'k1').delete()
  const rest = await books.items.query<Book>('SELECT * FROM c ORDER BY c.n', { ...options, continuationToken }).fetchAll()
  expect(rest.resources.map(({ id }) => id)).toEqual(['b1', 'b21', 'after'])
  const other = books.items.query('SELECT * FROM c ORDER BY c.n DESC', { ...options, continuationToken }).fetchAll()
  expect(await refusal(other)).toMatchObject({ code: 400, message: expect.stringContaining('continuation token') as string })
})

test('the SDK resumes an ordered query over all partitions', async () => {
  const { books } = await openLibrary()
  const seen: number[] = []
  let continuationToken: string | undefined
  do {
    const options = { enableQueryControl: true, maxItemCount: 9, ...(continuationToken !== undefined && { continuationToken }) }
    const page = await books.items.query<Book>('SELECT * FROM c ORDER BY c.n', options).fetchNext()
    seen.push(...page.resources.map(({ n }) => n))
    continuationToken = page.continuationToken
  } while (continuationToken !== undefined)
  expect(seen).toEqual(Array.from({ length: 60 }, (_, i) => i))
})

test('a page has at most 4 MB', async () => {
  const { server, container } = await openAccount()
  const books = await container()
  for (let i = 0; i < 5; i++) await books.items.create({ id: `${i}`, pk: 'k', text: 'x'.repeat(1_500_000) })
  server.clearLog()
  expect((await books.items.query('SELECT * FROM c', { partitionKey: 'k' }).fetchAll()).resources).toHaveLength(5)
  expect(server.log.filter(({ operation }) => operation === 'query').map(({ documents }) => documents)).toEqual([2, 2, 1])
})

test('a query that began before a split neither repeats nor misses a document', async () => {
  const { server, books, all } = await openLibrary()
  const iterator = books.items.query<Book>('SELECT * FROM c', { maxItemCount: 4 })
  const found = [...(await iterator.fetchNext()).resources]
  server.split('library', 'books', '0')
  while (iterator.hasMoreResults()) found.push(...(await iterator.fetchNext()).resources)
  expect(ids(found)).toEqual(ids(all))
})

test('a physical partition that was split is gone for a client that still knows it', async () => {
  const { server, books } = await openLibrary()
  await books.items.query('SELECT * FROM c ORDER BY c.n').fetchAll()
  server.split('library', 'books', '0')
  server.clearLog()
  // The SDK buffers the error and asks the gone partition again, without end: three rounds are enough to see it.
  const abort = new AbortController()
  server.faults.only = () => {
    if (server.log.filter(({ status }) => status === 410).length >= 3) abort.abort()
    return false
  }
  await books.items.query('SELECT * FROM c ORDER BY c.n', { abortSignal: abort.signal }).fetchAll().catch(() => undefined)
  const refused = server.log.filter(({ status }) => status === 410)
  expect(refused.length).toBeGreaterThanOrEqual(3)
  for (const each of refused) expect(each).toMatchObject({ rangeId: '0', subStatus: 1002 })
})

test.each([
  'SELECT c.id AS FROM c', 'SELECT * FROM c OFFSET 1', 'SELECT VALUE SUM(c.n) FROM c', 'SELECT VALUE LOWER(c.id) FROM c', 'SELECT * FROM c JOIN t IN c.tags', 'SELECT * FROM c WHERE', 'DELETE FROM c', 'SELECT * FROM c ORDER BY',
])('%s is not spoken here', async (query) => {
  const { books } = await openLibrary()
  expect(await refusal(books.items.query(query, { partitionKey: 'k1' }).fetchAll())).toMatchObject({ code: 400, message: expect.stringContaining('Syntax error') as string })
})
