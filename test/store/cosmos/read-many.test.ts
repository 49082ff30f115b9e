// Reading many documents by key: where the requests go, how many there are, what they cost, and the results
// when partitions fail or split. The assertions use the server's log.

import { createDefaultHttpClient } from '@azure/core-rest-pipeline'
import { CosmosClient, type Container, type PartitionKeyDefinition } from '@azure/cosmos'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hashPartitionKey } from '../../../node_modules/@azure/cosmos/dist/esm/utils/hashing/hash.js'
import type { Key, Partition } from '../../../src/model/keys/key.ts'
import { ServiceClock } from '../../../src/store/cosmos/request/service-clock.ts'
import { openCosmosStore, type CosmosSetting } from '../../../src/store/cosmos/cosmos-store.ts'
import { maxReplacements, PhysicalPartitions } from '../../../src/store/cosmos/read-many/physical-partitions.ts'
import { sdkItems, type ItemKey } from '../../../src/store/cosmos/read-many/items.ts'
import { readMany, type Found, type ReadManyOptions } from '../../../src/store/cosmos/read-many/read-many.ts'
import { CallScope } from '../../../src/store/cosmos/request/call-scope.ts'
import { createTransport } from '../../../src/store/cosmos/request/transport.ts'
import type { Body } from '../../../src/model/json/json.ts'
import { StoreUnavailableError } from '../../../src/store/store-errors.ts'
import type { ContainerLayout, Receipt, Store } from '../../../src/store/store.ts'
import { openAccount } from '../../emulator/open-account.ts'
import { startCosmosEmulator, type CosmosEmulator, type LoggedRequest } from '../../../src/emulator/cosmos-emulator.ts'

const books: ContainerLayout = { name: 'books', partitionKey: [['pk']], indexes: [] }

interface Opened {
  readonly server: CosmosEmulator
  readonly store: Store
}

async function openShelf(partitions: number, layout: ContainerLayout = books, limits: CosmosSetting['limits'] = {}): Promise<Opened> {
  const server = await startCosmosEmulator({ partitions })
  const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'library', create: true, limits }, [layout])
  onTestFinished(async () => {
    await store.close()
    await server.close()
  })
  return { server, store }
}

async function fill(store: Store, keys: readonly Key[], extra: Body = {}): Promise<void> {
  await Promise.all(keys.map((key) => store.write([{ kind: 'put', container: 'books', key, body: { id: key.id, pk: key.partition[0]!, ...extra } }])))
}

/** The physical partition of a key, by the SDK's own hash. */
function physicalIdOf(server: CosmosEmulator, partition: Partition, definition = { paths: ['/pk'], kind: 'Hash', version: 2 } as PartitionKeyDefinition): string {
  const hash = hashPartitionKey([...partition], definition)
  return server.partitions('library', 'books').find(({ minInclusive, maxExclusive }) => minInclusive <= hash && hash < maxExclusive)!.id
}

/** Keys with a logical partition each, all in one physical partition. */
function keysIn(server: CosmosEmulator, place: string, many: number): Key[] {
  const keys: Key[] = []
  for (let at = 0; keys.length < many; at++) if (physicalIdOf(server, [`p${at}`]) === place) keys.push({ partition: [`p${at}`], id: `b${at}` })
  return keys
}

/** Up to three small documents are read one by one, more by one query. */
function requestsFor(server: CosmosEmulator, keys: readonly Key[]): string[] {
  const groups = Map.groupBy(keys, ({ partition }) => physicalIdOf(server, partition))
  return [...groups].flatMap(([place, group]) => (group.length <= 3 ? group.map(() => `read ${place}`) : [`query ${place}`])).toSorted()
}

function requestsIn(log: readonly LoggedRequest[]): string[] {
  return log.map(({ operation, rangeId, status }) => `${operation}${rangeId === undefined ? '' : ` ${rangeId}`}${status === 410 ? ' gone' : ''}`).toSorted()
}

/** The receipts equal the server's log: one for each request, with its charge and documents. */
function expectReported(receipts: readonly Receipt[], log: readonly LoggedRequest[]): void {
  const told = receipts.map(({ requestCharge, documents }) => `${requestCharge} RU, ${documents} documents`)
  expect(told.toSorted()).toEqual(log.map(({ charge, documents }) => `${charge} RU, ${documents} documents`).toSorted())
  expect(sum(receipts.map(({ requestCharge }) => requestCharge))).toBeCloseTo(sum(log.map(({ charge }) => charge)), 8)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

describe('a hundred keys in sixteen physical partitions', () => {
  /** Some share a logical partition, every seventh is missing, and they are in no order. */
  const keys = Array.from({ length: 100 }, (_, at): Key => ({ partition: [`p${(at * 37) % 70}`], id: `b${at}` }))
  const present = keys.filter((_, at) => at % 7 !== 0)

  test('are read in one wave, with one request for each partition that holds more than a few', async () => {
    const { server, store } = await openShelf(16)
    await fill(store, present)
    server.clearLog()
    const receipts: Receipt[] = []
    await store.readMany('books', keys, (receipt) => receipts.push(receipt))
    expect(requestsIn(server.log)).toEqual(requestsFor(server, keys))
    expect(server.log.length).toBeLessThan(30)
    expect(new Set(receipts.map(({ wave }) => wave))).toEqual(new Set([0]))
  })

  test('are returned in their order, with missing ones marked', async () => {
    const { store } = await openShelf(16)
    await fill(store, present)
    const found = await store.readMany('books', keys)
    expect(found.map((document) => document?.key)).toEqual(keys.map((key, at) => (at % 7 === 0 ? undefined : key)))
  })

  test('are metered request by request, as the service has charged them', async () => {
    const { server, store } = await openShelf(16)
    await fill(store, present, { text: 'x'.repeat(3000) })
    server.clearLog()
    const receipts: Receipt[] = []
    await store.readMany('books', keys, (receipt) => receipts.push(receipt))
    expectReported(receipts, server.log)
    expect(receipts.every(({ operation, container }) => operation === 'read' && container === 'books')).toBe(true)
    expect(sum(receipts.map((receipt) => receipt.keys))).toBe(keys.length)
    expect(sum(receipts.map(({ documents }) => documents))).toBe(present.length)
  })

  test('are metered request by request when some are throttled, each retry one wave later', async () => {
    const { server, store } = await openShelf(16)
    await fill(store, present)
    server.clearLog()
    const refused = new Set<string>()
    server.faults.throttle = 1
    // The first request to each partition.
    server.faults.only = ({ rangeId = '' }) => !refused.has(rangeId) && refused.add(rangeId) !== undefined
    const receipts: Receipt[] = []
    expect((await store.readMany('books', keys, (receipt) => receipts.push(receipt))).filter((document) => document)).toHaveLength(present.length)
    expect(server.log.filter(({ status }) => status === 429)).toHaveLength(refused.size)
    expectReported(receipts, server.log)
    expect(receipts.filter(({ wave }) => wave === 1)).toHaveLength(refused.size)
    expect(sum(receipts.map((receipt) => receipt.keys))).toBe(keys.length)
  })
})

describe('the keys of one physical partition are read by the cheaper of reads and a query', () => {
  test.each([1, 2, 3, 4, 5, 8])('%i small documents', async (many) => {
    const { server, store } = await openShelf(4)
    const keys = keysIn(server, '2', many)
    await fill(store, keys)
    server.clearLog()
    await store.readMany('books', keys)
    expect(requestsIn(server.log)).toEqual(many <= 3 ? keys.map(() => 'read 2') : ['query 2'])
  })

  test.each([
    ['a hundred bytes', 100], ['sixteen kilobytes', 16 * 1024], ['a hundred kilobytes', 100 * 1024],
  ])('with documents of %s read before, the alternative would not have cost less', async (_, bytes) => {
    const { server, store } = await openShelf(4)
    const keys = keysIn(server, '1', 6)
    await fill(store, keys, { text: 'x'.repeat(bytes) })
    await store.readMany('books', keys)
    const { container, partitions } = await openClientOf(server)
    await partitions.all()
    for (let many = 1; many <= keys.length; many++) {
      const some = keys.slice(0, many)
      const chargeOf = async (ask: () => Promise<unknown>): Promise<{ charge: number; requests: string[] }> => {
        server.clearLog()
        await ask()
        const log = server.log.filter(({ operation }) => operation !== 'plan')
        return { charge: sum(log.map(({ charge }) => charge)), requests: requestsIn(log) }
      }
      const chosen = await chargeOf(async () => store.readMany('books', some))
      const options = { items: sdkItems(container), partitions, partitionKeyPaths: [['pk']] }
      const read = await chargeOf(() => readMany(some.map(itemKey), { ...options, price: { read: 0, query: () => 1 } }))
      const queried = await chargeOf(() => readMany(some.map(itemKey), { ...options, price: { read: 1, query: () => 0 } }))
      expect(read.requests).toEqual(some.map(() => 'read 1'))
      if (many > 1) expect(queried.requests).toEqual(['query 1'])
      expect(chosen.charge).toBeCloseTo(Math.min(read.charge, queried.charge), 8)
      expect(chosen.requests).toEqual(many > (bytes < 1024 ? 3 : 1) ? queried.requests : read.requests)
    }
  })
})

describe('keys of every kind are found, one by one and together', () => {
  const unusual = [
    'a b', ' lead', 'trail ', 'ü', '日本', '👩‍👩‍👧', '%', '%41', '%2F', '+', '&=', '"', "'", '`', '<>', 'a:b;c,d', '[x]', '{y}', '@', '$', '*', '~', '|', '^', 'a.b', '...',
    '\u0001', 'a\nb', '\u007F', '\u00E9', 'e\u0301', 'a', 'A', '--', ') OR true', 'x'.repeat(255),
  ]
  const containers: readonly { readonly kind: string; readonly paths: readonly (readonly string[])[]; readonly documents: readonly Body[]; readonly missing: Body }[] = [
    {
      kind: 'hierarchical',
      paths: [['tenant'], ['user'], ['session']],
      documents: ['t1', 't2'].flatMap((tenant) => ['u1', 2, null].flatMap((user) => [true, 's'].flatMap((session) => ['d1', 'd2'].map((id) => ({ id, tenant, user, session }))))),
      missing: { id: 'd1', tenant: 't1', user: 'u1', session: false },
    },
    {
      kind: 'synthetic',
      paths: [['pk']],
      documents: ['2030-01|north', '2030-01|south', '2030-02|north'].flatMap((pk) => ['d1', 'd2', 'd3'].map((id) => ({ id, pk }))),
      missing: { id: 'd3', pk: '2030-02|south' },
    },
    { kind: 'of the id alone', paths: [['id']], documents: Array.from({ length: 9 }, (_, at) => ({ id: `d${at}` })), missing: { id: 'd9' } },
    {
      kind: 'with quotes in the path',
      paths: [[`it's "quoted"`]],
      documents: ['a', '"', "'", '\\'].flatMap((pk) => ['d1', 'd2'].map((id) => ({ id, [`it's "quoted"`]: pk }))),
      missing: { id: 'd1', [`it's "quoted"`]: '\\"' },
    },
    {
      kind: 'further down in the document',
      paths: [['where', 'shelf-no', 'back\\slash']],
      documents: ['a', 'b', 'c'].flatMap((pk) => ['d1', 'd2'].map((id) => ({ id, where: { 'shelf-no': { 'back\\slash': pk } } }))),
      missing: { id: 'd3', where: { 'shelf-no': { 'back\\slash': 'a' } } },
    },
    {
      kind: 'of values of every type',
      paths: [['pk']],
      documents: [null, 0, 1, -1.5, 1e21, true, false, '', '0', 'null', 'true', ...unusual].map((pk) => ({ id: 'same', pk })),
      missing: { id: 'same', pk: 2 },
    },
    { kind: 'with unusual ids', paths: [['pk']], documents: unusual.map((id) => ({ id, pk: 'p' })), missing: { id: 'B', pk: 'p' } },
  ]

  for (const { kind, paths, documents, missing } of containers) {
    test.each([1, 16])(`${kind}, in %i physical partitions`, async (partitions) => {
      const { server, store } = await openShelf(partitions, { ...books, partitionKey: paths })
      const keyOf = (body: Body): Key => ({ partition: paths.map((path) => path.reduce<unknown>((value, name) => (value as Body)[name], body)) as Partition, id: body['id'] as string })
      await Promise.all(documents.map((body) => store.write([{ kind: 'put', container: 'books', key: keyOf(body), body }])))
      const all = [...documents.slice(0, 5), missing, ...documents.slice(5)]
      const together = await store.readMany('books', all.map(keyOf))
      expect(together.map((document) => document?.body)).toEqual(all.map((body) => (body === missing ? undefined : body)))
      expect(together.map((document) => document?.key)).toEqual(all.map((body) => (body === missing ? undefined : keyOf(body))))
      const alone = await Promise.all(all.map(async (body) => (await store.readMany('books', [keyOf(body)]))[0]))
      expect(alone).toEqual(together)
      // Nothing else is read, however similar its key.
      const some = documents.filter((_document, at) => at % 3 === 0)
      server.clearLog()
      expect((await store.readMany('books', some.map(keyOf))).map((document) => document?.body)).toEqual(some)
      expect(sum(server.log.map((request) => request.documents))).toBe(some.length)
    })
  }

  test.each(['a/b', 'a#b', '.', '..', '   ', '\ud800'])('an id that Cosmos DB does not allow (%j) is missing, alone and among others', async (id) => {
    const { store } = await openShelf(1)
    const others = Array.from({ length: 6 }, (_, at): Key => ({ partition: ['p'], id: `b${at}` }))
    await fill(store, others)
    expect(await store.readMany('books', [{ partition: ['p'], id }])).toEqual([undefined])
    expect((await store.readMany('books', [{ partition: ['p'], id }, ...others])).map((document) => document?.key.id)).toEqual([undefined, ...others.map((key) => key.id)])
  })

  test('keys with version 1 of the hash are read by logical partition', async () => {
    const { server, container: create } = await openAccount()
    const container = await create({ partitionKey: { paths: ['/pk'], kind: 'Hash', version: 1 } as PartitionKeyDefinition })
    const keys = ['a', 'b', 'c'].flatMap((pk) => Array.from({ length: pk === 'c' ? 2 : 5 }, (_, at): ItemKey => ({ id: `${at}`, partitionKey: [pk] })))
    for (const { id, partitionKey: [pk] } of keys.slice(1)) await container.items.create({ id, pk })
    const partitions = new PhysicalPartitions(container, { paths: ['/pk'], kind: 'Hash', version: 1 } as PartitionKeyDefinition)
    await partitions.all()
    server.clearLog()
    const found = await readMany(keys, { items: sdkItems(container), partitions, partitionKeyPaths: [['pk']], price })
    expect(found.map(itemIn)).toEqual([undefined, ...keys.slice(1).map(({ id, partitionKey: [pk] }) => ({ id, pk }))])
    expect(server.log.filter(({ operation }) => operation !== 'plan').map(({ operation }) => operation).toSorted()).toEqual(['query', 'query', 'read', 'read'])
  })
})

describe('a key that is given more than once', () => {
  test.each([['read', 2], ['queried', 6]])('is %s once and returned each time', async (_, many) => {
    const { server, store } = await openShelf(4)
    const keys = keysIn(server, '3', many)
    const [first, ...others] = keys
    await fill(store, keys.slice(0, -1))
    server.clearLog()
    const receipts: Receipt[] = []
    const asked = [first!, ...others, first!, ...others.toReversed(), { ...first! }]
    const found = await store.readMany('books', asked, (receipt) => receipts.push(receipt))
    expect(found.map((document) => document?.key)).toEqual(asked.map((key) => (key === keys.at(-1) ? undefined : key)))
    expect(requestsIn(server.log)).toEqual(requestsFor(server, keys))
    expectReported(receipts, server.log)
    expect(sum(server.log.map(({ documents }) => documents))).toBe(many - 1)
  })

  test('no keys make no request', async () => {
    const { server, store } = await openShelf(4)
    server.clearLog()
    expect(await store.readMany('books', [])).toEqual([])
    expect(server.log).toEqual([])
  })
})

describe('a physical partition that does not answer', () => {
  test('fails its own keys, and the others are found or missing', async () => {
    const server = await openFilled(4, (all) => all.slice(3))
    const keys = ['0', '1', '2', '3'].flatMap((place) => keysIn(server, place, 5)).toSorted((one, other) => (one.id < other.id ? -1 : 1))
    const { container, partitions } = await openClientOf(server, true)
    await partitions.all()
    Object.assign(server.faults, { unavailable: 1, only: (request: { rangeId?: string }) => request.rangeId === '1' })
    const scope = new CallScope({ operation: 'read', container: 'books', keys: keys.length }, undefined, { deadlineMs: 1000, requests: 1000 })
    const found = await readMany(keys.map(itemKey), {
      items: sdkItems(container), partitions, partitionKeyPaths: [['pk']], price,
      abortSignal: scope.signal,
      around: (many, wave, send) => scope.fork(many, wave).run(send),
    })
    const missing = new Set(['0', '1', '2', '3'].flatMap((place) => keysIn(server, place, 3)).map(({ id }) => id))
    expect(found.map(({ status }) => status)).toEqual(keys.map(({ partition, id }) => (physicalIdOf(server, partition) === '1' ? 'failed' : missing.has(id) ? 'missing' : 'found')))
    for (const one of found) if (one.status === 'failed') expect(one.error).toEqual(new StoreUnavailableError('Cosmos DB did not answer in 1000 ms.'))
    expect(found.map((one) => itemIn(one)?.['id'])).toEqual(keys.map(({ id }, at) => (found[at]!.status === 'found' ? id : undefined)))
  })

  test('fails at once without retries', async () => {
    const server = await openFilled(4)
    const keys = [...keysIn(server, '0', 5), ...keysIn(server, '1', 5)]
    const { container, partitions } = await openClientOf(server)
    Object.assign(server.faults, { unavailable: 1, only: (request: { rangeId?: string }) => request.rangeId === '1' })
    const found = await readMany(keys.map(itemKey), { items: sdkItems(container), partitions, partitionKeyPaths: [['pk']], price })
    expect(found.map((one) => (one.status === 'failed' ? (one.error as { code: number }).code : one.status))).toEqual([...keys.slice(0, 5).map(() => 'found'), ...keys.slice(5).map(() => 503)])
  })

  test('fails the store call, which returns all documents or none', async () => {
    const { server, store } = await openShelf(4, books, { deadlineMs: 1000 })
    const keys = ['0', '1', '2', '3'].flatMap((place) => keysIn(server, place, 5))
    await fill(store, keys)
    Object.assign(server.faults, { unavailable: 1, only: (request: { rangeId?: string }) => request.rangeId === '1' })
    await expect(store.readMany('books', keys)).rejects.toThrow(StoreUnavailableError)
    server.faults.unavailable = 0
    expect(await store.readMany('books', keys)).toHaveLength(20)
  })
})

describe('a physical partition that splits', () => {
  test('before a call costs one failed request, and its replacements are asked', async () => {
    const { server, store, keys } = await openSplitting()
    server.split('library', 'books', '0')
    const receipts: Receipt[] = []
    expect((await store.readMany('books', keys, (receipt) => receipts.push(receipt))).map((document) => document?.key)).toEqual(allButTheFirst(keys))
    expect(requestsIn(server.log)).toEqual(['query 0 gone', 'ranges', ...requestsFor(server, keys)].toSorted())
    expectReported(receipts, server.log)
    expect(sum(receipts.map((receipt) => receipt.keys))).toBe(keys.length)
    // Wave 1 reads the physical partitions, wave 2 asks the replacements.
    expect(new Set(receipts.map(({ wave }) => wave))).toEqual(new Set([0, 1, 2]))
    server.clearLog()
    await store.readMany('books', keys)
    expect(requestsIn(server.log)).toEqual(requestsFor(server, keys))
  })

  test('while it is asked, and again while its halves are asked', async () => {
    const { server, store, keys } = await openSplitting()
    let splits = 0
    server.faults.only = ({ operation, rangeId = '' }) => {
      if (operation === 'query' && rangeId !== '1' && splits < 3) {
        splits++
        server.split('library', 'books', rangeId)
      }
      return false
    }
    expect((await store.readMany('books', keys)).map((document) => document?.key)).toEqual(allButTheFirst(keys))
    expect(splits).toBe(3)
    const gone = server.log.filter(({ status }) => status === 410)
    expect(gone).toHaveLength(3)
    expect(server.log.filter(({ operation }) => operation === 'ranges').length).toBeLessThanOrEqual(3)
    expect(requestsIn(server.log.filter(({ operation, status }) => status !== 410 && operation !== 'ranges'))).toEqual(requestsFor(server, keys))
  })

  test('between two pages of its documents is queried again from the beginning', async () => {
    const { server, store } = await openShelf(1)
    const keys = Array.from({ length: 6 }, (_, at): Key => ({ partition: ['same'], id: `b${at}` }))
    await fill(store, keys, { text: 'x'.repeat(1_300_000) })
    server.clearLog()
    const receipts: Receipt[] = []
    expect((await store.readMany('books', keys, (receipt) => receipts.push(receipt))).map((document) => document?.key)).toEqual(keys)
    expect(requestsIn(server.log)).toEqual(['query 0', 'query 0'])
    expect(receipts.map(({ wave }) => wave)).toEqual([0, 1])
    expectReported(receipts, server.log)
    server.clearLog()
    server.faults.only = () => {
      if (server.log.length === 1) server.split('library', 'books', '0')
      return false
    }
    expect((await store.readMany('books', keys)).map((document) => document?.key)).toEqual(keys)
    const place = physicalIdOf(server, ['same'])
    expect(requestsIn(server.log)).toEqual(['query 0', 'query 0 gone', `query ${place}`, `query ${place}`, 'ranges'])
  })

  test('again and again is given up after a bounded number of requests', async () => {
    const { server, store } = await openShelf(1)
    // All in one logical partition, so that no split separates them.
    const keys = Array.from({ length: 5 }, (_, at): Key => ({ partition: ['same'], id: `b${at}` }))
    await fill(store, keys)
    server.clearLog()
    server.faults.only = ({ rangeId = '' }) => {
      server.split('library', 'books', rangeId)
      return false
    }
    await expect(store.readMany('books', keys)).rejects.toThrow(StoreUnavailableError)
    expect(server.log.length).toBeLessThanOrEqual(2 * (maxReplacements + 1))
    server.faults.only = undefined
    expect((await store.readMany('books', keys)).map((document) => document?.key)).toEqual(keys)
  })

  test('does not affect point reads, which the service routes itself', async () => {
    const { server, store } = await openShelf(2)
    const keys = keysIn(server, '0', 3)
    await fill(store, keys)
    server.split('library', 'books', '0')
    server.clearLog()
    expect((await store.readMany('books', keys)).map((document) => document?.key)).toEqual(keys)
    expect(server.log.map(({ operation, status }) => `${operation} ${status}`)).toEqual(['read 200', 'read 200', 'read 200'])
  })
})

describe('by itself, with nothing but the SDK\'s container', () => {
  test('returns documents in key order and marks missing ones', async () => {
    const { server, container: create } = await openAccount({ partitions: 8 })
    const container = await create()
    const partitions = new PhysicalPartitions(container, (await container.read()).resource!.partitionKey!)
    const keys = Array.from({ length: 60 }, (_, at): ItemKey => ({ id: `b${at}`, partitionKey: [`p${at % 25}`] }))
    for (const { id, partitionKey: [pk] } of keys.filter((_, at) => at % 5 !== 0)) await container.items.create({ id, pk, text: `text of ${id}` })
    server.clearLog()
    const found = await readMany(keys, { items: sdkItems(container), partitions, partitionKeyPaths: [['pk']], price })
    expect(found.map(itemIn)).toEqual(keys.map(({ id, partitionKey: [pk] }, at) => (at % 5 === 0 ? undefined : { id, pk, text: `text of ${id}` })))
    expect(found.map(({ status }) => status)).toEqual(keys.map((_, at) => (at % 5 === 0 ? 'missing' : 'found')))
    // The physical partitions are read once.
    expect(server.log.filter(({ operation }) => operation === 'ranges')).toHaveLength(1)
    server.clearLog()
    await readMany(keys, { items: sdkItems(container), partitions, partitionKeyPaths: [['pk']], price })
    expect(server.log.filter(({ operation }) => operation === 'ranges')).toHaveLength(0)
    const asked = server.log.filter(({ operation }) => operation === 'query' || operation === 'read')
    expect(new Set(asked.map(({ rangeId }) => rangeId)).size).toBe(8)
    expect(sum(asked.map(({ documents }) => documents))).toBe(48)
  })

  test('sends all groups before it waits for any', async () => {
    const server = await openFilled(4)
    const keys = ['0', '1', '2', '3'].flatMap((place) => keysIn(server, place, place === '0' ? 2 : 5))
    const { container, partitions } = await openClientOf(server)
    const counts: number[] = []
    const everybody = Promise.withResolvers<void>()
    // No response before all requests have arrived: a sequential client would wait for ever.
    const around: NonNullable<ReadManyOptions['around']> = async (many, _, send) => {
      if (counts.push(many) === 5) everybody.resolve()
      await everybody.promise
      return send()
    }
    const found = await readMany(keys.map(itemKey), { items: sdkItems(container), partitions, partitionKeyPaths: [['pk']], price, around })
    expect(found.map(({ status }) => status)).toEqual(keys.map(() => 'found'))
    expect(counts.toSorted((one, other) => one - other)).toEqual([1, 1, 5, 5, 5])
  })

  test('continues across a split', async () => {
    const server = await openFilled(2)
    const keys = keysIn(server, '0', 20)
    const { container, partitions } = await openClientOf(server)
    await partitions.all()
    server.split('library', 'books', '0')
    server.clearLog()
    const found = await readMany(keys.map(itemKey), { items: sdkItems(container), partitions, partitionKeyPaths: [['pk']], price })
    expect(found.map((one) => itemIn(one)?.['id'])).toEqual(keys.map(({ id }) => id))
    expect(requestsIn(server.log.filter(({ operation }) => operation !== 'plan'))).toEqual(['query 0 gone', 'ranges', ...requestsFor(server, keys)].toSorted())
    expect(partitions.known.map(({ id }) => id)).toEqual(server.partitions('library', 'books').map(({ id }) => id))
  })

  test('is aborted by a signal', async () => {
    const server = await openFilled(2)
    const keys = keysIn(server, '0', 2)
    const { container, partitions } = await openClientOf(server)
    const found = await readMany(keys.map(itemKey), { items: sdkItems(container), partitions, partitionKeyPaths: [['pk']], price, abortSignal: AbortSignal.abort() })
    expect(found.map(({ status }) => status)).toEqual(['failed', 'failed'])
  })
})

/** The charges of small documents. */
const price: ReadManyOptions['price'] = { read: 1, query: (documents) => 2.8 + 0.1 * documents }

/** A container with documents for up to twenty keys of each partition. */
async function openFilled(partitions: number, some = (keys: readonly Key[]): readonly Key[] => keys): Promise<CosmosEmulator> {
  const { server, store } = await openShelf(partitions)
  await fill(store, Array.from({ length: partitions }, (_, place) => some(keysIn(server, `${place}`, 20))).flat())
  return server
}

/** Twenty keys of the partition that is about to split, the first of them missing, and ten of another. */
async function openSplitting(): Promise<Opened & { keys: readonly Key[] }> {
  const { server, store } = await openShelf(2)
  const keys = [...keysIn(server, '0', 20), ...keysIn(server, '1', 10)]
  await fill(store, keys.slice(1))
  server.clearLog()
  return { server, store, keys }
}

/** The same container through another client: with the plain SDK, or with retries below it. */
async function openClientOf(server: CosmosEmulator, persistent = false): Promise<{ container: Container; partitions: PhysicalPartitions }> {
  const client = new CosmosClient({
    endpoint: server.endpoint, key: server.key,
    connectionPolicy: { enableEndpointDiscovery: false, retryOptions: { maxRetryAttemptCount: 0 } },
    ...(persistent ? { httpClient: createTransport(createDefaultHttpClient(), new ServiceClock()) } : {}),
  })
  onTestFinished(() => { client.dispose() })
  const container = client.database('library').container('books')
  return { container, partitions: new PhysicalPartitions(container, (await container.read()).resource!.partitionKey!) }
}

function itemKey({ partition, id }: Key): ItemKey {
  return { partitionKey: partition, id }
}

function allButTheFirst(keys: readonly Key[]): (Key | undefined)[] {
  return keys.map((key, at) => (at === 0 ? undefined : key))
}

/** Without the properties that Cosmos DB adds. */
function itemIn(found: Found): Body | undefined {
  return found.status === 'found' ? Object.fromEntries(Object.entries(found.item).filter(([name]) => !name.startsWith('_'))) : undefined
}
