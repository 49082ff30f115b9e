// Tests of batches and of bulk requests.

import type { OperationInput } from '@azure/cosmos'
import { expect, test } from 'vitest'
import { openAccount, refusal } from './open-account.ts'

test('a batch writes all of its operations and answers each', async () => {
  const { server, container } = await openAccount()
  const books = await container()
  const { etag } = await books.items.create({ id: 'old', pk: 'a', n: 1 })
  await books.items.create({ id: 'doomed', pk: 'a' })
  const { code, result } = await books.items.batch([
    { operationType: 'Create', resourceBody: { id: 'new', pk: 'a' } },
    { operationType: 'Replace', id: 'old', resourceBody: { id: 'old', pk: 'a', n: 2 }, ifMatch: etag },
    { operationType: 'Upsert', resourceBody: { id: 'new', pk: 'a', n: 3 } },
    { operationType: 'Delete', id: 'doomed' },
    { operationType: 'Read', id: 'new' },
  ], 'a')
  expect(code).toBe(200)
  expect(result?.map(({ statusCode }) => statusCode)).toEqual([201, 200, 200, 204, 200])
  expect(result?.[4]?.resourceBody).toMatchObject({ id: 'new', n: 3 })
  expect(result?.[4]?.eTag).toBe(result?.[2]?.eTag)
  expect((await books.item('old', 'a').read<{ n: number }>()).resource?.n).toBe(2)
  expect(server.log.find(({ operation }) => operation === 'batch')).toMatchObject({ keys: 5, documents: 5, applied: true })
})

test.each<[number, OperationInput]>([
  [409, { operationType: 'Create', resourceBody: { id: 'old', pk: 'a' } }],
  [412, { operationType: 'Replace', id: 'old', resourceBody: { id: 'old', pk: 'a' }, ifMatch: '"stale"' }],
  [404, { operationType: 'Read', id: 'nowhere' }],
  [404, { operationType: 'Delete', id: 'nowhere' }],
  [400, { operationType: 'Upsert', resourceBody: { id: 'b', pk: 'elsewhere' } }],
])('one operation that fails with %i undoes the others', async (status, failing) => {
  const { server, container } = await openAccount()
  const books = await container()
  const { resource: old } = await books.items.create({ id: 'old', pk: 'a', n: 1 })
  const { resource: kept } = await books.items.create({ id: 'kept', pk: 'a' })
  const before = server.partitions('library', 'books')
  const { code, result } = await books.items.batch([
    { operationType: 'Upsert', resourceBody: { id: 'new', pk: 'a' } },
    { operationType: 'Delete', id: 'kept' },
    { operationType: 'Upsert', resourceBody: { id: 'old', pk: 'a', n: 2 } },
    failing,
    { operationType: 'Read', id: 'old' },
  ], 'a')
  expect(code).toBe(207)
  expect(result?.map(({ statusCode }) => statusCode)).toEqual([424, 424, 424, status, 424])
  expect((await books.items.query('SELECT * FROM c ORDER BY c.id', { partitionKey: 'a' }).fetchAll()).resources).toEqual([kept, old])
  expect(server.partitions('library', 'books')).toEqual(before)
  expect(server.log.find(({ operation }) => operation === 'batch')).toMatchObject({ status: 207, applied: false, documents: 0 })
})

test('a batch above 2 MB is refused', async () => {
  const { container } = await openAccount()
  const books = await container()
  const operations = [1, 2, 3].map((n) => ({ operationType: 'Create' as const, resourceBody: { id: `${n}`, pk: 'a', text: 'x'.repeat(800_000) } }))
  expect(await refusal(books.items.batch(operations, 'a'))).toMatchObject({ code: 413 })
})

test('a minimal answer leaves the written documents out', async () => {
  const { container } = await openAccount()
  const books = await container()
  const { result } = await books.items.batch([{ operationType: 'Create', resourceBody: { id: 'b1', pk: 'a' } }, { operationType: 'Read', id: 'b1' }], 'a', { contentResponseOnWriteEnabled: false })
  expect(result?.map(({ resourceBody }) => resourceBody?.['id'])).toEqual([undefined, 'b1'])
})

test('bulk operations succeed or fail each for itself, also after a split', async () => {
  const { server, container } = await openAccount()
  const books = await container()
  const creations = Array.from({ length: 20 }, (_, i) => ({ operationType: 'Create' as const, resourceBody: { id: `${i}`, pk: `k${i}` } }))
  expect((await books.items.bulk(creations)).map(({ statusCode }) => statusCode)).toEqual(creations.map(() => 201))
  server.split('library', 'books', '0')
  const reads = ['0', '1', 'nowhere'].map((id) => ({ operationType: 'Read' as const, id, partitionKey: id === '1' ? 'k1' : 'k0' }))
  expect((await books.items.bulk(reads)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 404])
})
