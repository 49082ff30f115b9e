// The sizes of documents that are not read: exact if finding them is free, typical otherwise.

import { expect, test } from 'vitest'
import { book, bookKey, withStore, type OpenStore } from './shelf.ts'

export function sizesTest(open: OpenStore): void {
  test('are those of the documents as UTF-8 JSON, or typical of the documents read so far', () => {
    const written = book('b1', { name: 'Süß 😀' })
    return withStore(open, [written], async (store) => {
      const bytes = Buffer.byteLength(JSON.stringify(written.body))
      const exact = store.supports.sizes === 'exact'
      if (!exact) await store.readMany('books', [bookKey('b1')])
      expect(await store.sizes('books', [bookKey('b1'), bookKey('nobody'), bookKey('b1')])).toEqual([bytes, exact ? undefined : bytes, bytes])
    })
  })

  test('agree with the sizes of read documents', () =>
    withStore(open, [book('b1'), book('b2', { name: 'x'.repeat(5000) })], async (store) => {
      if (store.supports.sizes !== 'exact') return
      const keys = [bookKey('b1'), bookKey('b2')]
      const read = await store.readMany('books', keys)
      expect(await store.sizes('books', keys)).toEqual(read.map((document) => document?.bytes))
    }))
}
