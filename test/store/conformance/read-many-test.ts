// Reading documents by key. How reads travel together is the loaders' business.

import { expect, test } from 'vitest'
import { book, bookKey, idsOf, review, withStore, type OpenStore } from './shelf.ts'

export function readManyTest(open: OpenStore): void {
  test('answers in the order of the keys, with undefined where there is no document', () =>
    withStore(open, [book('b1'), book('b2'), book('b3')], async (store) => {
      const found = await store.readMany('books', [bookKey('b3'), bookKey('nobody'), bookKey('b1')])
      expect(idsOf(found)).toEqual(['b3', undefined, 'b1'])
    }))

  test('answers the key, the body, its size and its etag', () =>
    withStore(open, [], async (store) => {
      const [etag] = await store.write([book('b1', { name: 'Süß 😀' })])
      const body = { id: 'b1', type: 'book', name: 'Süß 😀' }
      const [found] = await store.readMany('books', [bookKey('b1')])
      expect(found).toEqual({ key: bookKey('b1'), etag, body, bytes: Buffer.byteLength(JSON.stringify(body)) })
    }))

  test('answers a key that is given twice in both places', () =>
    withStore(open, [book('b1'), book('b2')], async (store) => {
      expect(idsOf(await store.readMany('books', [bookKey('b1'), bookKey('b2'), bookKey('b1')]))).toEqual(['b1', 'b2', 'b1'])
    }))

  test('answers no keys with no documents', () =>
    withStore(open, [book('b1')], async (store) => {
      expect(await store.readMany('books', [])).toEqual([])
    }))

  test('tells apart documents of the same id in different partitions', () =>
    withStore(open, [review('b1', 'r1', { rating: 1 }), review('b2', 'r1', { rating: 2 })], async (store) => {
      const keys = [{ partition: ['b2'], id: 'r1' }, { partition: ['b1'], id: 'r1' }, { partition: ['b3'], id: 'r1' }]
      const found = await store.readMany('reviews', keys)
      expect(found.map((document) => document?.body.rating)).toEqual([2, 1, undefined])
    }))

  test('tells apart partitions that only look alike', () => {
    const partitions = [['1'], [1], [true], ['true'], [null], ['null']]
    const documents = partitions.map((partition) => ({ kind: 'put', container: 'things', key: { partition, id: 't' }, body: { id: 't', shelf: partition[0]! } }) as const)
    return withStore(open, documents, async (store) => {
      const found = await store.readMany('things', partitions.map((partition) => ({ partition, id: 't' })))
      expect(found.map((document) => document?.body.shelf)).toEqual(['1', 1, true, 'true', null, 'null'])
    })
  })

  test('takes any character in an id', () => {
    const ids = [`'; DROP TABLE books; --`, '"', '😀', 'ünï', '%', 'a b', '[1]', '{}', 'null']
    return withStore(open, ids.map((id) => book(id)), async (store) => {
      expect(idsOf(await store.readMany('books', ids.map(bookKey)))).toEqual(ids)
    })
  })

  test('answers with the same object as long as nothing has changed, where it says so, and never with one that has', () =>
    withStore(open, [book('b1', { name: 'One' }), book('b2')], async (store) => {
      const read = async () => (await store.readMany('books', [bookKey('b1')]))[0]
      const [first, second] = [await read(), await read()]
      expect(first === second).toBe(store.supports.sameObjects)
      await store.write([book('b1', { name: 'Two' })])
      const third = await read()
      expect(third).not.toBe(second)
      expect([second?.body.name, third?.body.name]).toEqual(['One', 'Two'])
      // The same words once more are a change too: the etag is another one.
      await store.write([book('b1', { name: 'Two' })])
      expect(await read()).not.toBe(third)
    }))

  test('takes as many keys as it says', () =>
    withStore(open, Array.from({ length: 1000 }, (_, at) => book(`b${at}`)), async (store) => {
      const ids = Array.from({ length: store.supports.keysPerRequest }, (_, at) => `b${(at * 7) % 1000}`)
      expect(idsOf(await store.readMany('books', ids.map(bookKey)))).toEqual(ids)
    }))

  test('refuses a container that the layout does not have', () =>
    withStore(open, [], async (store) => {
      await expect(store.readMany('nowhere', [bookKey('b1')])).rejects.toThrow('nowhere')
    }))
}
