// Writes: what a deletion leaves behind, and how often a write is carried out whose response was lost. The
// view of other programs is read with the plain SDK.

import type { Container, ItemDefinition } from '@azure/cosmos'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Key } from '../../../src/model/keys/key.ts'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import type { Body } from '../../../src/model/json/json.ts'
import { ConflictError, InDoubtError, StoreUnavailableError } from '../../../src/store/store-errors.ts'
import type { ContainerLayout, Receipt, Store, Write } from '../../../src/store/store.ts'
import { openAccount } from '../../emulator/open-account.ts'
import type { CosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'

const layout: readonly ContainerLayout[] = [
  { name: 'books', partitionKey: [['shelf']], indexes: [{ type: 'book', orderBy: ['name'] }], followed: true },
  { name: 'notes', partitionKey: [['shelf']], indexes: [{ type: 'book', orderBy: ['name'] }] },
]

interface Opened {
  readonly server: CosmosEmulator
  readonly store: Store
  /** The containers as other programs see them. */
  readonly others: (container: string) => Container
  readonly etagOf: (id: string, container?: string) => Promise<string>
}

async function openShelves(): Promise<Opened> {
  const { server, client } = await openAccount()
  const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'library', create: true }, layout)
  onTestFinished(() => store.close())
  return {
    server, store,
    others: (container) => client.database('library').container(container),
    etagOf: async (id, container = 'books') => (await store.readMany(container, [keyOf(id)]))[0]!.etag,
  }
}

type Put = Extract<Write, { kind: 'put' }>
type Deletion = Extract<Write, { kind: 'delete' }>

function keyOf(id: string): Key {
  return { partition: ['s1'], id }
}

function bodyOf(id: string, properties: Body = {}): Body {
  return { id, shelf: 's1', type: 'book', name: `Book ${id}`, ...properties }
}

function put(id: string, properties: Body = {}, only?: Put['only'], container = 'books'): Put {
  return { kind: 'put', container, key: keyOf(id), body: bodyOf(id, properties), ...(only ? { only } : {}) }
}

function deletion(id: string, rest: Partial<Deletion> = {}): Deletion {
  return { kind: 'delete', container: 'books', key: keyOf(id), ...rest }
}

/** Three books, of which the second was deleted. */
async function openWithout(): Promise<Opened> {
  const opened = await openShelves()
  await opened.store.write([put('b1', { year: 1 }), put('b2'), put('b3')])
  await opened.store.write([deletion('b2')])
  return opened
}

async function rawItem(container: Container, id: string): Promise<ItemDefinition | undefined> {
  return (await container.item(id, 's1').read<ItemDefinition>()).resource
}

/** Without the properties that Cosmos DB adds. */
function plain(item: ItemDefinition | undefined): Body | undefined {
  return item && Object.fromEntries(Object.entries(item).filter(([name]) => !['_rid', '_self', '_etag', '_ts', '_attachments', '_w'].includes(name)))
}

describe('a document that was deleted from a followed container', () => {
  test('is found by no read, alone or among many', async () => {
    const { store } = await openWithout()
    expect(await store.readMany('books', [keyOf('b2')])).toEqual([undefined])
    const ids = ['b1', 'b2', 'b3', 'b4', 'b5']
    expect((await store.readMany('books', ids.map(keyOf))).map((document) => document?.key.id)).toEqual(['b1', undefined, 'b3', undefined, undefined])
  })

  test('is found by no query', async () => {
    const { store } = await openWithout()
    const query = { container: 'books', orderBy: { path: ['name'], descending: false }, limit: 10 }
    const byId = { path: ['id'], descending: true }
    for (const one of [
      query,
      { ...query, orderBy: byId },
      { ...query, type: 'book' },
      { ...query, partition: ['s1'] },
      { ...query, orderBy: { path: ['name'], descending: true, required: true } },
      { ...query, where: { op: 'in', path: ['id'], values: ['b1', 'b2', 'b3'] } as const },
      { ...query, where: { op: 'not', condition: { op: 'eq', path: ['name'], value: 'x' } } as const },
    ]) expect((await store.query(one)).map(({ key }) => key.id).toSorted()).toEqual(['b1', 'b3'])
    expect(await store.query({ ...query, orderBy: byId, where: { op: 'eq', path: ['name'], value: null } })).toEqual([])
    // Nor does it take the place of a document on a page.
    expect((await store.query({ ...query, orderBy: { path: ['id'], descending: false }, limit: 2 })).map(({ key }) => key.id)).toEqual(['b1', 'b3'])
    const pages = await store.queryEach(query, ['name'], ['Book b1', 'Book b2', null])
    expect(pages.map((page) => page.map(({ key }) => key.id))).toEqual([['b1'], [], []])
  })

  test('is counted by no count', async () => {
    const { store } = await openWithout()
    expect(await store.count({ container: 'books' })).toBe(2)
    expect(await store.count({ container: 'books', type: 'book', partition: ['s1'] })).toBe(2)
    expect(await store.count({ container: 'books', where: { op: 'eq', path: ['type'], value: null } })).toBe(0)
    expect(await store.countEach({ container: 'books' }, ['name'], ['Book b1', 'Book b2', null])).toEqual([1, 0, 0])
  })

  test('can be created again', async () => {
    const { store } = await openWithout()
    const [etag] = await store.write([put('b2', { year: 2 }, 'if-absent')])
    expect(await store.readMany('books', [keyOf('b2')])).toMatchObject([{ etag, body: bodyOf('b2', { year: 2 }) }])
    await expect(store.write([put('b2', {}, 'if-absent')])).rejects.toThrow(new ConflictError('books', keyOf('b2'), 'present'))
  })

  test('can be put without a condition', async () => {
    const { store, others } = await openWithout()
    await store.write([put('b2', { year: 3 })])
    expect(plain(await rawItem(others('books'), 'b2'))).toEqual(bodyOf('b2', { year: 3 }))
  })

  test('counts as absent for conditions, and deleting it again does nothing', async () => {
    const { server, store, others } = await openWithout()
    // Not even the etag of the tombstone allows a deletion.
    const inPlace = (await rawItem(others('books'), 'b2'))!['_etag'] as string
    for (const write of [put('b2', {}, { ifMatch: 'stale' }), deletion('b2', { only: { ifMatch: 'stale' } }), deletion('b2', { only: { ifMatch: inPlace.slice(1, -1) } })]) {
      await expect(store.write([write])).rejects.toThrow(new ConflictError('books', keyOf('b2'), 'absent'))
    }
    server.clearLog()
    expect(await store.write([deletion('b2')])).toEqual([''])
    expect(server.log.filter(({ applied }) => applied)).toEqual([])
  })

  test('is a tombstone to other programs: its key, its last body, and thirty days to live', async () => {
    const { others } = await openWithout()
    expect(plain(await rawItem(others('books'), 'b2'))).toEqual({ id: 'b2', shelf: 's1', _gone: true, _was: bodyOf('b2'), ttl: 30 * 24 * 60 * 60 })
    expect((await others('books').items.query('SELECT * FROM c WHERE c.type = "book" ORDER BY c.id', { partitionKey: 's1' }).fetchAll()).resources).toHaveLength(2)
  })

  test('has the last body, from the caller or from the store', async () => {
    const { store, others, etagOf } = await openWithout()
    const last = bodyOf('b1', { year: 1 })
    await store.write([deletion('b1', { only: { ifMatch: await etagOf('b1') }, last })])
    expect((await rawItem(others('books'), 'b1'))!['_was']).toEqual(last)
  })

  test('is removed by the service when its time to live is over', async () => {
    let nowMs = Date.now()
    const { server, client } = await openAccount({ now: () => nowMs })
    const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'library', create: true }, layout)
    onTestFinished(() => store.close())
    await store.write([put('b1'), put('b2')])
    await store.write([deletion('b2')])
    const container = client.database('library').container('books')
    nowMs += 29 * 24 * 60 * 60 * 1000
    expect(await rawItem(container, 'b2')).toBeDefined()
    nowMs += 2 * 24 * 60 * 60 * 1000
    expect(await rawItem(container, 'b2')).toBeUndefined()
    expect(plain(await rawItem(container, 'b1'))).toEqual(bodyOf('b1'))
  })
})

test('a document that was deleted from a container without a feed is really deleted', async () => {
  const { store, others } = await openShelves()
  await store.write([put('n1', {}, undefined, 'notes'), put('n2', {}, undefined, 'notes')])
  expect(await store.write([deletion('n1', { container: 'notes' })])).toEqual([''])
  expect(await rawItem(others('notes'), 'n1')).toBeUndefined()
  expect((await others('notes').items.readAll().fetchAll()).resources.map(({ id }) => id)).toEqual(['n2'])
  await store.write([put('n1', { year: 2 }, 'if-absent', 'notes')])
  expect(plain(await rawItem(others('notes'), 'n1'))).toEqual(bodyOf('n1', { year: 2 }))
})

test('several writes of one document are one operation with the effect of all', async () => {
  const { server, store, others } = await openShelves()
  server.clearLog()
  const etags = await store.write([put('b1', { year: 1 }, 'if-absent'), put('b2'), put('b1', { year: 2 }), deletion('b2')])
  expect(server.log.filter(({ operation }) => operation === 'batch')).toMatchObject([{ keys: 1, applied: true }])
  expect(etags).toEqual([etags[0], '', etags[0], ''])
  expect(plain(await rawItem(others('books'), 'b1'))).toEqual(bodyOf('b1', { year: 2 }))
  expect(await store.readMany('books', [keyOf('b1'), keyOf('b2')])).toMatchObject([{ etag: etags[0] }, undefined])
})

/** Loses the response to a batch, by default the first: it is carried out, and the client gets a timeout (408). */
function loseAnswer(server: CosmosEmulator, { nth = 1, carriedOut = true } = {}): void {
  let batches = 0
  server.clearLog()
  Object.assign(server.faults, { timeout: 1, lostAnswers: carriedOut ? 1 : 0, only: ({ operation }: { operation: string }) => operation === 'batch' && ++batches === nth })
}

/** How often the server has changed something. */
function timesApplied({ log }: CosmosEmulator): number {
  return log.filter(({ applied }) => applied).length
}

describe('a write whose response was lost is acknowledged once and carried out once', () => {
  const cases: readonly [string, (opened: Opened) => Promise<readonly Write[]>, Record<string, Body | undefined>][] = [
    ['a new document', async () => [put('new', { year: 1 }, 'if-absent')], { new: bodyOf('new', { year: 1 }) }],
    ['a new version', async ({ etagOf }) => [put('old', { year: 2 }, { ifMatch: await etagOf('old') })], { old: bodyOf('old', { year: 2 }) }],
    ['a new version that differs in nothing', async ({ etagOf }) => [put('old', {}, { ifMatch: await etagOf('old') })], { old: bodyOf('old') }],
    ['values that JSON writes in another way', async () => [put('new', { zero: -0, nothing: undefined, list: [1, [null]] }, 'if-absent')], { new: bodyOf('new', { zero: 0, list: [1, [null]] }) }],
    ['a deletion', async () => [deletion('old')], { old: undefined }],
    ['a deletion with a condition', async ({ etagOf }) => [deletion('old', { only: { ifMatch: await etagOf('old') } })], { old: undefined }],
    ['a deletion that knows what it deletes', async ({ etagOf }) => [deletion('old', { only: { ifMatch: await etagOf('old') }, last: bodyOf('old') })], { old: undefined }],
    ['a deletion where nobody follows', async () => [deletion('old', { container: 'notes' })], {}],
    ['several new documents', async () => ['x', 'y', 'z'].map((id) => put(id, {}, 'if-absent')), { x: bodyOf('x'), y: bodyOf('y'), z: bodyOf('z') }],
    [
      'several of every kind',
      async ({ etagOf }) => [
        put('new', {}, 'if-absent'), put('old', { year: 2 }, { ifMatch: await etagOf('old') }), put('any', { year: 3 }),
        deletion('doomed', { only: { ifMatch: await etagOf('doomed') } }), deletion('nowhere'),
      ],
      { new: bodyOf('new'), old: bodyOf('old', { year: 2 }), any: bodyOf('any', { year: 3 }), doomed: undefined, nowhere: undefined },
    ],
  ]

  test.each(cases)('%s', async (_, prepare, after) => {
    const opened = await openShelves()
    const { server, store } = opened
    await store.write([put('old'), put('doomed')])
    await store.write([put('old', {}, undefined, 'notes')])
    const writes = await prepare(opened)
    loseAnswer(server)
    const receipts: Receipt[] = []
    const etags = await store.write(writes, (receipt) => receipts.push(receipt))
    expect(timesApplied(server)).toBe(1)
    expect(server.log.find(({ operation }) => operation === 'batch')).toMatchObject({ status: 408, applied: true })
    expect(receipts.map(({ requestCharge }) => `${requestCharge} RU`).toSorted()).toEqual(server.log.map(({ charge }) => `${charge} RU`).toSorted())
    for (const [at, { kind, container, key }] of writes.entries()) {
      const [found] = await store.readMany(container, [key])
      expect(etags[at]).toBe(kind === 'put' ? found!.etag : '')
      expect(found?.body).toEqual(container === 'notes' ? undefined : after[key.id])
    }
  })

  test.each([1, 2])('a new document in place of a tombstone, which takes two batches: the response to batch %i', async (nth) => {
    const { server, store, etagOf } = await openWithout()
    loseAnswer(server, { nth })
    const [etag] = await store.write([put('b2', { year: 2 }, 'if-absent')])
    expect(timesApplied(server)).toBe(1)
    expect(etag).toBe(await etagOf('b2'))
  })

  test('a put without a condition is carried out twice with the same effect', async () => {
    const { server, store, etagOf } = await openShelves()
    loseAnswer(server)
    const [etag] = await store.write([put('any', { year: 1 })])
    expect(timesApplied(server)).toBe(2)
    expect(etag).toBe(await etagOf('any'))
  })

  test('one that was not carried out is carried out', async () => {
    const { server, store, etagOf } = await openShelves()
    loseAnswer(server, { carriedOut: false })
    const [etag] = await store.write([put('new', {}, 'if-absent')])
    expect(timesApplied(server)).toBe(1)
    expect(etag).toBe(await etagOf('new'))
  })

  test('after many lost responses in a row, the write was made once', async () => {
    const { server, store, etagOf } = await openShelves()
    let left = 5
    server.clearLog()
    Object.assign(server.faults, { unavailable: 1, lostAnswers: 1, only: () => left-- > 0 })
    const [etag] = await store.write([put('new', {}, 'if-absent')])
    expect([timesApplied(server), etag]).toEqual([1, await etagOf('new')])
  })
})

describe('a conflict is reported, also after a lost response', () => {
  const conflicts: readonly [string, Write, ConflictError][] = [
    ['somebody else\'s document is in the place', put('theirs', { year: 9 }, 'if-absent'), new ConflictError('books', keyOf('theirs'), 'present')],
    ['it has changed', put('theirs', { year: 9 }, { ifMatch: 'stale' }), new ConflictError('books', keyOf('theirs'), 'changed')],
    ['it has changed, and was to be deleted', deletion('theirs', { only: { ifMatch: 'stale' }, last: bodyOf('theirs', { year: 1 }) }), new ConflictError('books', keyOf('theirs'), 'changed')],
    ['it is not there', put('nowhere', {}, { ifMatch: 'stale' }), new ConflictError('books', keyOf('nowhere'), 'absent')],
    ['it was deleted', put('buried', {}, { ifMatch: 'stale' }), new ConflictError('books', keyOf('buried'), 'absent')],
  ]

  test.each(conflicts)('%s', async (_, write, error) => {
    const { server, store, others } = await openShelves()
    await store.write([put('theirs'), put('buried')])
    await store.write([deletion('buried')])
    loseAnswer(server)
    await expect(store.write([put('mine', {}, 'if-absent'), write])).rejects.toThrow(error)
    expect(timesApplied(server)).toBe(0)
    expect(await rawItem(others('books'), 'mine')).toBeUndefined()
    expect(plain(await rawItem(others('books'), 'theirs'))).toEqual(bodyOf('theirs'))
  })

  const refused = new ConflictError('books', keyOf('b1'), 'changed')
  const doubtful = new InDoubtError('It is not known whether books/b1 was written: the response was lost, and others have written it since.')
  const cases: readonly [string, boolean, Body, Body, Error][] = [
    ['before the write that was not carried out is sent again', false, {}, {}, refused],
    ['over the write that was carried out', true, {}, {}, refused],
    ['in its place, with the version that it was to have', false, { _v: 2 }, { _v: 2 }, refused],
    // It may have been carried out by then, and repeating it might do it twice.
    ['more than once, so that the version is beyond the one it was to have', true, { _v: 2 }, { _v: 3 }, doubtful],
  ]

  test.each(cases)('another writer writes %s', async (_, carriedOut, ourVersion, theirVersion, error) => {
    const { server, store, others, etagOf } = await openShelves()
    await store.write([put('b1')])
    const ifMatch = await etagOf('b1')
    const theirs = bodyOf('b1', { year: 99, ...theirVersion })
    let batches = 0
    let written: Promise<unknown> | undefined
    let done = false
    Object.assign(server.faults, {
      lostAnswers: carriedOut ? 1 : 0,
      only: ({ operation }: { operation: string }) => {
        if (operation !== 'batch') return false
        batches++
        // The first response is lost. From then on requests are throttled until another writer has written.
        Object.assign(server.faults, batches === 1 ? { timeout: 1, throttle: 0 } : { timeout: 0, throttle: 1 })
        if (batches === 2) written = others('books').items.upsert(theirs).then(() => (done = true))
        return !done
      },
    })
    await expect(store.write([put('b1', { year: 1, ...ourVersion }, { ifMatch })])).rejects.toThrow(error)
    await written
    expect(plain(await rawItem(others('books'), 'b1'))).toEqual(theirs)
  })

  test('without a lost response, a document with the same content is not taken for the own write', async () => {
    const { server, store } = await openShelves()
    await store.write([put('b1', { year: 1 })])
    let batches = 0
    Object.assign(server.faults, { throttle: 1, only: ({ operation }: { operation: string }) => operation === 'batch' && batches++ === 0 })
    await expect(store.write([put('b1', { year: 1 }, 'if-absent')])).rejects.toThrow(new ConflictError('books', keyOf('b1'), 'present'))
  })
})

test('if the service does not answer in time, it is not known whether anything was written', async () => {
  const { server } = await openAccount()
  const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'library', create: true, limits: { deadlineMs: 1000 } }, layout)
  onTestFinished(() => store.close())
  Object.assign(server.faults, { unavailable: 1, lostAnswers: 1 })
  await expect(store.write([put('b1', {}, 'if-absent')])).rejects.toThrow(StoreUnavailableError)
})

const bodyFor = (key: Key, text: string): Body => ({ id: key.id, shelf: key.partition[0]!, text })

describe('a batch of as many and as large documents as the store says', () => {
  /** As many as fit, with the longest ids and partition keys that an API gives out. */
  const keys = Array.from({ length: 100 }, (_, at): Key => ({ partition: ['s'.repeat(1000)], id: `${at}`.padStart(250, 'x') }))

  test('fits into one request, to be written, replaced and deleted', async () => {
    const { store, server } = await openShelves()
    const { batch } = store.supports
    const empty = Buffer.byteLength(JSON.stringify(bodyFor(keys[0]!, '')))
    const text = 't'.repeat(Math.floor(batch.bytes / keys.length) - empty)
    const bodies = keys.map((key) => bodyFor(key, text))
    expect(Buffer.byteLength(JSON.stringify(bodies)) - bodies.length - 1).toBeGreaterThan(batch.bytes - 200)
    const put100 = (only?: (at: number) => Put['only']): Put[] => keys.map((key, at) => ({ kind: 'put', container: 'books', key, body: bodies[at]!, ...(only ? { only: only(at)! } : {}) }))
    let etags = await store.write(put100(() => 'if-absent'))
    // Write marks add up.
    for (let round = 0; round < 9; round++) etags = await store.write(put100((at) => ({ ifMatch: etags[at]! })))
    await store.write(keys.map((key, at) => ({ kind: 'delete', container: 'books', key, last: bodies[at]!, only: { ifMatch: etags[at]! } })))
    expect(server.log.filter(({ operation }) => operation === 'batch').map(({ status }) => status)).toEqual(Array.from({ length: 11 }, () => 200))
  })
})
