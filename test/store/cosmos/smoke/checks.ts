// What the adapter takes for granted about Azure Cosmos DB, one check each, cheap enough to run on an report of one's own: one database, three
// containers, about 2,500 RU. A check throws if the service behaves otherwise, and may say what it saw.

import assert from 'node:assert/strict'
import { BulkOperationType, type Container, type OperationInput } from '@azure/cosmos'
import { queryCharge, readCharge, writeCharge } from '../../../../src/store/cost-model.ts'
import { ConflictError } from '../../../../src/store/store-errors.ts'
import type { ContainerLayout, Receipt, Store } from '../../../../src/store/store.ts'
import { idsBeyondSdk, idsBeyondUrls, plainIds } from '../vectors/item-ids.ts'
import { textsInOrder } from '../vectors/order-by.ts'

export const layout: readonly ContainerLayout[] = [
  { name: 'books', partitionKey: [['shelf']], indexes: [{ orderBy: ['name'] }], followed: true, untyped: true },
  { name: 'orders', partitionKey: [['tenant'], ['user']], indexes: [], untyped: true },
  { name: 'plain', partitionKey: [['id']], indexes: [], untyped: true },
]

export interface Smoke {
  readonly store: Store
  /** Opens the same database again. */
  readonly reopen: (create: boolean, layout?: readonly ContainerLayout[]) => Promise<Store>
  /** As another program sees it. */
  readonly plain: (name: string) => Container
}

type Check = readonly [name: string, run: (smoke: Smoke) => Promise<string | void>]

const put = (id: string, body: Record<string, string | number> = {}, only?: 'if-absent' | { ifMatch: string }) =>
  ({ kind: 'put', container: 'books', key: { partition: ['s'], id }, body: { id, shelf: 's', ...body }, ...(only ? { only } : {}) }) as const
const remove = (id: string) => ({ kind: 'delete', container: 'books', key: { partition: ['s'], id } }) as const
const create = (id: string): OperationInput => ({ operationType: BulkOperationType.Create, resourceBody: { id, shelf: 's' } })
const kilobyte = 'x'.repeat(900)

export const checks: readonly Check[] = [
  ['a document is written, and read at once', async ({ store }) => {
    const [etag] = await store.write([put('b1', { name: 'One' }, 'if-absent')])
    const [found] = await store.readMany('books', [{ partition: ['s'], id: 'b1' }])
    assert.equal(found?.etag, etag)
  }],
  ['a missing document is a 404 without a substatus', async ({ plain }) => {
    const { statusCode, substatus } = await plain('books').item('nobody', 's').read()
    assert.deepEqual([statusCode, substatus || 0], [404, 0])
  }],
  ['a document that exists is not created again (409)', async ({ store }) => assert.rejects(store.write([put('b1', {}, 'if-absent')]), ConflictError)],
  ['a document that has changed is not replaced (412)', async ({ store }) => assert.rejects(store.write([put('b1', {}, { ifMatch: 'another' })]), ConflictError)],
  ['a batch writes all or nothing', async ({ store, plain }) => {
    await assert.rejects(store.write([put('b2'), put('b1', {}, 'if-absent')]), ConflictError)
    assert.equal((await plain('books').item('b2', 's').read()).statusCode, 404)
  }],
  ['a failed batch answers 424 for the operations that were not to blame', async ({ plain }) => {
    const { result = [] } = await plain('books').items.batch([create('b3'), create('b1')], 's')
    assert.deepEqual(result.map(({ statusCode }) => statusCode), [424, 409])
  }],
  ['a batch has at most 100 operations', async ({ plain }) => {
    const operations = Array.from({ length: 101 }, (_, at): OperationInput => ({ operationType: BulkOperationType.Upsert, resourceBody: { id: `n${at}`, shelf: 's' } }))
    await assert.rejects(plain('books').items.batch(operations, 's'))
  }],
  ['a batch of the size that the store promises is accepted', async ({ store }) => {
    const each = Math.floor(store.supports.batch.bytes / 20) - 100
    await store.write(Array.from({ length: 20 }, (_, at) => put(`large${at}`, { text: 'x'.repeat(each) })))
    await store.write(Array.from({ length: 20 }, (_, at) => remove(`large${at}`)))
  }],
  ...[...plainIds, ...idsBeyondSdk, ...idsBeyondUrls].map((id): Check => [`the id ${JSON.stringify(id)} is written, read and deleted`, async ({ store, plain }) => {
    await store.write([put(id)])
    assert.equal((await store.readMany('books', [{ partition: ['s'], id }]))[0]?.key.id, id)
    const point = await plain('books').item(id, 's').read().then(({ statusCode }) => statusCode, ({ code }: { code: unknown }) => String(code))
    await store.write([remove(id)])
    if (plainIds.includes(id)) assert.equal(point, 200, `a point read answers ${point}`)
    return point === 200 ? undefined : `a point read answers ${point}`
  }]),
  ['texts are in the order of their UTF-16 units', async ({ store }) => {
    const names = textsInOrder.filter((text) => text.trim() !== '')
    await store.write(names.map((name, at) => put(`t${at}`, { name })))
    const page = await store.query({ container: 'books', partition: ['s'], where: { op: 'startsWith', path: ['id'], value: 't' }, orderBy: { path: ['name'], descending: false, required: true }, limit: 100 })
    assert.deepEqual(page.map(({ body }) => body['name']), names)
  }],
  ['texts compare in the same order', async ({ store }) => {
    assert.equal(await store.count({ container: 'books', partition: ['s'], where: { op: 'and', conditions: [{ op: 'eq', path: ['name'], value: '\uffff' }, { op: 'gt', path: ['name'], value: '😀' }] } }), 1)
  }],
  ['a ttl of null is refused', async ({ plain }) => { await assert.rejects(plain('books').items.create({ id: 'ttl', shelf: 's', ttl: null } as never)) }],
  ['the database is complete when it is opened again, also without /id/? in its policies', async ({ reopen }) => (await reopen(false)).close()],
  ['a new index can be used when the store is open', async ({ reopen }) => {
    const store = await reopen(true, [{ ...layout[0]!, indexes: [...layout[0]!.indexes, { orderBy: ['year'] }] }])
    await store.query({ container: 'books', orderBy: { path: ['year'], descending: false, required: true }, limit: 1 })
    await store.close()
  }],
  ['the change feed ends, and goes on with what is written then', async ({ store }) => {
    const end = await store.feedEnd('all')
    await store.write([put('fed', { name: 'Fed' })])
    const { changes, point } = await store.changes('all', end, 10)
    assert.deepEqual(changes.map(({ key, deleted }) => [key.id, deleted]), [['fed', false]])
    await store.write([remove('fed')])
    const later = await store.changes('all', point, 10)
    assert.deepEqual(later.changes.map(({ key, deleted }) => [key.id, deleted]), [['fed', true]])
    return `its point has ${end?.length} characters`
  }],
  ['_ts is within the clock that Date headers tell', async ({ store, plain }) => {
    await store.write([put('clock')])
    const { resource } = await plain('books').item('clock', 's').read<{ _ts: number }>()
    const { earliest, latest } = await store.now()
    assert.ok(resource!._ts * 1000 <= latest && (resource!._ts + 2) * 1000 >= earliest - 5000)
    return `known within ${Math.round(latest - earliest)} ms`
  }],
  ['the upper level of a hierarchical key asks few partitions and finds everything', async ({ store }) => {
    for (const user of ['u1', 'u2', 'u3']) await store.write([{ kind: 'put', container: 'orders', key: { partition: ['t1', user], id: user }, body: { id: user, tenant: 't1', user } }])
    const where = { op: 'eq', path: ['tenant'], value: 't1' } as const
    assert.equal(await store.count({ container: 'orders', where }), 3)
    return `${store.reach({ container: 'orders', where })} of ${store.reach({ container: 'orders' })} physical partitions`
  }],
  ['a point read is charged as the model says', async ({ store }) => {
    await store.write([put('kb', { text: kilobyte })])
    return compared(await charged((meter) => store.readMany('books', [{ partition: ['s'], id: 'kb' }], meter)), readCharge(1000))
  }],
  ['a write is charged as the model says, index terms aside', async ({ store }) => compared(await charged((meter) => store.write([put('kb2', { text: kilobyte })], meter)), writeCharge(1000))],
  ['a page is charged as the model says', async ({ store }) => {
    const page = { container: 'books', partition: ['s'], orderBy: { path: ['name'], descending: false, required: true }, limit: 10 } as const
    return compared(await charged((meter) => store.query(page, meter)), queryCharge(Array.from({ length: 10 }, () => 100)))
  }],
  ['a page further down is charged like the first', async ({ store }) => {
    const page = { container: 'books', partition: ['s'], orderBy: { path: ['name'], descending: false, required: true }, limit: 5 } as const
    const first = await charged((meter) => store.query(page, meter))
    const deep = await charged((meter) => store.query({ ...page, after: { value: 'z', id: 't' } }, meter))
    return compared(deep, first)
  }],
]

async function charged(call: (meter: (receipt: Receipt) => void) => unknown): Promise<number> {
  let charge = 0
  await call((receipt) => (charge += receipt.requestCharge))
  return charge
}

/** Never a failure: charges are what the run is to tell. */
function compared(charge: number, expected: number): string {
  return `${charge.toFixed(2)} RU, expected ${expected.toFixed(2)} (${charge > expected ? '+' : ''}${(100 * (charge / expected - 1)).toFixed(0)} %)`
}
