// Changesets of many documents: all or none, in order, without holding the event loop, on every store in this process.

import { DatabaseSync, StatementSync } from 'node:sqlite'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { ConflictError, TooLargeError } from '../../../src/store/store-errors.ts'
import type { Store, Write } from '../../../src/store/store.ts'
import { documentsPerSlice } from '../../../src/store/work-slice.ts'
import { followAll, idsAndFates } from '../conformance/following.ts'
import { book, bookKey, idsOf, layout, priceOf } from '../conformance/shelf.ts'
import { newFile } from '../sqlite/new-file.ts'
import { beforeExec } from '../sqlite/watched-statements.ts'
import { duringTurns, Stretch } from './turns.ts'

afterEach(() => void vi.restoreAllMocks())

/** Enough for several slices. */
const many = 5 * documentsPerSlice

const stores = [
  { name: 'memory', open: () => openMemoryStore(layout) },
  { name: 'SQLite', open: () => openSqliteStore(newFile(), layout) },
  { name: 'SQLite in memory', open: () => openSqliteStore(':memory:', layout) },
]

function all(price: number, only?: 'if-absent'): Write[] {
  return Array.from({ length: many }, (_, at) => ({ ...book(idAt(at), { price, authors: [{ id: 'a1' }] }), ...(only ? { only } : {}) }))
}

function idAt(at: number): string {
  return `b${String(at).padStart(5, '0')}`
}

const ids = Array.from({ length: many }, (_, at) => idAt(at))

async function pricesIn(store: Store): Promise<unknown[]> {
  const found = await store.query({ container: 'books', orderBy: { path: ['id'], descending: false }, limit: 2 * many })
  return [...new Set(found.map(({ body }) => body['price']))]
}

describe.each(stores)('many documents in $name', ({ open }) => {
  const withStore = async (work: (store: Store) => Promise<void>): Promise<void> => {
    const store = await open()
    try {
      await work(store)
    } finally {
      await store.close()
    }
  }

  test('are written with their etags, index values and feed entries, in order', () => withStore(async (store) => {
    const etags = await store.write(all(1))
    const read = await store.readMany('books', ids.map(bookKey))
    expect(read.map((document) => document?.etag)).toEqual(etags)
    expect(new Set(etags).size).toBe(many)
    expect(idsAndFates(await followAll(store)).toSorted()).toEqual(ids)
    expect(await store.count({ container: 'books', where: { op: 'eq', path: ['authors', '*', 'id'], value: 'a1' } })).toBe(many)
    const changed = await store.atomically(async () => read.map((document, at) =>
      (at % 2 === 0 ? { ...book(ids[at]!, { price: 2, authors: [{ id: 'a2' }] }), only: { ifMatch: document!.etag } } : { kind: 'delete', container: 'books', key: bookKey(ids[at]!), only: { ifMatch: document!.etag } })))
    expect(changed.map((etag) => etag === '')).toEqual(ids.map((_, at) => at % 2 === 1))
    expect(await pricesIn(store)).toEqual([2])
    const counts = await store.countEach({ container: 'books' }, ['authors', '*', 'id'], ['a1', 'a2'])
    expect(counts).toEqual([0, many / 2])
    expect(new Set(idsAndFates(await followAll(store)))).toEqual(new Set(ids.map((id, at) => (at % 2 === 0 ? id : `${id} deleted`))))
  }))

  test('are not written at all if one of them conflicts or is too large, and the next writer goes on', () => withStore(async (store) => {
    await store.write([book(ids.at(-1)!, { price: 0 })])
    const conflict = await store.write(all(1, 'if-absent')).catch((error: unknown) => error)
    expect(conflict).toBeInstanceOf(ConflictError)
    expect(conflict).toMatchObject({ container: 'books', key: bookKey(ids.at(-1)!), found: 'present' })
    await expect(store.write([...all(1), book('large', { text: 'x'.repeat(3_000_000) })])).rejects.toBeInstanceOf(TooLargeError)
    await expect(store.atomically(async () => [...all(1), { ...book('none'), only: { ifMatch: 'other' } }])).rejects.toMatchObject({ found: 'absent' })
    expect(await pricesIn(store)).toEqual([0])
    expect(idsAndFates(await followAll(store))).toEqual([ids.at(-1)])
    await store.write(all(3))
    expect(await pricesIn(store)).toEqual([3])
  }))

  test('become visible together, and readers go on meanwhile', () => withStore(async (store) => {
    await store.write(all(0))
    const seen = new Set<string>()
    const outside: Promise<unknown>[] = []
    await duringTurns(store.write(all(1)), () => outside.push(pricesIn(store).then((prices) => seen.add(String(prices)))))
    await Promise.all(outside)
    expect([...seen].every((prices) => prices === '0' || prices === '1')).toBe(true)
    expect(await pricesIn(store)).toEqual([1])
  }))

  test('keep their place among other writers: each plan sees the writers before it', () => withStore(async (store) => {
    await store.write([book('sum', { price: 0 })])
    const seen: number[] = []
    const add = () => store.atomically(async () => {
      const price = await priceOf(store, 'sum')
      seen.push(price)
      return [book('sum', { price: price + 1 })]
    })
    const addMany = () => store.atomically(async () => {
      const price = await priceOf(store, 'sum')
      seen.push(price)
      return [...all(price), book('sum', { price: price + 10 })]
    })
    await Promise.all([add(), add(), addMany(), add(), addMany(), add()])
    expect(seen).toEqual([0, 1, 2, 12, 13, 23])
    expect(await priceOf(store, 'sum')).toBe(24)
    expect(await pricesIn(store)).toEqual([13, 24])
  }))

  test('the same document twice: the last write stays', () => withStore(async (store) => {
    await store.write([...all(1), ...all(2)])
    expect(await pricesIn(store)).toEqual([2])
    expect(await store.count({ container: 'books' })).toBe(many)
  }))
})

describe('a SQLite file', () => {
  test('is not written by this thread, and is encoded in slices', async () => {
    const store = await openSqliteStore(newFile(), layout)
    await store.write(all(0))
    const statements = new Stretch()
    const encoded = new Stretch()
    const run = Reflect.get(StatementSync.prototype, 'run')
    vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...values) {
      statements.add(1)
      return run.apply(this, values)
    })
    const stringify = JSON.stringify
    vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown) => {
      encoded.add(1)
      return stringify(value)
    })
    await duringTurns(store.write(all(1)), () => {
      statements.end()
      encoded.end()
    })
    expect(statements.most).toBeLessThan(10)
    expect(encoded.most).toBeGreaterThan(0)
    expect(encoded.most).toBeLessThanOrEqual(2 * documentsPerSlice)
    vi.restoreAllMocks()
    await store.close()
  })

  test('is not written by this thread either if few documents are large', async () => {
    const store = await openSqliteStore(newFile(), layout)
    const statements = new Stretch()
    const run = Reflect.get(StatementSync.prototype, 'run') as (...values: unknown[]) => ReturnType<StatementSync['run']>
    vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...values) {
      statements.add(1)
      return run.apply(this, values)
    })
    const large = Array.from({ length: 20 }, (_, at) => book(idAt(at), { text: 'x'.repeat(100_000) }))
    await store.write(large)
    await store.atomically(async () => large)
    expect(statements.most).toBeLessThan(10)
    vi.restoreAllMocks()
    expect(await store.count({ container: 'books' })).toBe(20)
    await store.close()
  })

  test('a plan runs again if another process writes before its transaction begins on the thread', async () => {
    const file = newFile()
    const store = await openSqliteStore(file, layout)
    const other = new DatabaseSync(file)
    await store.write([book('b1', { price: 0 })])
    const seen: number[] = []
    // The transaction of the group ends, and the thread, which is just being started, has not begun its own.
    const watched = beforeExec((text, exec) => {
      if (text !== 'ROLLBACK') return
      watched.mockRestore()
      queueMicrotask(() => exec(other, `UPDATE books SET etag = 'other', body = json_set(body, '$.price', 7) WHERE id = 'b1'`))
    })
    await store.atomically(async () => {
      const price = await priceOf(store, 'b1')
      seen.push(price)
      return [...all(price), book('b1', { price: price + 1 })]
    })
    expect(seen).toEqual([0, 7])
    expect(await priceOf(store, 'b1')).toBe(8)
    expect(await pricesIn(store)).toEqual([7, 8])
    other.close()
    await store.close()
  })

  test('if the thread dies, nothing is written, the writer is told, and the next one starts another thread', async () => {
    const store = await openSqliteStore(newFile(), layout)
    process.once('worker', (thread) => void thread.once('message', () => void thread.terminate()))
    await expect(store.write(all(1))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(await store.count({ container: 'books' })).toBe(0)
    await Promise.all([store.write(all(2)), store.write([book('b1', { price: 2 })])])
    expect(await pricesIn(store)).toEqual([2])
    expect(await store.count({ container: 'books' })).toBe(many + 1)
    await store.close()
  })

  test('closing waits for a large changeset that is being written', async () => {
    const file = newFile()
    const store = await openSqliteStore(file, layout)
    const writing = store.write(all(1))
    await new Promise(setImmediate)
    await store.close()
    await writing
    const again = await openSqliteStore(file, layout)
    expect(await again.count({ container: 'books' })).toBe(many)
    expect(idsOf(await again.query({ container: 'books', orderBy: { path: ['id'], descending: false }, limit: 1 }))).toEqual([ids[0]])
    await again.close()
  })
})

test('the memory store changes nothing until all is prepared, and prepares in slices', async () => {
  const store = await openMemoryStore(layout)
  await store.write(all(0))
  const encoded = new Stretch()
  const stringify = JSON.stringify
  vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown) => {
    encoded.add(Array.isArray(value) ? 0 : 1)
    return stringify(value)
  })
  await duringTurns(store.write(all(1)), encoded.end)
  expect(encoded.most).toBeGreaterThan(0)
  expect(encoded.most).toBeLessThanOrEqual(2 * documentsPerSlice)
})
