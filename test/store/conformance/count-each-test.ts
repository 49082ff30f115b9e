// One count for each of several values: each must equal the count for that value alone.

import fc from '../../fast-check.ts'
import { expect, test } from 'vitest'
import { also, naiveSelect } from './naive.ts'
import { path, scalar, selection, things } from './random.ts'
import { book, refill, withStore, type OpenStore } from './shelf.ts'

export function countEachTest(open: OpenStore, numRuns: number): void {
  const shelf = [
    book('b1', { price: 1, 'pub-id': 'p1', authors: [{ id: 'a1' }, { id: 'a2' }] }),
    book('b2', { price: 2, 'pub-id': 'p1', authors: [{ id: 'a2' }, { id: 'a2' }] }),
    book('b3', { price: 3, 'pub-id': 'p2' }),
    book('m1', { type: 'magazine', 'pub-id': 'p1', authors: [{ id: 'a2' }] }),
  ]
  const all = { container: 'books', type: 'book' }

  test('returns a count for each value, in the order of the values', () =>
    withStore(open, shelf, async (store) => {
      expect(await store.countEach(all, ['pub-id'], ['p2', 'nobody', 'p1', 'p2'])).toEqual([1, 0, 2, 1])
    }))

  test('counts a document for each distinct element of its list', () =>
    withStore(open, shelf, async (store) => {
      expect(await store.countEach(all, ['authors', '*', 'id'], ['a1', 'a2', 'a3'])).toEqual([1, 2, 0])
    }))

  test('applies the conditions of the selection', () =>
    withStore(open, shelf, async (store) => {
      const where = { op: 'gt', path: ['price'], value: 1 } as const
      expect(await store.countEach({ ...all, where }, ['pub-id'], ['p1', 'p2'])).toEqual([1, 1])
      expect(await store.countEach({ ...all, where }, ['authors', '*', 'id'], ['a1', 'a2'])).toEqual([0, 1])
    }))

  test('returns no counts for no values', () =>
    withStore(open, shelf, async (store) => {
      expect(await store.countEach(all, ['pub-id'], [])).toEqual([])
    }))

  test('counts for random values equal those of a naive scan', () =>
    withStore(open, [], (store) =>
      fc.assert(
        fc.asyncProperty(things, selection, path, fc.array(scalar, { maxLength: 6 }), async (written, each, by, values) => {
          await refill(store, 'things', written)
          const expected = values.map((value) => naiveSelect(written, { ...each, where: also(each.where, by, value) }, store.supports.textOrder).length)
          expect(await store.countEach(each, by, values)).toEqual(expected)
        }),
        { seed: 1, numRuns },
      )))
}
