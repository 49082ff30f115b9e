// Reading documents by key. The loaders batch reads.

import { expect, test } from 'vitest'
import { book, bookKey, idsOf, review, withStore, type OpenStore } from './shelf.ts'

export function readManyTest(open: OpenStore): void {
  test('returns documents in the order of the keys, undefined for a missing one', () =>
    withStore(open, [book('b1'), book('b2'), book('b3')], async (store) => {
      const found = await store.readMany('books', [bookKey('b3'), bookKey('nobody'), bookKey('b1')])
      expect(idsOf(found)).toEqual(['b3', undefined, 'b1'])
    }))

  test('returns the key, the body, its size and its etag', () =>
    withStore(open, [], async (store) => {
      const [etag] = await store.write([book('b1', { name: 'Süß 😀' })])
      const body = { id: 'b1', type: 'book', name: 'Süß 😀' }
      const [found] = await store.readMany('books', [bookKey('b1')])
      expect(found).toEqual({ key: bookKey('b1'), etag, body, bytes: Buffer.byteLength(JSON.stringify(body)) })
    }))

  test('returns the document of a key that is given twice at both positions', () =>
    withStore(open, [book('b1'), book('b2')], async (store) => {
      expect(idsOf(await store.readMany('books', [bookKey('b1'), bookKey('b2'), bookKey('b1')]))).toEqual(['b1', 'b2', 'b1'])
    }))

  test('returns no documents for no keys', () =>
    withStore(open, [book('b1')], async (store) => {
      expect(await store.readMany('books', [])).toEqual([])
    }))

  test('distinguishes documents with the same id in different partitions', () =>
    withStore(open, [review('b1', 'r1', { rating: 1 }), review('b2', 'r1', { rating: 2 })], async (store) => {
      const keys = [{ partition: ['b2'], id: 'r1' }, { partition: ['b1'], id: 'r1' }, { partition: ['b3'], id: 'r1' }]
      const found = await store.readMany('reviews', keys)
      expect(found.map((document) => document?.body.rating)).toEqual([2, 1, undefined])
    }))

  test('distinguishes partitions that look alike', () => {
    const partitions = [['1'], [1], [true], ['true'], [null], ['null']]
    const documents = partitions.map((partition) => ({ kind: 'put', container: 'things', key: { partition, id: 't' }, body: { id: 't', shelf: partition[0]! } }) as const)
    return withStore(open, documents, async (store) => {
      const found = await store.readMany('things', partitions.map((partition) => ({ partition, id: 't' })))
      expect(found.map((document) => document?.body.shelf)).toEqual(['1', 1, true, 'true', null, 'null'])
    })
  })

  test('allows any character in an id', () => {
    const ids = [`'; DROP TABLE books; --`, '"', '😀', 'ünï', '%', 'a b', '[1]', '{}', 'null']
    return withStore(open, ids.map((id) => book(id)), async (store) => {
      expect(idsOf(await store.readMany('books', ids.map(bookKey)))).toEqual(ids)
    })
  })

  test('returns the same object while a document is unchanged, if the store supports that, and never a changed one', () =>
    withStore(open, [book('b1', { name: 'One' }), book('b2')], async (store) => {
      const read = async () => (await store.readMany('books', [bookKey('b1')]))[0]
      const [first, second] = [await read(), await read()]
      expect(first === second).toBe(store.supports.sameObjects)
      await store.write([book('b1', { name: 'Two' })])
      const third = await read()
      expect(third).not.toBe(second)
      expect([second?.body.name, third?.body.name]).toEqual(['One', 'Two'])
      // Writing the same body again is a change: the etag is new.
      await store.write([book('b1', { name: 'Two' })])
      expect(await read()).not.toBe(third)
    }))

  test('accepts supports.keysPerRequest keys', () =>
    withStore(open, Array.from({ length: 1000 }, (_, at) => book(`b${at}`)), async (store) => {
      const ids = Array.from({ length: store.supports.keysPerRequest }, (_, at) => `b${(at * 7) % 1000}`)
      expect(idsOf(await store.readMany('books', ids.map(bookKey)))).toEqual(ids)
    }))

  test('refuses a container that the layout does not have', () =>
    withStore(open, [], async (store) => {
      await expect(async () => store.readMany('nowhere', [bookKey('b1')])).rejects.toThrow('nowhere')
    }))
}
