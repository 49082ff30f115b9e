// Atomic reads and writes, on stores that support them.

import { expect, test } from 'vitest'
import { ConflictError } from '../../../src/store/store-errors.ts'
import type { Store } from '../../../src/store/store.ts'
import { followAll, idsAndFates } from './following.ts'
import { book, bookKey, books, idsOf, increment, priceOf, review, underWay, withStore, type OpenStore, type Put } from './shelf.ts'

export function atomicallyTest(open: OpenStore): void {
  const withAtomicStore = (documents: readonly Put[], work: (store: Store) => Promise<void>): Promise<void> =>
    withStore(open, documents, (store) =>
      store.supports.atomic === 'store' ? work(store) : expect(store.atomically(async () => [])).rejects.toThrow())

  test('makes the writes that the plan returns, and returns their etags', () =>
    withAtomicStore([book('b1'), book('b2')], async (store) => {
      const etags = await store.atomically(async () => [book('b1', { price: 1 }), { kind: 'delete', container: 'books', key: bookKey('b2') }, review('b1', 'r1')])
      const [b1] = await store.readMany('books', [bookKey('b1')])
      const [r1] = await store.readMany('reviews', [review('b1', 'r1').key])
      expect(etags).toEqual([b1!.etag, '', r1!.etag])
      expect(b1!.body.price).toBe(1)
      expect(idsOf(await store.query(books()))).toEqual(['b1'])
    }))

  test('a plan that returns no writes writes nothing', () =>
    withAtomicStore([book('b1')], async (store) => {
      expect(await store.atomically(async () => [])).toEqual([])
      expect(idsAndFates(await followAll(store))).toEqual(['b1'])
      await store.write([book('b2')])
      expect(idsOf(await store.query(books()))).toEqual(['b1', 'b2'])
    }))

  test('concurrent increments are never lost', () =>
    withAtomicStore([book('b1', { price: 0 })], async (store) => {
      await Promise.all(Array.from({ length: 200 }, () => increment(store, 'b1')))
      expect(await priceOf(store, 'b1')).toBe(200)
    }))

  test('plans run one after the other, first come, first served', () =>
    withAtomicStore([], async (store) => {
      const steps: string[] = []
      const plan = (name: string) => store.atomically(async () => {
        steps.push(`${name} begins`)
        for (let reads = 0; reads < 3; reads++) await store.readMany('books', [bookKey(name)])
        steps.push(`${name} ends`)
        return [book(name)]
      })
      await Promise.all(['b1', 'b2', 'b3'].map(plan))
      expect(steps).toEqual(['b1 begins', 'b1 ends', 'b2 begins', 'b2 ends', 'b3 begins', 'b3 ends'])
    }))

  test('reads go on meanwhile, and see all writes of a plan or none', () =>
    withAtomicStore([book('b1', { price: 100 }), book('b2', { price: 0 })], async (store) => {
      const accounts = [bookKey('b1'), bookKey('b2')]
      const prices = async (): Promise<number[]> => (await store.readMany('books', accounts)).map((document) => Number(document!.body.price))
      const move = () => store.atomically(async () => {
        const [from, to] = await prices()
        return [book('b1', { price: from! - 1 }), book('b2', { price: to! + 1 })]
      })
      const moved = Promise.all(Array.from({ length: 50 }, move))
      for (let reads = 0; reads < 100; reads++) {
        const [from, to] = await prices()
        expect(from! + to!).toBe(100)
      }
      await moved
      expect(await prices()).toEqual([50, 50])
    }))

  test('nothing is written before the plan returns, and a plain write waits for that', () =>
    withAtomicStore([book('b1', { price: 0 })], async (store) => {
      const plan = await underWay(store)
      const plain = store.write([book('b1', { price: 2 }), book('b2')])
      for (let reads = 0; reads < 10; reads++) expect(await priceOf(store, 'b1')).toBe(0)
      expect(await store.count({ container: 'books' })).toBe(1)
      plan.end([book('b1', { price: 1 })])
      await plan.ended
      await plain
      expect(await priceOf(store, 'b1')).toBe(2)
      expect(idsAndFates(await followAll(store)).toSorted()).toEqual(['b1', 'b2'])
    }))

  test('a plan waits for earlier writes, and sees them', () =>
    withAtomicStore([], async (store) => {
      const plain = store.write([book('b1', { price: 7 })])
      await increment(store, 'b1')
      await plain
      expect(await priceOf(store, 'b1')).toBe(8)
    }))

  test('a plan that throws writes nothing, passes on its error and lets the next one run', () =>
    withAtomicStore([book('b1', { price: 0 })], async (store) => {
      const error = new Error('changed my mind')
      const failed = store.atomically(async () => {
        await priceOf(store, 'b1')
        throw error
      })
      const next = store.atomically(async () => [book('b2', { price: await priceOf(store, 'b1') })])
      await expect(failed).rejects.toBe(error)
      await next
      await store.write([book('b3')])
      expect(idsOf(await store.query(books()))).toEqual(['b1', 'b2', 'b3'])
    }))

  test('a plan that throws synchronously does so, too', () =>
    withAtomicStore([], async (store) => {
      await expect(store.atomically(() => { throw new Error('at once') })).rejects.toThrow('at once')
      await store.atomically(async () => [book('b1')])
      expect(idsOf(await store.query(books()))).toEqual(['b1'])
    }))

  test('if one condition is not met, none of the writes is made', () =>
    withAtomicStore([book('b1')], async (store) => {
      const [found] = await store.readMany('books', [bookKey('b1')])
      const refused = store.atomically(async () => [book('b2'), { ...book('b1', { price: 1 }), only: { ifMatch: 'another' } }])
      await expect(refused).rejects.toBeInstanceOf(ConflictError)
      expect(idsOf(await store.query(books()))).toEqual(['b1'])
      await store.atomically(async () => [book('b2'), { ...book('b1', { price: 1 }), only: { ifMatch: found!.etag } }])
      expect(idsOf(await store.query(books()))).toEqual(['b1', 'b2'])
    }))

  test('a document that is too large or has no container writes nothing', () =>
    withAtomicStore([], async (store) => {
      await expect(store.atomically(async () => [book('b1'), book('b2', { text: 'x'.repeat(store.supports.documentBytes) })])).rejects.toThrow('books/b2 would have')
      await expect(store.atomically(async () => [book('b1'), { ...book('b2'), container: 'nowhere' }])).rejects.toThrow('nowhere')
      await store.atomically(async () => [book('b3')])
      expect(idsOf(await store.query(books()))).toEqual(['b3'])
    }))

  test.each<[string, (store: Store) => Promise<unknown>]>([
    ['write', (store) => store.write([book('b1')])],
    ['atomically', (store) => store.atomically(async () => [book('b1')])],
  ])('a plan that calls %s itself gets an error, rather than waiting for its own end', (_, nested) =>
    withAtomicStore([], async (store) => {
      const told = 'The plan of an atomic write called write or atomically.'
      await expect(store.atomically(async () => {
        await store.ping()
        await nested(store)
        return []
      })).rejects.toThrow(told)
      await nested(store)
      expect(idsOf(await store.query(books()))).toEqual(['b1'])
    }))

  test('a plan may write to another store', () =>
    withAtomicStore([], (store) =>
      withAtomicStore([], async (other) => {
        await store.atomically(async () => {
          await other.atomically(async () => [book('b1')])
          return [book('b2')]
        })
        expect(idsOf([...(await store.query(books())), ...(await other.query(books()))])).toEqual(['b2', 'b1'])
      })))

  test('work that a plan started and did not await may write when the plan has ended', () =>
    withAtomicStore([], async (store) => {
      const { promise: over, resolve: end } = Promise.withResolvers<void>()
      let later: Promise<unknown> | undefined
      await store.atomically(async () => {
        later = over.then(() => store.write([book('b2')]))
        return [book('b1')]
      })
      end()
      await later
      expect(idsOf(await store.query(books()))).toEqual(['b1', 'b2'])
    }))
}
