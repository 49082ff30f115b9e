// A service that cannot be reached, or that answers 404 for something else than the document: every call of the store fails as unavailable after a
// bounded number of requests, and nothing is taken for missing or done. Waiting is recorded instead of done.

import { createServer } from 'node:net'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import { storeErrorFrom } from '../../../src/store/cosmos/errors.ts'
import { StoreUnavailableError } from '../../../src/store/store-errors.ts'
import type { Receipt, Store } from '../../../src/store/store.ts'
import { startCosmosEmulator, type CosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'

vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }))

const key = { partition: ['s1'], id: 'b1' }
const put = { kind: 'put', container: 'books', key, body: { id: 'b1', shelf: 's1', type: 'book' } } as const
const page = { container: 'books', type: 'book', orderBy: { path: ['id'], descending: false }, limit: 10 } as const

type Call = [name: string, call: (store: Store, meter?: (receipt: Receipt) => void) => Promise<unknown>]
const calls: readonly Call[] = [
  ['a read', async (store, meter) => store.readMany('books', [key], meter)],
  ['a page', async (store, meter) => store.query(page, meter)],
  ['a count', async (store, meter) => store.count(page, meter)],
  ['a write', (store, meter) => store.write([put], meter)],
  ['a deletion', (store, meter) => store.write([{ kind: 'delete', container: 'books', key }], meter)],
  ['the change feed', (store, meter) => store.changes('all', undefined, 10, meter)],
]

async function openShelf(): Promise<{ server: CosmosEmulator; store: Store }> {
  const server = await startCosmosEmulator({ partitions: 1 })
  const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'library', create: true }, [
    { name: 'books', partitionKey: [['shelf']], indexes: [{ type: 'book', orderBy: ['name'] }], followed: true },
  ])
  await store.write([put])
  onTestFinished(async () => {
    await store.close()
    await server.close().catch(() => undefined)
  })
  return { server, store }
}

describe('a service that does not listen', () => {
  test.each(calls)('%s is tried five times and is unavailable', async (_, call) => {
    const { server, store } = await openShelf()
    await server.close()
    const receipts: Receipt[] = []
    await expect(call(store, (receipt) => receipts.push(receipt))).rejects.toThrow(StoreUnavailableError)
    expect(receipts).toHaveLength(5)
  })
})

describe('a service that resets every connection', () => {
  test.each(calls)('%s is tried five times and is unavailable', async (_, call) => {
    const { server, store } = await openShelf()
    await server.close()
    const resetting = createServer((socket) => socket.resetAndDestroy()).listen(Number(new URL(server.endpoint).port), '127.0.0.1')
    await once(resetting, 'listening')
    onTestFinished(() => void resetting.close())
    const receipts: Receipt[] = []
    await expect(call(store, (receipt) => receipts.push(receipt))).rejects.toThrow(StoreUnavailableError)
    expect(receipts).toHaveLength(5)
  })
})

// The SDKs raise these 404s as errors, also where a missing document is none: ReadSessionNotAvailable and OwnerResourceNotFound
// (azure-cosmos-dotnet-v3, the tests of ReadMany). Only a 404 without a substatus is of the document.
describe.each([1002, 1003])('a 404 with the substatus %i', (subStatus) => {
  test.each(calls.filter(([name]) => name !== 'a write'))('%s is unavailable, not missing or done', async (_, call) => {
    const { server, store } = await openShelf()
    server.faults.answer = ({ operation }) => (operation === 'batch' ? undefined : { status: 404, subStatus })
    await expect(call(store)).rejects.toThrow(StoreUnavailableError)
    server.faults.answer = undefined
    expect(await store.readMany('books', [key])).toMatchObject([{ key }])
  })

  test('many documents by key are unavailable, whether they are read one by one or together', async () => {
    const { server, store } = await openShelf()
    server.faults.answer = () => ({ status: 404, subStatus })
    for (const many of [2, 20]) {
      const keys = Array.from({ length: many }, (_, at) => ({ partition: ['s1'], id: `b${at}` }))
      await expect(store.readMany('books', keys)).rejects.toThrow(StoreUnavailableError)
    }
  })
})

test('whether the service answers is asked by a read of a document, of which an account allows any number', async () => {
  const { server, store } = await openShelf()
  server.clearLog()
  await store.ping()
  expect(server.log.map(({ operation, charge }) => [operation, charge])).toEqual([['read', 1]])
  await server.close()
  await expect(store.ping()).rejects.toThrow(StoreUnavailableError)
})

test('a replica that is behind the session is asked again, with the session', async () => {
  const { server, store } = await openShelf()
  let left = 3
  server.clearLog()
  server.faults.answer = () => (left-- > 0 ? { status: 404, subStatus: 1002 } : undefined)
  expect(await store.readMany('books', [key])).toMatchObject([{ key }])
  expect(server.log.map(({ operation, status }) => `${operation} ${status}`)).toEqual(['read 404', 'read 404', 'read 404', 'read 200'])
})

test.each([401, 403, 404, 408, 410, 429, 449, 500, 503, 'REQUEST_SEND_ERROR', 'PARSE_ERROR'])('an error with the code %s is unavailability', (code) => {
  expect(storeErrorFrom(Object.assign(new Error('no'), { code }))).toBeInstanceOf(StoreUnavailableError)
})

test.each(['CredentialUnavailableError', 'AuthenticationError', 'AbortError'])('a %s is unavailability', (name) => {
  expect(storeErrorFrom(Object.assign(new Error('no'), { name }))).toBeInstanceOf(StoreUnavailableError)
})

test.each([400, 413, undefined])('an error with the code %s is a fault of the program', (code) => {
  const error = Object.assign(new Error('no'), { code })
  expect(storeErrorFrom(error)).toBe(error)
})
