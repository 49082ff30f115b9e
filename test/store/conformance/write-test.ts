// Writes: all or nothing, with conditions, with a new etag each time.

import { expect, test } from 'vitest'
import { ConflictError, TooLargeError } from '../../../src/store/store-errors.ts'
import type { Store } from '../../../src/store/store.ts'
import { book, bookKey, books, idsOf, review, withStore, type OpenStore } from './shelf.ts'

export function writeTest(open: OpenStore): void {
  test('putting a document again replaces it', () =>
    withStore(open, [book('b1', { price: 1, old: true })], async (store) => {
      await store.write([book('b1', { price: 2 })])
      expect((await read(store, 'b1'))?.body).toEqual({ id: 'b1', type: 'book', name: 'Book b1', price: 2 })
      expect(await store.count({ container: 'books' })).toBe(1)
    }))

  test('every write returns a new etag, even for an unchanged document', () =>
    withStore(open, [], async (store) => {
      const etags: string[] = []
      for (let time = 0; time < 5; time++) etags.push(...(await store.write([book('b1')])))
      expect(new Set(etags).size).toBe(5)
      expect((await read(store, 'b1'))?.etag).toBe(etags.at(-1))
    }))

  test('several writes return their etags in order, and an empty one for a deletion', () =>
    withStore(open, [review('b1', 'r1')], async (store) => {
      const key = { partition: ['b1'], id: 'r1' }
      const etags = await store.write([review('b1', 'r2'), { kind: 'delete', container: 'reviews', key }, review('b1', 'r3')])
      const found = await store.readMany('reviews', [{ ...key, id: 'r2' }, key, { ...key, id: 'r3' }])
      expect(etags).toEqual([found[0]?.etag, '', found[2]?.etag])
      expect(found[1]).toBeUndefined()
    }))

  test('a deleted document is missing, and can be deleted again', () =>
    withStore(open, [book('b1')], async (store) => {
      await store.write([remove('b1')])
      expect(await read(store, 'b1')).toBeUndefined()
      expect(await store.write([remove('b1')])).toEqual([''])
    }))

  test('if-absent creates a missing document and refuses an existing one', () =>
    withStore(open, [], async (store) => {
      await store.write([{ ...book('b1', { price: 1 }), only: 'if-absent' }])
      const refused = store.write([{ ...book('b1', { price: 2 }), only: 'if-absent' }])
      await expect(refused).rejects.toThrow('books/b1 exists already')
      await expect(refused).rejects.toMatchObject({ name: 'ConflictError', container: 'books', key: bookKey('b1'), found: 'present' })
      expect((await read(store, 'b1'))?.body.price).toBe(1)
    }))

  test('a matching etag allows a write', () =>
    withStore(open, [], async (store) => {
      const [first] = await store.write([book('b1')])
      const [second] = await store.write([{ ...book('b1', { price: 2 }), only: { ifMatch: first! } }])
      expect(await read(store, 'b1')).toMatchObject({ etag: second, body: { price: 2 } })
      await store.write([{ ...remove('b1'), only: { ifMatch: second! } }])
      expect(await read(store, 'b1')).toBeUndefined()
    }))

  test('an outdated etag refuses a put and a deletion', () =>
    withStore(open, [], async (store) => {
      const [first] = await store.write([book('b1', { price: 1 })])
      await store.write([book('b1', { price: 2 })])
      await expect(store.write([{ ...book('b1', { price: 3 }), only: { ifMatch: first! } }])).rejects.toMatchObject({ found: 'changed' })
      await expect(store.write([{ ...remove('b1'), only: { ifMatch: first! } }])).rejects.toMatchObject({ found: 'changed' })
      expect((await read(store, 'b1'))?.body.price).toBe(2)
    }))

  test('the etag of a deleted document refuses a put and a deletion', () =>
    withStore(open, [], async (store) => {
      const [first] = await store.write([book('b1')])
      await store.write([remove('b1')])
      await expect(store.write([{ ...book('b1'), only: { ifMatch: first! } }])).rejects.toMatchObject({ found: 'absent' })
      await expect(store.write([{ ...remove('b1'), only: { ifMatch: first! } }])).rejects.toMatchObject({ found: 'absent' })
      expect(await read(store, 'b1')).toBeUndefined()
    }))

  test('of two writers with the same etag exactly one succeeds', () =>
    withStore(open, [], async (store) => {
      const [etag] = await store.write([book('b1')])
      const attempts = [1, 2].map((price) => store.write([{ ...book('b1', { price }), only: { ifMatch: etag! } }]))
      const outcomes = await Promise.allSettled(attempts)
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }))

  test('if one write is refused, none is made', () =>
    withStore(open, [review('b1', 'r1', { rating: 1 }), review('b1', 'r2')], async (store) => {
      const writes = [
        review('b1', 'r1', { rating: 4 }),
        review('b1', 'r1', { rating: 5 }),
        { kind: 'delete', container: 'reviews', key: { partition: ['b1'], id: 'r2' } } as const,
        review('b1', 'r3'),
        { ...review('b1', 'r1'), only: 'if-absent' } as const,
      ]
      await expect(store.write(writes)).rejects.toBeInstanceOf(ConflictError)
      const all = await store.query({ container: 'reviews', orderBy: { path: ['id'], descending: false }, limit: 10 })
      expect(all.map(({ body }) => [body.id, body.rating])).toEqual([['r1', 1], ['r2', undefined]])
    }))

  test('writes across partitions and containers are made together, or refused together', () =>
    withStore(open, [book('b1')], async (store) => {
      const together = store.write([book('b2'), review('b2', 'r1'), { ...book('b3'), only: 'if-absent' }])
      if (store.supports.atomic === 'store') {
        await together
        await expect(store.write([book('b4'), review('b4', 'r4'), { ...book('b1'), only: 'if-absent' }])).rejects.toBeInstanceOf(ConflictError)
        expect(idsOf(await store.query(books()))).toEqual(['b1', 'b2', 'b3'])
        expect(await store.count({ container: 'reviews' })).toBe(1)
      } else {
        await expect(together).rejects.toThrow()
        expect(idsOf(await store.query(books()))).toEqual(['b1'])
        expect(await store.count({ container: 'reviews' })).toBe(0)
      }
    }))

  test('a write sees the earlier writes of the same call', () =>
    withStore(open, [], async (store) => {
      await expect(store.write([{ ...book('b1'), only: 'if-absent' }, { ...book('b1'), only: 'if-absent' }])).rejects.toMatchObject({ found: 'present' })
      expect(await read(store, 'b1')).toBeUndefined()
      await store.write([book('b1'), remove('b1'), { ...book('b1', { price: 3 }), only: 'if-absent' }])
      expect((await read(store, 'b1'))?.body.price).toBe(3)
    }))

  test('a document of the maximum size is written; a larger one is refused and nothing is written', () =>
    withStore(open, [], async (store) => {
      const limit = store.supports.documentBytes
      const room = limit - Buffer.byteLength(JSON.stringify(book('b1', { text: '' }).body))
      await store.write([book('b1', { text: 'x'.repeat(room) })])
      expect((await read(store, 'b1'))?.bytes).toBe(limit)
      const tooLarge = store.write([book('b1', { price: 1 }), book('b1', { text: 'x'.repeat(room - 1) + 'é' })])
      await expect(tooLarge).rejects.toBeInstanceOf(TooLargeError)
      await expect(tooLarge).rejects.toThrow(`books/b1 would have ${limit + 1} bytes, and the maximum is ${limit}`)
      expect((await read(store, 'b1'))?.bytes).toBe(limit)
    }))

  test('changing the body object after the write does not change the stored document', () =>
    withStore(open, [], async (store) => {
      const body = { id: 'b1', type: 'book', authors: [{ id: 'a1' }] }
      await store.write([{ kind: 'put', container: 'books', key: bookKey('b1'), body }])
      body.authors[0]!.id = 'changed'
      body.type = 'changed'
      expect((await read(store, 'b1'))?.body).toEqual({ id: 'b1', type: 'book', authors: [{ id: 'a1' }] })
    }))

  test('a body is returned as JSON would transport it', () =>
    withStore(open, [], async (store) => {
      const body = { texts: ['', '😀', '\u0000', '"\\', '\u2028'], numbers: [0, -1.5, 1e21, 2 ** 53], nested: { 'a-b': [[null, true], {}] }, gone: undefined }
      await store.write([book('b1', body)])
      const { gone: _, ...kept } = body
      expect((await read(store, 'b1'))?.body).toStrictEqual({ id: 'b1', type: 'book', name: 'Book b1', ...kept })
    }))

  test('queries find a document by its current values', () =>
    withStore(open, [book('b1', { name: 'a', price: 1 })], async (store) => {
      const priced = (value: number) => store.count({ container: 'books', type: 'book', where: { op: 'eq', path: ['price'], value } })
      expect([await priced(1), await priced(2)]).toEqual([1, 0])
      await store.write([book('b1', { name: 'a', price: 2 })])
      expect([await priced(1), await priced(2)]).toEqual([0, 1])
      await store.write([book('b1', { type: 'magazine', price: 2 })])
      expect([await priced(1), await priced(2)]).toEqual([0, 0])
    }))

  test('refuses a container that the layout does not have, and writes nothing', () =>
    withStore(open, [], async (store) => {
      await expect(store.write([book('b1'), { ...book('b1'), container: 'nowhere' }])).rejects.toThrow('nowhere')
      expect(await read(store, 'b1')).toBeUndefined()
    }))
}

function remove(id: string) {
  return { kind: 'delete', container: 'books', key: bookKey(id) } as const
}

async function read(store: Store, id: string) {
  const [document] = await store.readMany('books', [bookKey(id)])
  return document
}
