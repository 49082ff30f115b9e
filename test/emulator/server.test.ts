// Tests of what surrounds documents: the account, databases, containers, physical partitions, who may ask,
// and the log.

import { createHmac } from 'node:crypto'
import { CosmosClient, PartitionKeyKind } from '@azure/cosmos'
import { expect, onTestFinished, test } from 'vitest'
import { openAccount, openClient, refusal } from './open-account.ts'

test('the account names itself as the only location', async () => {
  const { client, server } = await openAccount()
  const { resource } = await client.getDatabaseAccount()
  expect(resource?.writableLocations.map((each) => each.databaseAccountEndpoint)).toEqual([`${server.endpoint}/`])
  expect(resource?.consistencyPolicy).toBe('Session')
})

test('databases are created once, listed, found by query and deleted', async () => {
  const { client } = await openAccount()
  await client.databases.create({ id: 'one' })
  await client.databases.createIfNotExists({ id: 'two' })
  expect((await client.databases.createIfNotExists({ id: 'two' })).statusCode).toBe(200)
  expect(await refusal(client.databases.create({ id: 'one' }))).toMatchObject({ code: 409 })
  expect((await client.databases.readAll().fetchAll()).resources.map(({ id }) => id)).toEqual(['one', 'two'])
  const query = { query: 'SELECT * FROM root WHERE root.id = @id', parameters: [{ name: '@id', value: 'two' }] }
  expect((await client.databases.query(query).fetchAll()).resources.map(({ id }) => id)).toEqual(['two'])
  await client.database('one').delete()
  expect(await refusal(client.database('one').read())).toMatchObject({ code: 404, body: { code: 'NotFound' } })
})

test('containers keep their definition and can be replaced, but for the partition key', async () => {
  const { client, container } = await openAccount()
  const books = await container({ defaultTtl: 60, indexingPolicy: { includedPaths: [{ path: '/a/?' }], excludedPaths: [{ path: '/*' }] } })
  const { resource } = await books.read()
  expect(resource).toMatchObject({ id: 'books', defaultTtl: 60, partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 }, indexingPolicy: { includedPaths: [{ path: '/a/?' }] } })
  const { defaultTtl: _, ...rest } = { ...resource, id: 'books' }
  expect((await books.replace(rest)).resource?.defaultTtl).toBeUndefined()
  expect(await refusal(books.replace({ ...rest, partitionKey: { paths: ['/other'] } }))).toMatchObject({ code: 400 })
  expect(await refusal(client.database('library').containers.create({ id: 'books' }))).toMatchObject({ code: 409 })
  expect((await client.database('library').containers.readAll().fetchAll()).resources.map(({ id }) => id)).toEqual(['books'])
  await books.delete()
  expect(await refusal(books.read())).toMatchObject({ code: 404 })
})

test('physical partitions divide the key space evenly, as many as asked for', async () => {
  const { server, container } = await openAccount({ partitions: (id) => (id === 'books' ? 3 : 1) })
  const books = await container()
  const ranges = (await books.readPartitionKeyRanges().fetchAll()).resources
  expect(ranges.map(({ minInclusive, maxExclusive }) => [minInclusive.slice(0, 4), maxExclusive.slice(0, 4)])).toEqual([['', '1555'], ['1555', '2AAA'], ['2AAA', 'FF']])
  for (let i = 0; i < 90; i++) await books.items.create({ id: `b${i}`, pk: i })
  for (const { documents } of server.partitions('library', 'books')) expect(documents).toBeGreaterThan(15)
})

test('the list of physical partitions is not sent again while it is unchanged', async () => {
  const { server, container } = await openAccount()
  await container()
  const path = 'dbs/library/colls/books'
  const get = async (headers: Record<string, string> = {}): Promise<Response> => {
    const date = new Date().toUTCString()
    const signature = createHmac('sha256', Buffer.from(server.key, 'base64')).update(`get\npkranges\n${path}\n${date.toLowerCase()}\n\n`).digest('base64')
    return fetch(`${server.endpoint}/${path}/pkranges`, { headers: { ...headers, 'x-ms-date': date, authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`) } })
  }
  const etag = (await get()).headers.get('etag') ?? ''
  expect((await get({ 'if-none-match': etag })).status).toBe(304)
  server.split('library', 'books', '2')
  const after = await get({ 'if-none-match': etag })
  expect(after.status).toBe(200)
  expect(((await after.json()) as { PartitionKeyRanges: { id: string; parents: string[] }[] }).PartitionKeyRanges.map(({ id, parents }) => [id, parents])).toEqual([
    ['0', []], ['1', []], ['4', ['2']], ['5', ['2']], ['3', []],
  ])
})

test('quoted and hierarchical partition key paths are honoured', async () => {
  const { container } = await openAccount()
  const quoted = await container({ id: 'quoted', partitionKey: { paths: ['/"pub-id"/"x"'] } })
  await quoted.items.create({ id: '1', 'pub-id': { x: 'p' } })
  expect((await quoted.item('1', 'p').read()).statusCode).toBe(200)
  const tenants = await container({ id: 'tenants', partitionKey: { paths: ['/tenant', '/user'], kind: PartitionKeyKind.MultiHash, version: 2 } })
  for (let i = 0; i < 12; i++) await tenants.items.create({ id: `${i}`, tenant: `t${i % 2}`, user: `u${i % 3}` })
  expect((await tenants.item('1', ['t1', 'u1']).read()).statusCode).toBe(200)
  const count = async (partitionKey: string[]): Promise<number> => (await tenants.items.query('SELECT * FROM c', { partitionKey }).fetchAll()).resources.length
  expect(await count(['t1'])).toBe(6)
  expect(await count(['t1', 'u1'])).toBe(2)
})

test('offers keep the throughput that was asked for', async () => {
  const { container } = await openAccount()
  const books = await container({ throughput: 400 })
  const { resource, offer } = await books.readOffer()
  expect(resource?.content?.offerThroughput).toBe(400)
  const changed = await offer?.replace({ ...resource, id: resource?.id ?? '', content: { ...resource?.content, offerThroughput: 800 } } as never)
  expect(changed?.resource?.content?.offerThroughput).toBe(800)
})

test('a wrong key, an old date and a missing signature are refused with 401', async () => {
  const { server } = await openAccount()
  const stranger = openClient(server, { key: Buffer.from('another key').toString('base64') })
  expect(await refusal(stranger.databases.readAll().fetchAll())).toMatchObject({ code: 401 })
  stranger.dispose()
  expect((await fetch(`${server.endpoint}/dbs`)).status).toBe(401)
  const date = new Date(Date.now() - 20 * 60 * 1000).toUTCString()
  const signature = createHmac('sha256', Buffer.from(server.key, 'base64')).update(`get\ndbs\n\n${date.toLowerCase()}\n\n`).digest('base64')
  const old = await fetch(`${server.endpoint}/dbs`, { headers: { 'x-ms-date': date, authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`) } })
  expect(old.status).toBe(401)
})

test('a bearer token is accepted if the server knows it', async () => {
  const { server } = await openAccount({ tokens: ['known'] })
  const list = async (token: string): Promise<unknown> => {
    const client = new CosmosClient({ endpoint: server.endpoint, tokenProvider: async () => `type=aad&ver=1.0&sig=${token}`, connectionPolicy: { enableEndpointDiscovery: false } })
    onTestFinished(() => { client.dispose() })
    return client.databases.readAll().fetchAll()
  }
  await list('known')
  expect(await refusal(list('unknown'))).toMatchObject({ code: 401 })
})

test('the log tells each request with its operation, partition, charge and effect', async () => {
  const { server, container } = await openAccount()
  const books = await container()
  await books.items.create({ id: 'b1', pk: 'a' })
  server.clearLog()
  await books.items.upsert({ id: 'b1', pk: 'a', title: 'x' })
  await books.item('b1', 'a').read()
  await books.item('b2', 'a').read()
  await books.items.query('SELECT * FROM c WHERE c.id IN ("b1", "b2")', { partitionKey: 'a' }).fetchAll()
  const range = server.partitions('library', 'books').find(({ documents }) => documents === 1)?.id
  const byName = server.log.toSorted((one, other) => one.operation.localeCompare(other.operation) || one.status - other.status)
  expect(byName).toEqual([
    { method: 'POST', path: '/dbs/library/colls/books/docs', operation: 'plan', container: 'books', rangeId: undefined, status: 200, charge: 0, documents: 0, applied: false },
    { method: 'POST', path: '/dbs/library/colls/books/docs', operation: 'query', container: 'books', rangeId: range, keys: 2, scanned: false, status: 200, charge: 2.9, documents: 1, applied: false },
    { method: 'GET', path: '/dbs/library/colls/books/docs/b1', operation: 'read', container: 'books', rangeId: range, keys: 1, status: 200, charge: 1, documents: 1, applied: false },
    { method: 'GET', path: '/dbs/library/colls/books/docs/b2', operation: 'read', container: 'books', rangeId: range, subStatus: 0, status: 404, charge: 1, documents: 0, applied: false },
    { method: 'POST', path: '/dbs/library/colls/books/docs', operation: 'upsert', container: 'books', rangeId: range, keys: 1, status: 200, charge: 10.1, documents: 1, applied: true },
  ].map(({ rangeId, ...rest }) => (rangeId === undefined ? rest : { ...rest, rangeId })))
})
