// Opening and closing a store.

import { expect, test } from 'vitest'
import { storeKinds } from '../../../src/store/open-store.ts'
import { book, layout, withStore, type OpenStore } from './shelf.ts'

export function lifecycleTest(name: keyof typeof storeKinds, open: OpenStore): void {
  test('it supports what the table of stores says of its kind', () =>
    withStore(open, [], async ({ supports: { atomic, durable } }) => {
      expect({ atomic, durable }).toEqual({ atomic: storeKinds[name].atomic, durable: storeKinds[name].durable })
    }))

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
