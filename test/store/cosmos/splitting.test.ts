// A physical partition that takes a while to split: it answers 410/1007 while the list of partitions still has it, and later the list may have it
// beside the partitions that replaced it. Nothing fails, and nothing is found twice. Waiting is recorded instead of done.

import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Key } from '../../../src/model/keys/key.ts'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import { maxReplacements } from '../../../src/store/cosmos/read-many/physical-partitions.ts'
import { StoreUnavailableError } from '../../../src/store/store-errors.ts'
import type { Store } from '../../../src/store/store.ts'
import { startCosmosEmulator, type CosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'

const waits: number[] = []

vi.mock('node:timers/promises', () => ({
  setTimeout: async (ms: number) => {
    waits.push(ms)
  },
}))

beforeEach(() => {
  waits.length = 0
})

const keys = Array.from({ length: 12 }, (_, at): Key => ({ partition: [`s${at}`], id: `b${at}` }))
const everything = { container: 'books', type: 'book', orderBy: { path: ['id'], descending: false }, limit: 100 } as const

async function openShelf(partitions = 1): Promise<{ server: CosmosEmulator; store: Store }> {
  const server = await startCosmosEmulator({ partitions })
  const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'library', create: true }, [
    { name: 'books', partitionKey: [['shelf']], indexes: [{ type: 'book', orderBy: ['name'] }], followed: true },
  ])
  onTestFinished(async () => {
    await store.close()
    await server.close()
  })
  for (const { id, partition: [shelf] } of keys) await store.write([{ kind: 'put', container: 'books', key: { partition: [shelf!], id }, body: { id, shelf: shelf!, type: 'book', name: id } }])
  server.clearLog()
  return { server, store }
}

/** The statuses of the requests for documents. */
function statuses({ log }: CosmosEmulator): string[] {
  return log.flatMap(({ operation, status, subStatus }) => (operation === 'ranges' || operation === 'container' ? [] : [status === 410 ? `410/${subStatus}` : String(status)]))
}

async function allChanges(store: Store): Promise<string[]> {
  const found: string[] = []
  for (let point: string | undefined; ;) {
    const page = await store.changes('all', point, 100)
    found.push(...page.changes.map(({ key }) => key.id))
    point = page.point
    if (page.end) return found
  }
}

const ids = keys.map(({ id }) => id)

describe('while a split goes on', () => {
  test.each<[string, (store: Store) => Promise<unknown>, unknown]>([
    ['a page', async (store) => (await store.query(everything)).map(({ key }) => key.id), ids.toSorted()],
    ['a count', async (store) => store.count(everything), 12],
    ['many documents by key', async (store) => (await store.readMany('books', keys)).map((document) => document?.key.id), ids],
    ['one document by key', async (store) => (await store.readMany('books', keys.slice(0, 1))).map((document) => document?.key.id), ['b0']],
    ['a page of one partition key', async (store) => (await store.query({ ...everything, partition: ['s3'] })).map(({ key }) => key.id), ['b3']],
    ['the change feed', async (store) => (await allChanges(store)).toSorted(), ids.toSorted()],
    ['a write', async (store) => store.write([{ kind: 'put', container: 'books', key: { partition: ['s3'], id: 'new' }, body: { id: 'new', shelf: 's3', type: 'book' }, only: 'if-absent' }]), [expect.any(String)]],
  ])('%s waits for its end', async (_, ask, answer) => {
    const { server, store } = await openShelf()
    server.split('library', 'books', '0', { requests: 12 })
    expect(await ask(store)).toEqual(answer)
    expect(statuses(server).slice(0, 12)).toEqual(Array.from({ length: 12 }, () => '410/1007'))
    expect(server.partitions('library', 'books')).toHaveLength(2)
    // Longer each time, with jitter.
    expect(waits.length).toBeGreaterThanOrEqual(11)
    expect(Math.min(...waits.slice(8))).toBeGreaterThan(Math.max(...waits.slice(0, 4)))
  })

  test('a request is given up after a bounded number of tries', async () => {
    const { server, store } = await openShelf()
    server.split('library', 'books', '0', { requests: Infinity })
    await expect(store.query(everything)).rejects.toThrow(StoreUnavailableError)
    expect(statuses(server)).toHaveLength(maxReplacements + 1)
  })
})

test('a list that has a partition beside those that replaced it finds every document once', async () => {
  const { server, store } = await openShelf(2)
  server.split('library', 'books', '0', { listed: true })
  expect((await store.query(everything)).map(({ key }) => key.id)).toEqual(ids.toSorted())
  expect(await store.count(everything)).toBe(12)
  expect((await store.readMany('books', keys)).map((document) => document?.key.id)).toEqual(ids)
  expect(store.reach(everything)).toBe(3)
})
