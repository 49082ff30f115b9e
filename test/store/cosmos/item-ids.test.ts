// Ids that URLs cannot carry are read by a query, so that every document that can be written can be read, replaced and deleted.

import { CosmosClient } from '@azure/cosmos'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Key } from '../../../src/model/keys/key.ts'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { openAccount, refusal } from '../../emulator/open-account.ts'
import { startCosmosEmulator, type CosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'
import { idsBeyondSdk, idsBeyondUrls, impossibleIds, plainIds } from './vectors/item-ids.ts'

async function openShelf(followed: boolean): Promise<{ server: CosmosEmulator; store: Store }> {
  const server = await startCosmosEmulator({ partitions: 2 })
  const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'library', create: true }, [{ name: 'books', partitionKey: [['shelf']], indexes: [], followed }])
  onTestFinished(async () => {
    await store.close()
    await server.close()
  })
  return { server, store }
}

const keyOf = (id: string): Key => ({ partition: ['s'], id })
const put = (id: string, year: number, only?: 'if-absent' | { ifMatch: string }) => ({ kind: 'put', container: 'books', key: keyOf(id), body: { id, shelf: 's', year }, ...(only ? { only } : {}) }) as const

describe.each([true, false])('in a container that is followed (%s)', (followed) => {
  test.each([...plainIds, ...idsBeyondSdk, ...idsBeyondUrls])('%j is written, read, replaced and deleted', async (id) => {
    const { store } = await openShelf(followed)
    const [etag] = await store.write([put(id, 1, 'if-absent')])
    expect(await store.readMany('books', [keyOf(id)])).toMatchObject([{ key: keyOf(id), etag, body: { year: 1 } }])
    expect((await store.readMany('books', [keyOf(`${id}x`), keyOf(id)])).map((document) => document?.key.id)).toEqual([undefined, id])
    await store.write([put(id, 2, { ifMatch: etag! })])
    expect(await store.readMany('books', [keyOf(id)])).toMatchObject([{ body: { year: 2 } }])
    await store.write([{ kind: 'delete', container: 'books', key: keyOf(id) }])
    expect(await store.readMany('books', [keyOf(id)])).toEqual([undefined])
  })
})

test.each(impossibleIds)('%j is missing, and cannot be written', async (id) => {
  const { server, store } = await openShelf(true)
  server.clearLog()
  expect(await store.readMany('books', [keyOf(id)])).toEqual([undefined])
  await expect(store.write([put(id, 1)])).rejects.toThrow('cannot be an id')
  expect(server.log).toEqual([])
})

test.each(plainIds)('the SDK itself creates, reads, replaces and deletes %j, over http and without a port', async (id) => {
  for (const port of [undefined, 'none'] as const) {
    const emulator = await startCosmosEmulator(port === undefined ? {} : { port })
    const client = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key, ...(port === undefined ? {} : { httpClient: emulator.httpClient }) })
    onTestFinished(async () => {
      client.dispose()
      await emulator.close()
    })
    const { database } = await client.databases.create({ id: 'library' })
    const { container } = await database.containers.create({ id: 'books', partitionKey: { paths: ['/pk'] } })
    await container.items.create({ id, pk: 'a' })
    const item = container.item(id, 'a')
    expect((await item.read<{ id: string }>()).resource?.id).toBe(id)
    expect((await item.replace({ id, pk: 'a', year: 2 })).statusCode).toBe(200)
    expect((await item.patch([{ op: 'incr', path: '/year', value: 1 }])).resource).toMatchObject({ id, year: 3 })
    expect((await item.delete()).statusCode).toBe(204)
  }
})

test.each(idsBeyondUrls)('the server itself refuses to find %j in a path', async (id) => {
  const { container } = await openAccount()
  const books = await container()
  await books.items.create({ id, pk: 'a' })
  expect(await refusal(books.item(id, 'a').read())).toMatchObject({ code: 401 })
})
