// The cache of a SQLite store is never out of date: with several stores and processes on one file, in and
// around plans, and with a cache of any size.

import { AsyncLocalStorage } from 'node:async_hooks'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { join } from 'node:path'
import fc from '../../fast-check.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { keyText } from '../../../src/model/keys/key.ts'
import { openSqliteStore, type SqliteOptions } from '../../../src/store/sqlite/sqlite-store.ts'
import { lookupMiss, type Store, type Write } from '../../../src/store/store.ts'
import { naiveQuery, naiveSelect } from '../conformance/naive.ts'
import { query, things } from '../conformance/random.ts'
import { book, bookKey, books, idsOf, layout, priceOf, type Put } from '../conformance/shelf.ts'
import { beforeRun } from './watched-statements.ts'
import { newFile } from './new-file.ts'

afterEach(() => void vi.restoreAllMocks())

const open = (file: string, options?: SqliteOptions): Promise<Store> => openSqliteStore(file, layout, options)

/** Puts and deletions of random documents, some repeatedly, in calls of up to three writes. */
const writes: fc.Arbitrary<Write[][]> = fc.tuple(things, things, things).chain((all) => {
  const puts = all.flat()
  return fc.array(fc.array(fc.integer({ min: 0, max: Math.max(0, 2 * puts.length - 1) }), { minLength: 1, maxLength: 3 }), { maxLength: 12 })
    .map((batches) => batches.map((batch) => batch.flatMap((at) => (puts.length === 0 ? [] : at < puts.length ? [puts[at]!] : [removalOf(puts[at - puts.length]!)]))))
})

test('two stores on one file, one with a tiny cache, return what either has written', async () => {
  const file = newFile()
  const stores = [await open(file), await open(file, { cacheBytes: 20_000 }), await open(file, { cacheBytes: 0 })]
  await fc.assert(fc.asyncProperty(writes, fc.array(query, { minLength: 1, maxLength: 3 }), fc.array(fc.nat(2), { minLength: 12, maxLength: 12 }), async (batches, queries, who) => {
    const held = await stores[0]!.query({ container: 'things', orderBy: { path: ['id'], descending: false }, limit: 1000 })
    await stores[0]!.write(held.map(({ key }) => ({ kind: 'delete', container: 'things', key })))
    const model = new Map<string, Put>()
    for (const [at, batch] of batches.entries()) {
      await stores[who[at]!]!.write(batch)
      for (const write of batch) {
        if (write.kind === 'put') model.set(keyText(write.key), write)
        else model.delete(keyText(write.key))
      }
      const all = [...model.values()]
      for (const store of stores) {
        for (const asked of queries) {
          expect((await store.query(asked)).map(({ body }) => body)).toEqual(naiveQuery(all, asked).map(({ body }) => body))
          expect(await store.count(asked)).toBe(naiveSelect(all, asked).length)
        }
        const keys = batches.flat().map(({ key }) => key)
        expect((await store.readMany('things', keys)).map((document) => document?.body)).toEqual(keys.map((key) => model.get(keyText(key))?.body))
        for (const key of keys.slice(0, 8)) {
          const look = store.lookIn('things')
          if (look) expect(look(key)?.body).toEqual(model.get(keyText(key))?.body)
        }
      }
    }
  }), { seed: 1, numRuns: 60 })
  await Promise.all(stores.map((store) => store.close()))
})

test('the next read sees what another process has written or deleted', async () => {
  const file = newFile()
  const store = await open(file)
  const child = fork(join(import.meta.dirname, 'writing-process.ts'), [file], { execArgv: ['--disable-warning=ExperimentalWarning'] })
  const elsewhere = async (given: readonly Write[]): Promise<void> => {
    child.send(given)
    await once(child, 'message')
  }
  for (let at = 0; at < 40; at++) {
    const id = `b${at % 4}`
    await (at % 3 === 0 ? store.write([book(id, { price: at })]) : elsewhere([book(id, { price: at })]))
    expect(await priceOf(store, id)).toBe(at)
    expect((await store.query(books({ orderBy: { path: ['price'], descending: true }, limit: 1 })))[0]!.body.price).toBe(at)
    expect(await store.count({ container: 'books' })).toBe(Math.min(4, at + 1))
  }
  await elsewhere([{ kind: 'delete', container: 'books', key: bookKey('b1') }])
  expect((await store.readMany('books', ['b0', 'b1', 'b2'].map(bookKey))).map((document) => document?.key.id)).toEqual(['b0', undefined, 'b2'])
  expect(idsOf(await store.query(books()))).toEqual(['b0', 'b2', 'b3'])
  const gone = once(child, 'exit')
  child.disconnect()
  await gone
  await store.close()
})

test('all documents of one read show one state of the store, though only some are cached', async () => {
  const file = newFile()
  const [store, other] = [await open(file), await open(file)]
  await other.write([book('b1', { price: 0 }), book('b2', { price: 0 })])
  await store.readMany('books', [bookKey('b1')])
  // Another process writes both exactly between the look into the cache and the read of the rest.
  const all = vi.spyOn(StatementSync.prototype, 'all').mockImplementationOnce(function (this: StatementSync, ...values) {
    all.mockRestore()
    writeNow(file, [['b1', 1], ['b2', 1]])
    return this.all(...values)
  })
  expect((await store.readMany('books', ['b1', 'b2'].map(bookKey))).map((document) => document!.body.price)).toEqual([1, 1])
  await Promise.all([store.close(), other.close()])
})

test('all results by value show one state of the store, though only some are cached', async () => {
  const file = newFile()
  const [store, other] = [await open(file), await open(file)]
  await other.write([book('b1', { price: 0 }), book('b2', { price: 0 })])
  const pricesOf = async (...ids: readonly string[]): Promise<unknown> => (await store.queryEach(books(), ['id'], ids)).map((page) => page.map(({ body }) => body.price))
  expect(await pricesOf('b1')).toEqual([[0]])
  const all = vi.spyOn(StatementSync.prototype, 'all').mockImplementationOnce(function (this: StatementSync, ...values) {
    all.mockRestore()
    writeNow(file, [['b1', 1], ['b2', 1]])
    return this.all(...values)
  })
  expect(await pricesOf('b1', 'b2')).toEqual([[1], [1]])
  await Promise.all([store.close(), other.close()])
})

test('of several values, only those that are not cached are queried', async () => {
  const store = await open(newFile())
  await store.write(['b1', 'b2', 'b3'].map((id) => book(id)))
  const all = vi.spyOn(StatementSync.prototype, 'all')
  const asked = (): unknown[] => all.mock.calls.splice(0).flat().filter((value) => String(value).startsWith('["'))
  const countOf = async (...ids: readonly string[]): Promise<number[]> => store.countEach({ container: 'books' }, ['id'], ids)
  // Results are kept from the second time on.
  await countOf('b1', 'b2', 'b3', 'nobody')
  asked()
  expect([await countOf('b1', 'nobody'), asked()]).toEqual([[1, 0], ['["b1","nobody"]']])
  expect([await countOf('b2', 'nobody', 'b1', 'b3'), asked()]).toEqual([[1, 0, 1, 1], ['["b2","b3"]']])
  expect([await countOf('b3', 'b2'), asked()]).toEqual([[1, 1], []])
  await store.write([{ kind: 'delete', container: 'books', key: bookKey('b3') }])
  expect([await countOf('b3', 'b2'), asked()]).toEqual([[0, 1], ['["b3","b2"]']])
  await store.close()
})

test('uncommitted documents are cached for no other reader', async () => {
  // No time passes, so that no group ends because of its age.
  vi.spyOn(performance, 'now').mockReturnValue(0)
  const store = await open(newFile())
  // On a slow machine, too, no group ends because of its age.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const outside = AsyncLocalStorage.snapshot()
  await store.write([book('b1', { price: 0 })])
  const seen: unknown[] = []
  const look = async (): Promise<void> => {
    seen.push([await priceOf(store, 'b1'), await store.count({ container: 'books' }), (await store.query(books())).map(({ body }) => body.price)])
  }
  await look()
  const first = store.write([book('b1', { price: 1 }), book('b2', { price: 1 })])
  const second = store.atomically(async () => {
    await look()
    await outside(look)
    await look()
    return [book('b1', { price: 2 }), { ...book('b2'), only: 'if-absent' }]
  })
  const refused = expect(second).rejects.toThrow('b2 exists already')
  const third = store.atomically(async () => {
    await look()
    await outside(look)
    return []
  })
  await Promise.all([first, refused, third])
  await look()
  const [before, after] = [[0, 1, [0]], [1, 2, [1, 1]]]
  expect(seen).toEqual([before, after, before, after, after, before, after])
  vi.useRealTimers()
  await store.close()
})

test('a failed commit leaves nothing in the cache', async () => {
  const store = await open(newFile())
  await store.write([book('b1', { price: 0 })])
  expect(await priceOf(store, 'b1')).toBe(0)
  const commit = beforeRun((text) => {
    if (text === 'COMMIT') throw Object.assign(new Error('disk I/O error'), { errcode: 10 })
  })
  const plan = store.atomically(async () => [book('b1', { price: 1 + await priceOf(store, 'b1') })])
  await expect(plan).rejects.toThrow(/^Cannot write .* disk I\/O error/)
  commit.mockRestore()
  expect(await priceOf(store, 'b1')).toBe(0)
  expect(idsOf(await store.query(books()))).toEqual(['b1'])
  await store.write([book('b1', { price: 5 })])
  expect(await priceOf(store, 'b1')).toBe(5)
  await store.close()
})

test('cached documents are not read again, and without a cache all are', async () => {
  const file = newFile()
  const [remembering, forgetful] = [await open(file), await open(file, { cacheBytes: 0 })]
  await remembering.write([book('b1'), book('b2')])
  const all = vi.spyOn(StatementSync.prototype, 'all')
  const askAgainAndAgain = async (store: Store): Promise<number> => {
    all.mockClear()
    for (const _ of [1, 2, 3, 4]) {
      const [read] = await store.readMany('books', [bookKey('b1')])
      const page = await store.query(books())
      expect(Object.isFrozen(read!.body) && Object.isFrozen(page[0]!.body)).toBe(true)
      // The caller may change the list that it got: the next caller gets all of it.
      expect(page.splice(0)).toHaveLength(2)
      await store.count(books())
    }
    return all.mock.calls.length
  }
  // Results are kept from the second time on.
  expect([await askAgainAndAgain(remembering), await askAgainAndAgain(forgetful)]).toEqual([5, 12])
  all.mockRestore()
  await Promise.all([remembering.close(), forgetful.close()])
})

test('an absent document is asked for once, until it is written here or elsewhere', async () => {
  const file = newFile()
  const [store, other] = [await open(file), await open(file)]
  const lookIn = (container: string) => store.lookIn(container)
  const all = vi.spyOn(StatementSync.prototype, 'all')
  const readTwice = async (id: string): Promise<unknown[]> => {
    all.mockClear()
    const found = [...(await store.readMany('books', [bookKey(id)])), lookIn('books')!(bookKey(id)), ...(await store.readMany('books', [bookKey(id)]))]
    return [found.map((document) => document?.body.price), all.mock.contexts.filter((statement) => (statement as StatementSync).sourceSQL.includes('FROM "books"')).length]
  }
  const nothing = [undefined, undefined, undefined]
  expect(await readTwice('b1')).toEqual([nothing, 1])
  expect(await readTwice('b1')).toEqual([nothing, 0])
  await other.write([book('b1', { price: 1 })])
  expect(await readTwice('b1')).toEqual([[1, 1, 1], 1])
  expect(await readTwice('b2')).toEqual([nothing, 1])
  await store.write([book('b2', { price: 2 })])
  expect(await readTwice('b2')).toEqual([[2, 2, 2], 1])
  await store.write([removalOf(book('b2'))])
  expect(await readTwice('b2')).toEqual([nothing, 1])
  await Promise.all([store.close(), other.close()])
})

test('a plan that finds no document, and writes it, does not hide it', async () => {
  const store = await open(newFile())
  await store.atomically(async () => {
    expect(await store.readMany('books', [bookKey('b1')])).toEqual([undefined])
    return [book('b1', { price: 1 })]
  })
  expect(await priceOf(store, 'b1')).toBe(1)
  await expect(store.atomically(async () => [removalOf(book('b1')), { kind: 'delete', container: 'books', key: bookKey('b9'), only: { ifMatch: 'x' } }])).rejects.toThrow('b9')
  expect(await priceOf(store, 'b1')).toBe(1)
  await store.close()
})

test('a synchronous lookup asks SQLite for a few documents, and leaves more to a batch', async () => {
  const store = await open(newFile())
  await store.write(Array.from({ length: 20 }, (_, at) => book(`b${at}`)))
  const look = store.lookIn('books')!
  const lookAll = () => Array.from({ length: 20 }, (_, at) => look(bookKey(`b${at}`)))
  expect(lookAll).toThrow(lookupMiss)
  // Those that are looked up next are read in the same statement.
  const all = vi.spyOn(StatementSync.prototype, 'all')
  const next = ['b5', 'b6', 'b7', 'b8', 'b9'].map(bookKey)
  const together = store.lookIn('books')!
  expect(idsOf(next.map((key) => together(key, () => next)!))).toHaveLength(5)
  expect(all).toHaveBeenCalledTimes(1)
  all.mockRestore()
  await store.readMany('books', Array.from({ length: 20 }, (_, at) => bookKey(`b${at}`)))
  expect(idsOf(lookAll())).toHaveLength(20)
  await store.close()
})

test('a synchronous lookup shows one state of the store', async () => {
  const file = newFile()
  const store = await open(file)
  await store.write([book('b1', { price: 0 }), book('b2', { price: 0 })])
  await store.readMany('books', [bookKey('b1')])
  const look = store.lookIn('books')!
  expect(look(bookKey('b1'))!.body.price).toBe(0)
  writeNow(file, [['b1', 1], ['b2', 1]])
  expect(() => look(bookKey('b2'))).toThrow(lookupMiss)
  await store.close()
})

test('a store asks again whether others have written as soon as work as of a moment has ended, also by an error', async () => {
  const file = newFile()
  const store = await open(file)
  await store.write([book('b1', { price: 0 })])
  store.moment()
  const fails = (): unknown => store.asOfMoment!(() => {
    expect(store.lookIn('books')!(bookKey('b1'))!.body.price).toBe(0)
    writeNow(file, [['b1', 1]])
    // What is in memory is as of the moment.
    expect(store.lookIn('books')!(bookKey('b1'))!.body.price).toBe(0)
    throw new Error('over')
  })
  expect(fails).toThrow('over')
  expect(await priceOf(store, 'b1')).toBe(1)
  const before = store.moment()
  await store.write([book('b1', { price: 2 })])
  expect(store.moment()).not.toBe(before)
  await store.close()
})

test('a change by a program that leaves the etag alone is seen, and is not overwritten', async () => {
  const file = newFile()
  const store = await open(file)
  await store.write([book('b1', { price: 1 })])
  const [before] = await store.readMany('books', [bookKey('b1')])
  const database = new DatabaseSync(file)
  database.exec(`UPDATE books SET body = json_set(body, '$.price', 20000) WHERE id = 'b1'`)
  const [after] = await store.readMany('books', [bookKey('b1')])
  expect([after!.body.price, after!.bytes]).toEqual([20000, Buffer.byteLength(JSON.stringify(after!.body))])
  expect(after!.etag).not.toBe(before!.etag)
  await expect(store.write([{ ...book('b1', { price: 2 }), only: { ifMatch: before!.etag } }])).rejects.toThrow('has changed')
  // A change that changes nothing is none.
  database.exec(`UPDATE books SET body = body WHERE id = 'b1'`)
  database.close()
  expect((await store.readMany('books', [bookKey('b1')]))[0]!.etag).toBe(after!.etag)
  await store.write([{ ...book('b1', { price: 3 }), only: { ifMatch: after!.etag } }])
  expect(await priceOf(store, 'b1')).toBe(3)
  await store.close()
})

function removalOf({ container, key }: Put): Write {
  return { kind: 'delete', container, key }
}

/** As another process would, but synchronously. */
function writeNow(file: string, prices: readonly (readonly [string, number])[]): void {
  const statements = prices.map(([id, price]) => `UPDATE books SET etag = 'elsewhere ${price}', body = json_set(body, '$.price', ${price}) WHERE id = '${id}';`)
  const database = new DatabaseSync(file)
  database.exec(`BEGIN IMMEDIATE; ${statements.join('')} COMMIT`)
  database.close()
}
