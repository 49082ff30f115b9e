// The sizes of documents that nobody reads, where a store has them for nothing.

import { expect, test } from 'vitest'
import { book, bookKey, withStore, type OpenStore } from './shelf.ts'

export function sizesTest(open: OpenStore): void {
  test('are those of the documents as UTF-8 JSON, or the store says it has none', () => {
    const written = book('b1', { name: 'Süß 😀' })
    return withStore(open, [written], async (store) => {
      const asked = store.sizes('books', [bookKey('b1'), bookKey('nobody'), bookKey('b1')])
      if (!store.supports.sizes) return expect(asked).rejects.toThrow()
      const bytes = Buffer.byteLength(JSON.stringify(written.body))
      return expect(await asked).toEqual([bytes, undefined, bytes])
    })
  })

  test('agree with what reading says', () =>
    withStore(open, [book('b1'), book('b2', { name: 'x'.repeat(5000) })], async (store) => {
      if (!store.supports.sizes) return
      const keys = [bookKey('b1'), bookKey('b2')]
      const read = await store.readMany('books', keys)
      expect(await store.sizes('books', keys)).toEqual(read.map((document) => document?.bytes))
    }))
}
