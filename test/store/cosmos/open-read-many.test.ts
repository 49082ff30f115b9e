// Reading many documents by key for programs that use the SDK themselves: nothing of Quire has prepared the container.

import { CosmosClient, PartitionKeyKind, type Container, type PartitionKeyDefinition } from '@azure/cosmos'
import { expect, onTestFinished, test } from 'vitest'
import { openReadMany } from '../../../src/store/cosmos/read-many/open-read-many.ts'
import { startCosmosEmulator, type CosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'

async function openContainer(partitionKey: PartitionKeyDefinition): Promise<{ server: CosmosEmulator; container: Container }> {
  const server = await startCosmosEmulator({ partitions: 3 })
  const client = new CosmosClient({ endpoint: server.endpoint, key: server.key, connectionPolicy: { enableEndpointDiscovery: false } })
  onTestFinished(async () => {
    client.dispose()
    await server.close()
  })
  const { database } = await client.databases.createIfNotExists({ id: 'zoo' })
  const { container } = await database.containers.createIfNotExists({ id: 'beasts', partitionKey })
  return { server, container }
}

test('answers in the order of the keys, missing ones included, with far fewer requests than keys', async () => {
  const { server, container } = await openContainer({ paths: ['/home/wing'], kind: PartitionKeyKind.Hash, version: 2 })
  const ids = Array.from({ length: 60 }, (_, index) => `b${index}`)
  for (const id of ids) await container.items.create({ id, home: { wing: `w${id}` } })
  const readItems = await openReadMany(container)
  server.clearLog()
  const found = await readItems([...ids.toReversed(), 'b-none'].map((id) => ({ id, partitionKey: [`w${id}`] })))
  expect(found.map((each) => (each.status === 'found' ? each.item.id : each.status))).toEqual([...ids.toReversed(), 'missing'])
  // The SDK asks for a plan of each query; nothing else is asked for twice.
  expect(server.log.map(({ operation }) => operation).toSorted()).toEqual(['plan', 'plan', 'plan', 'query', 'query', 'query', 'ranges'])
})

test('takes one value as a partition key, and more keys than one query should name', async () => {
  const { server, container } = await openContainer({ paths: ['/id'], kind: PartitionKeyKind.Hash, version: 2 })
  await container.items.create({ id: 'b7' })
  const readItems = await openReadMany<{ id: string }>(container)
  server.clearLog()
  const found = await readItems(Array.from({ length: 2500 }, (_, index) => ({ id: `b${index}`, partitionKey: `b${index}` })))
  expect(found.flatMap((each, index) => (each.status === 'found' ? [[index, each.item.id]] : []))).toEqual([[7, 'b7']])
  expect(found).toHaveLength(2500)
  // Three physical partitions, three chunks.
  expect(server.log.filter(({ operation }) => operation === 'query')).toHaveLength(9)
})

test('understands hierarchical keys', async () => {
  const { container } = await openContainer({ paths: ['/zoo', '/wing'], kind: PartitionKeyKind.MultiHash, version: 2 })
  for (const id of ['b1', 'b2', 'b3', 'b4', 'b5']) await container.items.create({ id, zoo: 'z', wing: id })
  const readItems = await openReadMany(container, { typicalBytes: 100_000 })
  const found = await readItems(['b5', 'b1', 'b3', 'b2', 'b4'].map((id) => ({ id, partitionKey: ['z', id] })))
  expect(found.map((each) => each.status === 'found' && each.item.id)).toEqual(['b5', 'b1', 'b3', 'b2', 'b4'])
})

test('stops when its signal says so', async () => {
  const { container } = await openContainer({ paths: ['/id'], kind: PartitionKeyKind.Hash, version: 2 })
  const readItems = await openReadMany(container)
  expect(await readItems([{ id: 'b1', partitionKey: ['b1'] }], AbortSignal.abort())).toMatchObject([{ status: 'failed' }])
})

test.each([1, 20])('a key that no item can have fails alone, with its reason, among %i good ones', async (many) => {
  const { server, container } = await openContainer({ paths: ['/wing'], kind: PartitionKeyKind.Hash, version: 2 })
  const ids = Array.from({ length: many }, (_, index) => `b${index}`)
  for (const id of ids) await container.items.create({ id, wing: 'w' })
  const readItems = await openReadMany(container)
  const good = ids.map((id) => ({ id, partitionKey: 'w' }))
  const bad = [
    { id: '', partitionKey: 'w' },
    { id: 'a/b', partitionKey: 'w' },
    { id: 7 as unknown as string, partitionKey: 'w' },
    { id: 'b0', partitionKey: ['w', 'x'] },
    { id: 'b0', partitionKey: [] },
    { id: 'b0', partitionKey: Number.NaN },
    { id: 'b0', partitionKey: 7n as unknown as number },
    { id: 'b0', partitionKey: { wing: 'w' } as unknown as string },
  ]
  const found = await readItems([...bad, ...good])
  expect(found.map(({ status }) => status)).toEqual([...bad.map(() => 'failed'), ...good.map(() => 'found')])
  const reasons = found.flatMap((each) => (each.status === 'failed' ? [String(each.error)] : []))
  for (const [index, named] of ['""', '"a/b"', '7', '2 values', '0 values', 'NaN', '7', 'an object'].entries()) expect(reasons[index]).toContain(named)
  server.clearLog()
  expect(await readItems(bad)).toMatchObject(bad.map(() => ({ status: 'failed' })))
  expect(server.log).toEqual([])
})
