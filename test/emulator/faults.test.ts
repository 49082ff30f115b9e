// Tests of faults on demand: their rates, their sequence, and answers that are lost after the write.

import { expect, test } from 'vitest'
import { openAccount, refusal } from './open-account.ts'

test('the same seed gives the same failures', async () => {
  const { server, container } = await openAccount()
  const books = await container()
  const run = async (seed: number): Promise<number[]> => {
    Object.assign(server.faults, { seed, throttle: 0.1, retryWith: 0.1, timeout: 0.1, gone: 0.1, unavailable: 0.1 })
    server.clearLog()
    for (let i = 0; i < 100; i++) await books.items.upsert({ id: `${i}`, pk: 'a' }).catch(() => undefined)
    return server.log.map(({ status }) => status)
  }
  const first = await run(7)
  expect(new Set(first)).toEqual(new Set([200, 201, 429, 449, 408, 410, 503].filter((status) => first.includes(status))))
  expect(first.filter((status) => status > 400).length).toBeGreaterThan(30)
  expect((await run(7)).map((status) => (status < 400 ? 0 : status))).toEqual(first.map((status) => (status < 400 ? 0 : status)))
  expect((await run(8)).map((status) => (status < 400 ? 0 : status))).not.toEqual(first.map((status) => (status < 400 ? 0 : status)))
})

test.each([['throttle', 429], ['retryWith', 449], ['timeout', 408], ['gone', 410], ['unavailable', 503]] as const)('%s answers %i', async (name, code) => {
  const { server, container } = await openAccount()
  const books = await container()
  server.faults[name] = 1
  server.faults.lostAnswers = 0
  expect(await refusal(books.items.create({ id: 'b1', pk: 'a' }))).toMatchObject({ code, substatus: 0 })
  expect(server.log.at(-1)).toMatchObject({ operation: 'create', container: 'books', status: code, subStatus: 0, applied: false, charge: 0 })
  server.faults[name] = 0
  expect((await books.items.create({ id: 'b1', pk: 'a' })).statusCode).toBe(201)
})

test('a throttled request is told when to come back', async () => {
  const { server, container } = await openAccount()
  const books = await container()
  server.faults.throttle = 1
  const { retryAfterInMs } = (await refusal(books.items.create({ id: 'b1', pk: 'a' }))) as unknown as { retryAfterInMs: number }
  expect(retryAfterInMs).toBeGreaterThanOrEqual(1)
  expect(retryAfterInMs).toBeLessThanOrEqual(5)
})

test('a lost answer is of a write that happened', async () => {
  const { server, container } = await openAccount()
  const books = await container()
  Object.assign(server.faults, { timeout: 1, lostAnswers: 1 })
  expect(await refusal(books.items.create({ id: 'b1', pk: 'a' }))).toMatchObject({ code: 408 })
  expect(server.log.at(-1)).toMatchObject({ status: 408, applied: true, documents: 1 })
  // A read has nothing to lose, and a throttled or conflicting write never happened.
  expect(await refusal(books.item('b1', 'a').read())).toMatchObject({ code: 408 })
  Object.assign(server.faults, { timeout: 0, retryWith: 1 })
  expect(await refusal(books.items.create({ id: 'b2', pk: 'a' }))).toMatchObject({ code: 449 })
  Object.assign(server.faults, { retryWith: 0 })
  expect((await books.item('b1', 'a').read()).statusCode).toBe(200)
  expect((await books.item('b2', 'a').read()).statusCode).toBe(404)
})

test('faults spare metadata and whatever they are not meant for', async () => {
  const { server, container } = await openAccount()
  const books = await container()
  Object.assign(server.faults, { unavailable: 1, lostAnswers: 0 })
  expect((await books.read()).statusCode).toBe(200)
  server.faults.only = ({ operation, container: name }) => operation === 'delete' && name === 'books'
  expect((await books.items.create({ id: 'b1', pk: 'a' })).statusCode).toBe(201)
  expect(await refusal(books.item('b1', 'a').delete())).toMatchObject({ code: 503 })
})

test('a split that goes on for a while answers 410/1007 until it is over, and 410/1002 by the old id afterwards', async () => {
  let now = 1_000_000
  const { server, container } = await openAccount({ now: () => now, partitions: 1 })
  const items = await container()
  await items.items.create({ id: 'one', pk: 'a' })
  server.split('library', 'books', '0', { forMs: 5000 })
  now += 4999
  expect(await refusal(items.item('one', 'a').read())).toMatchObject({ code: 410, substatus: 1007 })
  expect(server.partitions('library', 'books').length).toBe(1)
  now += 1
  expect((await items.item('one', 'a').read()).statusCode).toBe(200)
  expect(server.partitions('library', 'books').length).toBe(2)
})
