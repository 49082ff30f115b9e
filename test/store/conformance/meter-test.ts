// Receipts: every call reports its keys, documents, duration and charge.
// Exact charges are asserted only for stores that estimate them by the cost model.

import { expect, test } from 'vitest'
import { countCharge, hundredths, queryCharge, readCharge, readManyCharge, writeCharge } from '../../../src/store/cost-model.ts'
import { ConflictError } from '../../../src/store/store-errors.ts'
import type { Meter, Receipt, Store } from '../../../src/store/store.ts'
import { partWith } from './following.ts'
import { book, bookKey, books, fill, review, withStore, type OpenStore, type Put } from './shelf.ts'

export function meterTest(open: OpenStore): void {
  const b1 = book('b1', { 'pub-id': 'p1' })
  const b2 = book('b2', { 'pub-id': 'p1', text: 'x'.repeat(100_000) })
  const b3 = book('b3', { 'pub-id': 'p2' })
  const shelf = [b1, b2, b3]

  /** One call, the sum of its receipts, and the charge by the cost model. */
  const calls: [string, (store: Store, meter: Meter) => unknown, Summary][] = [
    ['reading one large document', (store, meter) => store.readMany('books', [bookKey('b2')], meter),
      { operation: 'read', keys: 1, documents: 1, charge: readCharge(size(b2)) }],
    ['looking for a document in vain', (store, meter) => store.readMany('books', [bookKey('nobody')], meter),
      { operation: 'read', keys: 1, documents: 0, charge: readCharge(undefined) }],
    ['reading several documents', (store, meter) => store.readMany('books', ['b1', 'b2', 'nobody'].map(bookKey), meter),
      { operation: 'read', keys: 3, documents: 2, charge: readManyCharge([size(b1), size(b2), undefined]) }],
    ['reading a page', (store, meter) => store.query(books({ limit: 2 }), meter),
      { operation: 'query', keys: 0, documents: 2, charge: queryCharge([size(b1), size(b2)]) }],
    ['reading an empty page', (store, meter) => store.query(books({ type: 'newspaper' }), meter),
      { operation: 'query', keys: 0, documents: 0, charge: queryCharge([]) }],
    ['reading a page for each value', (store, meter) => store.queryEach(books(), ['pub-id'], ['p1', 'p2', 'p3'], meter),
      { operation: 'query', keys: 3, documents: 3, charge: hundredths(queryCharge([size(b1), size(b2)]) + queryCharge([size(b3)]) + queryCharge([])) }],
    ['counting', (store, meter) => store.count({ container: 'books', type: 'book' }, meter),
      { operation: 'count', keys: 0, documents: 0, charge: countCharge() }],
    ['counting for each value', (store, meter) => store.countEach({ container: 'books', type: 'book' }, ['pub-id'], ['p1', 'p2'], meter),
      { operation: 'count', keys: 2, documents: 0, charge: hundredths(2 * countCharge()) }],
    ['writing a new document', (store, meter) => store.write([book('new')], meter),
      { operation: 'write', keys: 1, documents: 1, charge: writeCharge(size(book('new'))) }],
    ['replacing a document', (store, meter) => store.write([book('b2')], meter),
      { operation: 'write', keys: 1, documents: 1, charge: writeCharge(size(book('b2')), size(b2)) }],
    ['deleting a document', (store, meter) => store.write([{ kind: 'delete', container: 'books', key: bookKey('b2') }], meter),
      { operation: 'write', keys: 1, documents: 1, charge: writeCharge(size(b2)) }],
  ]

  test.each(calls)('%s reports its keys, documents and charge', (_, call, { charge, ...expected }) =>
    withStore(open, shelf, async (store) => {
      const receipts = await metered(store, call)
      const { requestCharge, ...told } = summary(receipts)
      if (store.supports.charges === 'estimated') {
        expect({ requestCharge, ...told }).toEqual({ requestCharge: charge, ...expected })
        expect(receipts).toHaveLength(1)
      } else {
        // Each physical partition may return as many documents as the page holds.
        expect({ ...told, documents: Math.min(told.documents, expected.documents) }).toEqual(expected)
        expect(requestCharge).toBeGreaterThan(0)
      }
    }))

  test('the writes of a plan are reported as a write, and a plan without writes is not reported', () =>
    withStore(open, shelf, async (store) => {
      if (store.supports.atomic !== 'store') return
      const receipts = await metered(store, async (_, meter) => {
        await store.atomically(async () => [], meter)
        await expect(store.atomically(() => Promise.reject(new Error('no')), meter)).rejects.toThrow('no')
        await store.atomically(async () => [book('b2'), book('new')], meter)
      })
      expect(receipts).toHaveLength(1)
      expect(summary(receipts)).toMatchObject({ operation: 'write', keys: 2, documents: 2 })
      if (store.supports.charges === 'estimated') expect(receipts[0]!.requestCharge).toBe(hundredths(writeCharge(size(book('b2')), size(b2)) + writeCharge(size(book('new')))))
    }))

  test('a page of the change feed is reported with its documents, including deleted ones, and so is an empty page', () =>
    withStore(open, [], async (store) => {
      const long = review('b1', 'r1', { text: 'x'.repeat(5000) })
      await fill(store, [long, review('b1', 'r2')])
      await store.write([{ kind: 'delete', container: 'reviews', key: long.key }])
      const part = await partWith(store, 'r1')
      const full = await metered(store, (_, meter) => store.changes(part, undefined, 10, meter))
      const { point } = await store.changes(part, undefined, 10)
      const empty = await metered(store, (_, meter) => store.changes(part, point, 10, meter))
      expect(summary(full)).toMatchObject({ operation: 'changes', keys: 0, documents: 2 })
      expect(summary(empty)).toMatchObject({ operation: 'changes', keys: 0, documents: 0 })
      if (store.supports.charges === 'measured') return
      expect([full, empty].flat()).toMatchObject([{ requestCharge: queryCharge([size(review('b1', 'r2')), size(long)]) }, { requestCharge: queryCharge([]) }])
    }))

  test('a receipt names its container and the first wave, and lies within the call', () =>
    withStore(open, shelf, async (store) => {
      const before = performance.now()
      const receipts = await metered(store, (_, meter) => store.query(books({ partition: ['b1'] }), meter))
      const after = performance.now()
      expect(receipts).toHaveLength(1)
      for (const { container, wave, startMs, durationMs } of receipts) {
        expect({ container, wave }).toEqual({ container: 'books', wave: 0 })
        expect(startMs).toBeGreaterThanOrEqual(before)
        expect(durationMs).toBeGreaterThanOrEqual(0)
        expect(startMs + durationMs).toBeLessThanOrEqual(after)
      }
    }))

  test('a key that is given twice is charged once', () =>
    withStore(open, shelf, async (store) => {
      const once = await metered(store, (_, meter) => store.readMany('books', [bookKey('b1'), bookKey('b2')], meter))
      const twice = await metered(store, (_, meter) => store.readMany('books', ['b1', 'b2', 'b1'].map(bookKey), meter))
      expect(summary(twice).requestCharge).toBe(summary(once).requestCharge)
      expect(summary(twice).documents).toBe(2)
    }))

  test('a refused write is a round trip', () =>
    withStore(open, shelf, async (store) => {
      const receipts = await metered(store, (_, meter) => expect(store.write([{ ...b1, only: 'if-absent' }], meter)).rejects.toBeInstanceOf(ConflictError))
      if (store.supports.charges === 'estimated') expect(receipts).toHaveLength(1)
      expect(receipts[0]).toMatchObject({ operation: 'write', container: 'books', keys: 1, documents: 0 })
      expect(receipts[0]!.requestCharge).toBeGreaterThan(0)
    }))

  test('a call without keys, values or writes is no round trip', () =>
    withStore(open, shelf, async (store) => {
      const receipts = await metered(store, async (_, meter) => {
        await store.readMany('books', [], meter)
        await store.queryEach(books(), ['pub-id'], [], meter)
        await store.countEach({ container: 'books' }, ['pub-id'], [], meter)
        await store.write([], meter)
      })
      expect(receipts).toEqual([])
    }))

  test('a write to several containers names each of them', () =>
    withStore(open, [], async (store) => {
      if (store.supports.atomic !== 'store') return
      const receipts = await metered(store, (_, meter) => store.write([b1, review('b1', 'r1'), b2], meter))
      expect(receipts.map(({ container, keys }) => ({ container, keys }))).toEqual([{ container: 'books, reviews', keys: 3 }])
    }))
}

interface Summary {
  readonly operation: Receipt['operation']
  readonly keys: number
  readonly documents: number
  readonly charge: number
}

async function metered(store: Store, call: (store: Store, meter: Meter) => unknown): Promise<Receipt[]> {
  const receipts: Receipt[] = []
  await call(store, (receipt) => receipts.push(receipt))
  return receipts
}

/** A store with several partitions may need several round trips for one call: reads split their keys, queries send them to all. */
function summary(receipts: readonly Receipt[]): Omit<Summary, 'charge'> & { readonly requestCharge: number } {
  const total = (property: 'keys' | 'documents' | 'requestCharge'): number => receipts.reduce((sum, receipt) => sum + receipt[property], 0)
  return { operation: receipts[0]!.operation, keys: receipts[0]!.operation === 'query' || receipts[0]!.operation === 'count' ? Math.max(...receipts.map(({ keys }) => keys)) : total('keys'), documents: total('documents'), requestCharge: hundredths(total('requestCharge')) }
}

function size({ body }: Put): number {
  return Buffer.byteLength(JSON.stringify(body))
}
