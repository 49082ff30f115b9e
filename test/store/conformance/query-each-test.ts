// One page for each of several values: each must equal the page of a query for that value alone.

import fc from '../../fast-check.ts'
import { expect, test } from 'vitest'
import { also, naiveQuery } from './naive.ts'
import { path, query, scalar, things } from './random.ts'
import { book, books, idsOf, refill, withStore, type OpenStore } from './shelf.ts'

export function queryEachTest(open: OpenStore, numRuns: number): void {
  const shelf = [
    book('b1', { name: 'd', 'pub-id': 'p1', authors: [{ id: 'a1' }, { id: 'a2' }] }),
    book('b2', { name: 'c', 'pub-id': 'p2', authors: [{ id: 'a2' }] }),
    book('b3', { name: 'b', 'pub-id': 'p1', authors: [{ id: 'a2' }, { id: 'a2' }] }),
    book('b4', { name: 'a', 'pub-id': 'p1', authors: [] }),
    book('b5', { name: 'e' }),
    book('b6', { name: 'f', 'pub-id': 1 }),
    book('m1', { name: 'g', 'pub-id': 'p1', type: 'magazine' }),
  ]
  const byName = { path: ['name'], descending: false }

  test('returns a page for each value, in the order of the values', () =>
    withStore(open, shelf, async (store) => {
      const pages = await store.queryEach(books(), ['pub-id'], ['p2', 'nobody', 'p1'])
      expect(pages.map(idsOf)).toEqual([['b2'], [], ['b1', 'b3', 'b4']])
    }))

  test('orders and limits each page by itself', () =>
    withStore(open, shelf, async (store) => {
      const pages = await store.queryEach(books({ orderBy: byName, limit: 2 }), ['pub-id'], ['p1', 'p2'])
      expect(pages.map(idsOf)).toEqual([['b4', 'b3'], ['b2']])
      const backwards = await store.queryEach(books({ orderBy: { path: ['name'], descending: true }, limit: 2 }), ['pub-id'], ['p1', 'p2'])
      expect(backwards.map(idsOf)).toEqual([['b1', 'b3'], ['b2']])
    }))

  test('continues after the same position for each value', () =>
    withStore(open, shelf, async (store) => {
      const pages = await store.queryEach(books({ orderBy: byName, after: { value: 'b', id: 'b3' } }), ['pub-id'], ['p1', 'p2'])
      expect(pages.map(idsOf)).toEqual([['b1'], ['b2']])
    }))

  test('finds a document for each distinct element of its list', () =>
    withStore(open, shelf, async (store) => {
      const pages = await store.queryEach(books({ orderBy: byName }), ['authors', '*', 'id'], ['a1', 'a2', 'a3'])
      expect(pages.map(idsOf)).toEqual([['b1'], ['b3', 'b2', 'b1'], []])
    }))

  test('applies the conditions of the query', () =>
    withStore(open, shelf, async (store) => {
      const where = { op: 'gt', path: ['name'], value: 'b' } as const
      expect((await store.queryEach(books({ where }), ['pub-id'], ['p1', 'p2'])).map(idsOf)).toEqual([['b1'], ['b2']])
      expect((await store.queryEach(books({ where }), ['authors', '*', 'id'], ['a2'])).map(idsOf)).toEqual([['b1', 'b2']])
      expect((await store.queryEach(books({ partition: ['b3'] }), ['authors', '*', 'id'], ['a2'])).map(idsOf)).toEqual([['b3']])
    }))

  test('finds documents of all types if none is given', () =>
    withStore(open, [...shelf, book('m2', { type: 'magazine', authors: [{ id: 'a1' }] })], async (store) => {
      const { type: _, ...ofAnyType } = books()
      expect((await store.queryEach(ofAnyType, ['pub-id'], ['p1'])).map(idsOf)).toEqual([['b1', 'b3', 'b4', 'm1']])
      expect((await store.queryEach(ofAnyType, ['authors', '*', 'id'], ['a1'])).map(idsOf)).toEqual([['b1', 'm2']])
    }))

  test('values of different types differ, and null matches a missing value', () =>
    withStore(open, shelf, async (store) => {
      const pages = await store.queryEach(books(), ['pub-id'], [1, '1', true, null])
      expect(pages.map(idsOf)).toEqual([['b6'], [], [], ['b5']])
    }))

  test('returns the page of a value that is given twice at both positions', () =>
    withStore(open, shelf, async (store) => {
      expect((await store.queryEach(books(), ['pub-id'], ['p2', 'p1', 'p2'])).map(idsOf)).toEqual([['b2'], ['b1', 'b3', 'b4'], ['b2']])
    }))

  test('returns no pages for no values', () =>
    withStore(open, shelf, async (store) => {
      expect(await store.queryEach(books(), ['pub-id'], [])).toEqual([])
    }))

  test('reflects changes of a list', () =>
    withStore(open, shelf, async (store) => {
      await store.write([book('b1', { name: 'd', authors: [{ id: 'a3' }] })])
      await store.write([{ kind: 'delete', container: 'books', key: { partition: ['b2'], id: 'b2' } }])
      const pages = await store.queryEach(books({ orderBy: byName }), ['authors', '*', 'id'], ['a1', 'a2', 'a3'])
      expect(pages.map(idsOf)).toEqual([[], ['b3'], ['b1']])
    }))

  test('pages for random values equal those of one query per value', () =>
    withStore(open, [], (store) =>
      fc.assert(
        fc.asyncProperty(things, query, path, fc.array(scalar, { maxLength: 6 }), async (written, each, by, values) => {
          await refill(store, 'things', written)
          const expected = values.map((value) => idsOf(naiveQuery(written, { ...each, where: also(each.where, by, value) }, store.supports.textOrder)))
          expect((await store.queryEach(each, by, values)).map(idsOf)).toEqual(expected)
        }),
        { seed: 1, numRuns },
      )))
}
