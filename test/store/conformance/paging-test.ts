// Paging through a list. A page starts at the position where the last one ended, so writes in between
// do not shift it.

import fc from '../../fast-check.ts'
import { expect, test } from 'vitest'
import { reversed, type Query } from '../../../src/store/query.ts'
import type { Store, StoredDocument } from '../../../src/store/store.ts'
import { naiveQuery, positionOf } from './naive.ts'
import { query, things } from './random.ts'
import { book, bookKey, books, idsOf, refill, thing, withStore, type OpenStore } from './shelf.ts'

export function pagingTest(open: OpenStore, numRuns: number): void {
  const byName = { path: ['name'], descending: false }
  const shelf = ['a', 'b', 'c', 'd', 'e'].map((name, at) => book(`b${at}`, { name }))

  test('a page has at most its limit of documents, and the next one continues after it', () =>
    withStore(open, shelf, async (store) => {
      expect(idsOf(await store.query(books({ orderBy: byName, limit: 2 })))).toEqual(['b0', 'b1'])
      expect(idsOf(await store.query(books({ orderBy: byName, limit: 2, after: { value: 'b', id: 'b1' } })))).toEqual(['b2', 'b3'])
      expect(idsOf(await store.query(books({ orderBy: byName, limit: 2, after: { value: 'd', id: 'b3' } })))).toEqual(['b4'])
      expect(await store.query(books({ orderBy: byName, limit: 2, after: { value: 'e', id: 'b4' } }))).toEqual([])
    }))

  test('the opposite direction from the same position leads back', () =>
    withStore(open, shelf, async (store) => {
      const back = books({ orderBy: { path: ['name'], descending: true }, limit: 2, after: { value: 'd', id: 'b3' } })
      expect(idsOf(await store.query(back))).toEqual(['b2', 'b1'])
    }))

  test('documents with the same value, or none, are ordered by id', () =>
    withStore(open, [book('b3', { price: 1 }), book('b1', { price: 1 }), book('b2'), book('b4', { price: null })], async (store) => {
      expect(await walk(store, books({ orderBy: { path: ['price'], descending: false }, limit: 1 }))).toEqual(['b2', 'b4', 'b1', 'b3'])
      expect(await walk(store, books({ orderBy: { path: ['price'], descending: true }, limit: 1 }))).toEqual(['b3', 'b1', 'b4', 'b2'])
    }))

  test('orders by several values, each in its direction, and by id among equal ones', () =>
    withStore(open, [thing('t1', { n: 2, Name: 'a' }), thing('t2', { n: 1, Name: 'b' }), thing('t3', { n: 1, Name: 'a' }), thing('t4', { Name: 'a' }), thing('t5', { n: 1, Name: 'b' })], async (store) => {
      const list: Query = { container: 'things', orderBy: { path: ['n'], descending: true, thenBy: [{ path: ['Name'], descending: false }] }, limit: 1 }
      expect(await walk(store, list)).toEqual(['t1', 't3', 't5', 't2', 't4'])
      expect(await walk(store, { ...list, orderBy: reversed(list.orderBy), limit: 2 })).toEqual(['t4', 't2', 't5', 't3', 't1'])
    }))

  test('numbers beyond exact integers are valid positions', () => {
    const prices = [-(2 ** 63), -(2 ** 62) - 1024, 2 ** 53, 2 ** 53 + 2, 2 ** 62 + 2048, 2 ** 63, 1e21, Number.MAX_VALUE]
    const priced = prices.map((price, at) => book(`b${at}`, { price }))
    return withStore(open, priced, async (store) => {
      expect(await walk(store, books({ orderBy: { path: ['price'], descending: false }, limit: 1 }))).toEqual(idsOf(priced))
      expect(await walk(store, books({ orderBy: { path: ['price'], descending: true }, limit: 1 }))).toEqual(idsOf(priced.toReversed()))
    })
  })

  test('a position stays valid when its document is deleted', () =>
    withStore(open, shelf, async (store) => {
      await store.write([{ kind: 'delete', container: 'books', key: bookKey('b1') }])
      expect(idsOf(await store.query(books({ orderBy: byName, limit: 2, after: { value: 'b', id: 'b1' } })))).toEqual(['b2', 'b3'])
    }))

  test('a document that is added before a position is not on the page after it', () =>
    withStore(open, shelf, async (store) => {
      await store.write([book('new', { name: 'aa' })])
      expect(idsOf(await store.query(books({ orderBy: byName, limit: 2, after: { value: 'b', id: 'b1' } })))).toEqual(['b2', 'b3'])
    }))

  test('a condition and a position limit the same list from both ends', () =>
    withStore(open, shelf, async (store) => {
      const where = { op: 'and', conditions: [{ op: 'gte', path: ['name'], value: 'a' }, { op: 'lt', path: ['name'], value: 'e' }] } as const
      expect(idsOf(await store.query(books({ orderBy: byName, where, after: { value: 'b', id: 'b1' } })))).toEqual(['b2', 'b3'])
    }))

  test('random lists in pages of random size contain every document exactly once, in order', () =>
    withStore(open, [], (store) =>
      fc.assert(
        fc.asyncProperty(things, query, fc.integer({ min: 1, max: 7 }), async (written, { after: _, ...list }, limit) => {
          await refill(store, 'things', written)
          for (const orderBy of [list.orderBy, reversed(list.orderBy)]) {
            const whole = { ...list, orderBy }
            expect(await walk(store, { ...whole, limit })).toEqual(idsOf(naiveQuery(written, { ...whole, limit: Infinity }, store.supports.textOrder)))
          }
        }),
        { seed: 1, numRuns },
      )))
}

async function walk(store: Store, first: Query): Promise<(string | undefined)[]> {
  const met: StoredDocument[] = []
  let page = await store.query(first)
  while (page.length > 0) {
    met.push(...page)
    // Ends even if a store returns the same page for ever.
    if (met.length > 1000) throw new Error('The pages do not end.')
    page = await store.query({ ...first, after: positionOf(page.at(-1)!, first.orderBy) })
  }
  return idsOf(met)
}
