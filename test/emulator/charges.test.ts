// Tests of request charges: what each kind of request costs, by the table and the query formula.

import { expect, test } from 'vitest'
import { chargeOfRead, chargeOfWrite } from '../../src/emulator/charges.ts'
import { openAccount, refusal } from './open-account.ts'

test.each([[100, 1, 4.95], [1024, 1, 4.95], [1536, 1.02, 5.62], [2048, 1.04, 6.29], [3 * 1024, 1.09, 6.48], [64 * 1024, 4.76, 22.67], [2048 * 1024, 291.8, 1250]])(
  'a document of %i bytes is read for %d and written for %d', (bytes, read, write) => {
    expect(chargeOfRead(bytes)).toBe(read)
    expect(chargeOfWrite(bytes, 0)).toBe(write)
  })

test('a write costs by its size and by the terms that the policy indexes', async () => {
  const { container } = await openAccount()
  const books = await container({ indexingPolicy: { includedPaths: [{ path: '/*' }], excludedPaths: [{ path: '/text/?' }, { path: '/deep/*' }] } })
  // Four terms: id, pk and the two tags. text and everything in deep are left out.
  const body = { id: 'b1', pk: 'a', tags: ['x', 'y'], text: 'z', deep: { a: 1, b: [2] } }
  expect((await books.items.create(body)).requestCharge).toBe(5.75)
  expect((await books.item('b1', 'a').read()).requestCharge).toBe(1)
  // One term changes: it is removed and added.
  expect((await books.items.upsert({ ...body, tags: ['x', 'w'] })).requestCharge).toBe(10.3)
  expect((await books.items.upsert({ ...body, tags: ['x', 'w'], text: 'changed' })).requestCharge).toBe(9.9)
  expect((await books.item('b1', 'a').delete()).requestCharge).toBe(5.75)
})

test('failures cost a base read, or nothing', async () => {
  const { server, container } = await openAccount()
  const books = await container()
  await books.items.create({ id: 'b1', pk: 'a' })
  expect((await books.item('b2', 'a').read()).requestCharge).toBe(1)
  await refusal(books.items.create({ id: 'b1', pk: 'a' }))
  await refusal(books.item('b1', 'a').delete({ accessCondition: { type: 'IfMatch', condition: '"stale"' } }))
  server.faults.throttle = 1
  await refusal(books.items.create({ id: 'b2', pk: 'a' }))
  expect(server.log.slice(-4).map(({ status, charge }) => [status, charge])).toEqual([[404, 1], [409, 1], [412, 1], [429, 0]])
})

test('a batch costs the sum of its operations', async () => {
  const { container } = await openAccount()
  const books = await container()
  const answer = await books.items.batch([{ operationType: 'Create', resourceBody: { id: 'b1', pk: 'a' } }, { operationType: 'Read', id: 'b1' }], 'a')
  expect(answer.result?.map(({ requestCharge }) => requestCharge)).toEqual([5.35, 1])
  expect((answer as unknown as { headers: Record<string, string> }).headers['x-ms-request-charge']).toBe('6.35')
})

test('a query costs by physical partition, page, documents and what it loads', async () => {
  const { container } = await openAccount()
  const books = await container({ indexingPolicy: { includedPaths: [{ path: '/n/?' }], excludedPaths: [{ path: '/*' }] } })
  for (let i = 0; i < 10; i++) await books.items.create({ id: `b${i}`, pk: 'a', n: i, text: 'x'.repeat(10_240 - JSON.stringify({ id: 'b0', pk: 'a', n: 0, text: '' }).length) })
  const charge = async (query: string, options: object = { partitionKey: 'a' }): Promise<number> => (await books.items.query(query, options).fetchAll()).requestCharge
  expect(await charge('SELECT * FROM c WHERE c.n = 1')).toBe(3)
  expect(await charge('SELECT * FROM c WHERE c.n < 0')).toBe(2.5)
  expect(await charge('SELECT * FROM c')).toBe(4.82)
  expect(await charge('SELECT * FROM c', { partitionKey: 'a', maxItemCount: 5 })).toBe(7.62)
  // Nine documents are loaded for nothing, because the filter is not indexed.
  expect(await charge('SELECT * FROM c WHERE c.id = "b1" AND c.text != ""')).toBe(3.92)
  expect(await charge('SELECT VALUE COUNT(1) FROM c WHERE c.n < 5')).toBe(2.9)
  // One page from each of the four physical partitions, three of them empty.
  expect(await charge('SELECT * FROM c WHERE c.n = 1', {})).toBe(10.5)
})
