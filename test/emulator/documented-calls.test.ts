// The emulator as users of @azure/cosmos meet it: the documented calls work on a port and without one, and a running emulator can be told
// to split, to throttle and to show its log.

import { CosmosClient } from '@azure/cosmos'
import { expect, onTestFinished, test } from 'vitest'
import { startCosmosEmulator, type CosmosEmulator, type EmulatorOptions } from '../../src/entries/testing.ts'
import { runDocumentedCalls } from './sdk-script.mjs'

async function start(options: EmulatorOptions = {}): Promise<CosmosEmulator> {
  const emulator = await startCosmosEmulator(options)
  onTestFinished(() => emulator.close())
  return emulator
}

test('the documented calls of the SDK work on a port, with the options of its README', async () => {
  const { endpoint, key, log } = await start()
  const done = await runDocumentedCalls({ endpoint, key })
  expect(done).toContain('items.batch')
  expect(done.length).toBe(16)
  expect(key).toMatch(/^C2y6yDjf5/)
  expect(log.filter(({ status }) => status >= 500)).toEqual([])
})

test('and without a port, on one physical partition and on seven', async () => {
  for (const partitions of [1, 7]) {
    const { endpoint, key, httpClient, log } = await start({ port: 'none', partitions })
    expect((await runDocumentedCalls({ endpoint, key, httpClient })).length).toBe(16)
    expect(log.length).toBeGreaterThan(50)
  }
})

test('patches cost what a replacement costs and 0.4 RU for each operation, and leave nothing behind when one operation fails', async () => {
  const emulator = await start({ port: 'none' })
  const client = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key, httpClient: emulator.httpClient })
  const { database } = await client.databases.create({ id: 'zoo' })
  const { container } = await database.containers.create({ id: 'beasts', partitionKey: { paths: ['/id'] } })
  await container.items.create({ id: 'a', n: 1, list: [1, 2] })
  emulator.clearLog()
  await container.item('a', 'a').replace({ id: 'a', n: 2, list: [1, 2] })
  await container.item('a', 'a').patch([{ op: 'set', path: '/n', value: 1 }])
  const [replaced, patched] = emulator.log
  expect(patched!.charge - replaced!.charge).toBeCloseTo(0.4)
  const operations = [{ op: 'set', path: '/n', value: 9 }, { op: 'remove', path: '/list/7' }] as const
  await expect(container.item('a', 'a').patch([...operations])).rejects.toMatchObject({ code: 400 })
  for (const path of ['/id', '/_etag', '']) await expect(container.item('a', 'a').patch([{ op: 'set', path, value: 'b' }])).rejects.toMatchObject({ code: 400 })
  expect((await container.item('a', 'a').read<{ n: number; list: number[] }>()).resource).toMatchObject({ n: 1, list: [1, 2] })
})

test('a split that is told to last answers 410/1007 for so long', async () => {
  let now = 0
  const { endpoint, key } = await start({ partitions: 1, now: () => now })
  const client = new CosmosClient({ endpoint, key, connectionPolicy: { retryOptions: { maxRetryAttemptCount: 0 } } })
  const { database } = await client.databases.create({ id: 'zoo' })
  const { container } = await database.containers.create({ id: 'beasts', partitionKey: { paths: ['/id'] } })
  const response = await fetch(`${endpoint}/_emulator/splits`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ database: 'zoo', container: 'beasts', partition: '0', forMs: 500 }) })
  expect(response.status).toBe(200)
  for (const passed of [0, 499]) {
    now = passed
    await expect(container.item('a', 'a').read()).rejects.toMatchObject({ code: 410, substatus: 1007 })
  }
  now = 500
  expect((await container.item('a', 'a').read()).statusCode).toBe(404)
  expect((await container.readPartitionKeyRanges().fetchAll()).resources.length).toBe(2)
})

test('a document of a missing container is not found for another reason than a missing document', async () => {
  const { endpoint, key } = await start()
  const client = new CosmosClient({ endpoint, key })
  const { database } = await client.databases.create({ id: 'zoo' })
  await database.containers.create({ id: 'beasts', partitionKey: { paths: ['/id'] } })
  const substatusOf = async (container: string): Promise<unknown[]> => {
    const { statusCode, substatus } = await database.container(container).item('a', 'a').read()
    return [statusCode, substatus || 0]
  }
  expect(await substatusOf('beasts')).toEqual([404, 0])
  expect(await substatusOf('none')).toEqual([404, 1003])
})

test('a running emulator is told what to do over http', async () => {
  const { endpoint, key } = await start({ logLimit: 3 })
  const client = new CosmosClient({ endpoint, key, connectionPolicy: { retryOptions: { maxRetryAttemptCount: 0 } } })
  const { database } = await client.databases.create({ id: 'zoo' })
  const { container } = await database.containers.create({ id: 'beasts', partitionKey: { paths: ['/id'] } })
  const tell = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${endpoint}/_emulator/${path}`, { method, ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}) })
    return { status: response.status, body: await response.json() }
  }
  expect(await tell('PUT', 'faults', { throttle: 1 })).toMatchObject({ status: 200, body: { throttle: 1, latencyMs: 0 } })
  await expect(container.item('a', 'a').read()).rejects.toMatchObject({ code: 429 })
  expect(await tell('PUT', 'faults', { throttle: 0 })).toMatchObject({ status: 200 })
  expect((await container.item('a', 'a').read()).statusCode).toBe(404)
  expect(await tell('POST', 'splits', { database: 'zoo', container: 'beasts', partition: '0' })).toMatchObject({ status: 200, body: [{ id: '4' }, { id: '5' }, { id: '1' }, { id: '2' }, { id: '3' }] })
  expect(await tell('GET', 'partitions/zoo/beasts')).toMatchObject({ body: { length: 5 } })
  expect(await tell('GET', 'log')).toMatchObject({ body: { length: 3 } })
  for (const wrong of [{ throttle: 2 }, { throttle: '1' }, { latencyMs: 0.5 }, { speed: 1 }, []]) expect(await tell('PUT', 'faults', wrong)).toMatchObject({ status: 400 })
  expect(await tell('POST', 'splits', { database: 'zoo', container: 'beasts', partition: '4', at: '05' })).toMatchObject({ status: 200, body: [{ maxExclusive: '05' }, { minInclusive: '05' }, {}, {}, {}, {}] })
  for (const wrong of [{ container: undefined }, { forMs: -1 }, { requests: '1' }, { forSeconds: 1 }, { at: 5 }, { at: '3F' }, { at: 'x' }]) {
    expect(await tell('POST', 'splits', { database: 'zoo', container: 'beasts', partition: '5', ...wrong })).toMatchObject({ status: 400 })
  }
  expect(await tell('POST', 'splits', { database: 'zoo', container: 'none', partition: '0' })).toMatchObject({ status: 404 })
  expect(await tell('GET', 'everything')).toMatchObject({ status: 404 })
  expect((await fetch(`${endpoint}/_emulator/faults`, { method: 'PUT', body: '{"throttle":1}' })).status).toBe(415)
})
