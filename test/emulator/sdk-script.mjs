// The calls that the README of @azure/cosmos and Microsoft's pages about items, queries, batches and the change feed show, as a program
// would make them. It knows nothing of Quire: `test/emulator/documented-calls.test.ts` runs it here, and a test of the packed package in an
// empty project.

import assert from 'node:assert/strict'
import { BulkOperationType, ChangeFeedStartFrom, CosmosClient, PatchOperationType } from '@azure/cosmos'

export async function runDocumentedCalls({ endpoint, key, httpClient }) {
  const client = new CosmosClient({ endpoint, key, ...(httpClient ? { httpClient } : {}) })
  const { database } = await client.databases.createIfNotExists({ id: 'geography' })
  const { container } = await database.containers.createIfNotExists({ id: 'cities', partitionKey: { paths: ['/country'] } })
  const done = []
  const check = async (name, run) => {
    await run()
    done.push(name)
  }

  const cities = [
    { id: '1', name: 'Olympia', country: 'usa', isCapitol: true, people: 55 },
    { id: '2', name: 'Redmond', country: 'usa', isCapitol: false, people: 74, tags: ['software', 'river'] },
    { id: '3', name: 'Chicago', country: 'usa', isCapitol: false, people: 2700 },
    { id: '4', name: 'Bern', country: 'ch', isCapitol: true, people: 134, geo: { lake: false } },
  ]
  await check('items.create', async () => {
    for (const city of cities) assert.equal((await container.items.create(city)).statusCode, 201)
    await assert.rejects(container.items.create(cities[0]), { code: 409 })
  })
  await check('item.read', async () => {
    const { resource, requestCharge } = await container.item('1', 'usa').read()
    assert.equal(resource.name, 'Olympia')
    assert.ok(requestCharge > 0)
    assert.equal((await container.item('9', 'usa').read()).statusCode, 404)
  })
  await check('item.replace with an etag', async () => {
    const { resource } = await container.item('3', 'usa').read()
    await container.item('3', 'usa').replace({ ...resource, people: 2701 }, { accessCondition: { type: 'IfMatch', condition: resource._etag } })
    await assert.rejects(container.item('3', 'usa').replace(resource, { accessCondition: { type: 'IfMatch', condition: resource._etag } }), { code: 412 })
  })
  await check('items.upsert', async () => {
    assert.equal((await container.items.upsert({ id: '5', name: 'Basel', country: 'ch', people: 1 })).statusCode, 201)
    assert.equal((await container.items.upsert({ id: '5', name: 'Basel', country: 'ch', people: 177 })).statusCode, 200)
  })
  await check('item.patch', async () => {
    const { resource } = await container.item('5', 'ch').patch([
      { op: 'add', path: '/aka', value: 'Bâle' }, { op: 'incr', path: '/people', value: 1 }, { op: 'set', path: '/tags', value: ['rhine'] },
      { op: 'add', path: '/tags/0', value: 'culture' }, { op: 'replace', path: '/name', value: 'Basle' }, { op: 'remove', path: '/aka' },
    ])
    assert.deepEqual({ name: resource.name, people: resource.people, tags: resource.tags, aka: resource.aka }, { name: 'Basle', people: 178, tags: ['culture', 'rhine'], aka: undefined })
    await assert.rejects(container.item('5', 'ch').patch({ condition: 'from c where c.people > 1000', operations: [{ op: 'remove', path: '/tags' }] }), { code: 412 })
    await assert.rejects(container.item('5', 'ch').patch([{ op: 'replace', path: '/none', value: 1 }]), { code: 400 })
  })

  const rows = async (query, options) => (await container.items.query(query, options).fetchAll()).resources
  const names = async (query, options) => (await rows(query, options)).map(({ name }) => name).toSorted(byText)
  await check('items.query', async () => {
    assert.deepEqual(await names('SELECT * from c WHERE c.isCapitol = true'), ['Bern', 'Olympia'])
    assert.deepEqual(await names({ query: 'SELECT * from c WHERE c.isCapitol = @isCapitol', parameters: [{ name: '@isCapitol', value: true }] }, { partitionKey: 'usa' }), ['Olympia'])
    assert.deepEqual(await names("SELECT * FROM c WHERE c.people BETWEEN 60 AND 180 AND c.name NOT IN ('Bern')"), ['Basle', 'Redmond'])
    assert.deepEqual(await names("SELECT * FROM c WHERE ARRAY_CONTAINS(c.tags, 'river') OR STARTSWITH(c.name, 'Che')"), ['Redmond'])
  })
  await check('projections', async () => {
    assert.deepEqual(await rows('SELECT c.name, c.geo.lake AS lake, {"n": c.people} AS facts FROM c WHERE c.id = "4"'), [{ name: 'Bern', lake: false, facts: { n: 134 } }])
    assert.deepEqual(await rows('SELECT VALUE c.name FROM c WHERE c.country = "ch" ORDER BY c.name DESC'), ['Bern', 'Basle'])
    assert.deepEqual(await rows('SELECT VALUE c.tags FROM c WHERE c.country = "usa"'), [['software', 'river']])
    assert.deepEqual((await rows('SELECT DISTINCT VALUE c.country FROM c')).toSorted(byText), ['ch', 'usa'])
    assert.deepEqual(await rows('SELECT DISTINCT c.country FROM c', { partitionKey: 'usa' }), [{ country: 'usa' }])
  })
  await check('ORDER BY, TOP, OFFSET and LIMIT over all partitions', async () => {
    assert.deepEqual((await rows('SELECT * FROM c ORDER BY c.people')).map(({ id }) => id), ['1', '2', '4', '5', '3'])
    assert.deepEqual((await rows('SELECT TOP 2 * FROM c ORDER BY c.people DESC')).map(({ id }) => id), ['3', '5'])
    assert.deepEqual(await rows('SELECT VALUE c.id FROM c ORDER BY c.people OFFSET 1 LIMIT 2'), ['2', '4'])
    assert.deepEqual(await rows('SELECT VALUE c.id FROM c WHERE c.people > 0 OFFSET 1 LIMIT 2', { partitionKey: 'usa' }), ['2', '3'])
    assert.equal((await rows('SELECT VALUE c.id FROM c OFFSET 3 LIMIT 10')).length, 2)
  })
  await check('COUNT and GROUP BY', async () => {
    assert.deepEqual(await rows('SELECT VALUE COUNT(1) FROM c'), [5])
    assert.deepEqual((await rows('SELECT c.country AS country, COUNT(1) AS many FROM c GROUP BY c.country')).toSorted((a, b) => a.many - b.many), [{ country: 'ch', many: 2 }, { country: 'usa', many: 3 }])
  })
  await check('pages with continuation tokens', async () => {
    const found = []
    const iterator = container.items.query('SELECT * FROM c', { partitionKey: 'usa', maxItemCount: 2 })
    const { resources, continuationToken } = await iterator.fetchNext()
    found.push(...resources)
    found.push(...(await container.items.query('SELECT * FROM c', { partitionKey: 'usa', maxItemCount: 2, continuationToken }).fetchAll()).resources)
    assert.deepEqual(found.map(({ id }) => id), ['1', '2', '3'])
  })
  await check('items.readAll', async () => assert.equal((await container.items.readAll().fetchAll()).resources.length, 5))

  await check('items.batch', async () => {
    const { result, code } = await container.items.batch([
      { operationType: BulkOperationType.Create, resourceBody: { id: '6', name: 'Zug', country: 'ch', people: 30 } },
      { operationType: BulkOperationType.Patch, id: '6', resourceBody: { operations: [{ op: PatchOperationType.incr, path: '/people', value: 1 }] } },
      { operationType: BulkOperationType.Read, id: '6' },
    ], 'ch')
    assert.equal(code, 200)
    assert.deepEqual([result.map(({ statusCode }) => statusCode), result[2].resourceBody.people], [[201, 200, 200], 31])
    const failed = await container.items.batch([
      { operationType: BulkOperationType.Delete, id: '6' },
      { operationType: BulkOperationType.Create, resourceBody: { id: '4', country: 'ch' } },
    ], 'ch')
    assert.deepEqual(failed.result.map(({ statusCode }) => statusCode), [424, 409])
    assert.equal((await container.item('6', 'ch').read()).statusCode, 200)
  })
  await check('items.executeBulkOperations', async () => {
    const results = await container.items.executeBulkOperations([
      { operationType: BulkOperationType.Create, partitionKey: 'fr', resourceBody: { id: '7', name: 'Lyon', country: 'fr' } },
      { operationType: BulkOperationType.Read, partitionKey: 'usa', id: '1' },
      { operationType: BulkOperationType.Delete, partitionKey: 'ch', id: '6' },
    ])
    assert.deepEqual(results.map(({ response }) => response?.statusCode), [201, 200, 204])
  })
  await check('items.getChangeFeedIterator', async () => {
    const read = async (changeFeedStartFrom) => {
      const iterator = container.items.getChangeFeedIterator({ maxItemCount: 2, changeFeedStartFrom })
      const ids = []
      for await (const page of iterator.getAsyncIterator()) {
        if (page.statusCode === 304) return { ids, token: page.continuationToken }
        ids.push(...page.result.map(({ id }) => id))
      }
    }
    const { ids, token } = await read(ChangeFeedStartFrom.Beginning())
    assert.deepEqual(ids.toSorted(byText), ['1', '2', '3', '4', '5', '7'])
    await container.items.upsert({ id: '7', name: 'Lyon', country: 'fr', people: 520 })
    assert.deepEqual((await read(ChangeFeedStartFrom.Continuation(token))).ids, ['7'])
    assert.deepEqual((await read(ChangeFeedStartFrom.Beginning('usa'))).ids, ['1', '2', '3'])
  })
  await check('hierarchical partition keys', async () => {
    const { container: orders } = await database.containers.create({ id: 'orders', partitionKey: { paths: ['/customer', '/year'], kind: 'MultiHash', version: 2 } })
    await orders.items.create({ id: 'o1', customer: 'ann', year: 2026 })
    await orders.items.create({ id: 'o2', customer: 'ann', year: 2025 })
    assert.equal((await orders.item('o2', ['ann', 2025]).read()).resource.id, 'o2')
    assert.equal((await orders.items.query('SELECT * FROM c', { partitionKey: ['ann'] }).fetchAll()).resources.length, 2)
  })
  await check('item.delete and container.delete', async () => {
    assert.equal((await container.item('1', 'usa').delete()).statusCode, 204)
    await container.delete()
    await assert.rejects(container.read(), { code: 404 })
  })
  client.dispose()
  return done
}

function byText(one, other) {
  return one < other ? -1 : 1
}

if (process.argv[1] === import.meta.filename) {
  const done = await runDocumentedCalls({ endpoint: process.env.COSMOS_ENDPOINT, key: process.env.COSMOS_KEY })
  console.log(`${done.length} kinds of calls work`)
}
