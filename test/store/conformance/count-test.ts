// Counts of documents, without the limit of a page.

import fc from '../../fast-check.ts'
import { expect, test } from 'vitest'
import { naiveSelect } from './naive.ts'
import { selection, things } from './random.ts'
import { book, refill, review, withStore, type OpenStore } from './shelf.ts'

export function countTest(open: OpenStore, numRuns: number): void {
  test('counts the selected documents', () =>
    withStore(open, [book('b1', { price: 1 }), book('b2', { price: 2 }), book('m1', { type: 'magazine' })], async (store) => {
      expect(await store.count({ container: 'books' })).toBe(3)
      expect(await store.count({ container: 'books', type: 'book' })).toBe(2)
      expect(await store.count({ container: 'books', type: 'book', where: { op: 'gt', path: ['price'], value: 1 } })).toBe(1)
      expect(await store.count({ container: 'books', type: 'newspaper' })).toBe(0)
    }))

  test('counts within a partition', () =>
    withStore(open, [review('b1', 'r1'), review('b1', 'r2'), review('b2', 'r3')], async (store) => {
      expect(await store.count({ container: 'reviews', partition: ['b1'] })).toBe(2)
    }))

  test('counts a document once, however many elements of its list match', () =>
    withStore(open, [book('b1', { authors: [{ id: 'a1' }, { id: 'a1' }] })], async (store) => {
      expect(await store.count({ container: 'books', type: 'book', where: { op: 'eq', path: ['authors', '*', 'id'], value: 'a1' } })).toBe(1)
    }))

  test('refuses a container that the layout does not have', () =>
    withStore(open, [], async (store) => {
      await expect(async () => store.count({ container: 'nowhere' })).rejects.toThrow('nowhere')
    }))

  test('random counts equal those of a naive scan', () =>
    withStore(open, [], (store) =>
      fc.assert(
        fc.asyncProperty(things, fc.array(selection, { minLength: 1, maxLength: 8 }), async (written, selections) => {
          await refill(store, 'things', written)
          for (const each of selections) expect(await store.count(each), JSON.stringify(each)).toBe(naiveSelect(written, each, store.supports.textOrder).length)
        }),
        { seed: 1, numRuns },
      )))
}
