// Opening and closing a store.

import { expect, test } from 'vitest'
import { book, layout, withStore, type OpenStore } from './shelf.ts'

export function lifecycleTest(open: OpenStore): void {
  test('it answers a ping', () =>
    withStore(open, [], async (store) => {
      await expect(store.ping()).resolves.toBeUndefined()
    }))

  test('it can be closed twice', () =>
    withStore(open, [book('b1')], async (store) => {
      await store.close()
      await expect(store.close()).resolves.toBeUndefined()
    }))

  test('two stores opened for tests know nothing of each other', () =>
    withStore(open, [book('b1')], async () => {
      const other = await open(layout)
      expect(await other.count({ container: 'books' })).toBe(0)
      await other.close()
    }))
}
