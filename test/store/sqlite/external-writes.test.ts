// What a SQLite store drops from its cache when another connection has written: exactly the documents that were written, by
// whatever program and statement, and the results of their containers. Where that cannot be known, everything.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { backup, DatabaseSync, StatementSync } from 'node:sqlite'
import { afterEach, expect, test, vi } from 'vitest'
import fc, { runs } from '../../fast-check.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { Store, Write } from '../../../src/store/store.ts'
import { book, bookKey, books, idsOf, layout, priceOf, review } from '../conformance/shelf.ts'
import { newFile } from './new-file.ts'

afterEach(() => void vi.restoreAllMocks())

const ids = ['b1', 'b2', 'b3', 'b4']

test('documents that another process has not written stay cached, and those that it has are read again', async () => {
  const file = newFile()
  const store = await filled(file)
  const child = fork(join(import.meta.dirname, 'writing-process.ts'), [file], { execArgv: ['--disable-warning=ExperimentalWarning'] })
  const elsewhere = async (writes: readonly Write[]): Promise<void> => {
    child.send(writes)
    await once(child, 'message')
  }
  await elsewhere([book('b9')])
  for (const id of ids) await priceOf(store, id)
  await elsewhere([book('b2', { price: 20 })])
  expect(await keysRead(() => store.readMany('books', ids.map(bookKey)))).toEqual([['b2']])
  await elsewhere([{ kind: 'delete', container: 'books', key: bookKey('b3') }, book('b5', { price: 5 })])
  expect(await keysRead(() => store.readMany('books', [...ids, 'b5'].map(bookKey)))).toEqual([['b3', 'b5']])
  expect(idsOf(await store.readMany('books', [...ids, 'b5'].map(bookKey)))).toEqual(['b1', 'b2', undefined, 'b4', 'b5'])
  const gone = once(child, 'exit')
  child.disconnect()
  await gone
  await store.close()
})

test('results of containers that others have not written stay cached', async () => {
  const file = newFile()
  const [store, other] = [await filled(file), await open(file)]
  await store.write([review('b1', 'r1', { rating: 5 })])
  const readBoth = async () => [(await store.query(books())).map(({ body }) => body.price), (await store.query(reviews)).map(({ body }) => body.rating)]
  // Results are kept from the second time on.
  for (const _ of [1, 2]) await readBoth()
  await other.write([review('b1', 'r1', { rating: 4 })])
  const statements = watchStatements()
  expect(await readBoth()).toEqual([[1, 2, 3, 4], [4]])
  expect([statements('books').length, statements('reviews').length]).toEqual([0, 1])
  await Promise.all([store.close(), other.close()])
})

test('a store does not read again what it has written itself', async () => {
  const file = newFile()
  const [store, other] = [await filled(file), await open(file)]
  await store.write([book('b1', { price: 10 })])
  await store.readMany('books', ids.map(bookKey))
  await other.write([book('b4', { price: 40 })])
  expect(await keysRead(() => store.readMany('books', ids.map(bookKey)))).toEqual([['b4']])
  expect(await prices(store)).toEqual([10, 2, 3, 40])
  await Promise.all([store.close(), other.close()])
})

const statements: readonly [title: string, sql: string, written: readonly string[]][] = [
  ['UPDATE', `UPDATE books SET body = json_set(body, '$.price', 20) WHERE id = 'b2'`, ['b2']],
  ['UPDATE of an etag', `UPDATE books SET etag = 'another' WHERE id = 'b2'`, ['b2']],
  ['DELETE', `DELETE FROM books WHERE id = 'b2'`, ['b2']],
  ['DELETE of all', `DELETE FROM books`, ids],
  ['INSERT', `INSERT INTO books (key, partition, id, type, etag, bytes, body) VALUES ('[["b5"],"b5"]', '["b5"]', 'b5', 'book', 'e', 2, '{"id":"b5","price":50}')`, ['b5']],
  ['INSERT OR REPLACE by key', `INSERT OR REPLACE INTO books (key, partition, id, type, etag, bytes, body) SELECT key, partition, id, type, 'e', 2, '{"price":20}' FROM books WHERE id = 'b2'`, ['b2']],
  ['INSERT OR REPLACE by row', `INSERT OR REPLACE INTO books (row, key, partition, id, type, etag, bytes, body)
    SELECT row, '[["b5"],"b5"]', '["b5"]', 'b5', type, 'e', 2, '{"price":50}' FROM books WHERE id = 'b2'`, ['b2', 'b5']],
  ['UPDATE of a key', `UPDATE books SET key = '[["b5"],"b5"]', partition = '["b5"]', id = 'b5' WHERE id = 'b2'`, ['b2', 'b5']],
  ['UPDATE OR REPLACE of a row', `UPDATE OR REPLACE books SET row = (SELECT row FROM books WHERE id = 'b3') WHERE id = 'b2'`, ['b2', 'b3']],
  ['UPDATE OR REPLACE of a key', `UPDATE OR REPLACE books SET key = '[["b3"],"b3"]', partition = '["b3"]', id = 'b3' WHERE id = 'b2'`, ['b2', 'b3']],
  ['UPSERT', `INSERT INTO books (key, partition, id, type, etag, bytes, body) VALUES ('[["b2"],"b2"]', '["b2"]', 'b2', 'book', 'e', 2, '{}') ON CONFLICT (key) DO UPDATE SET body = '{"price":20}'`, ['b2']],
  ['a transaction that is rolled back', `BEGIN; UPDATE books SET etag = 'another'; ROLLBACK; UPDATE reviews SET etag = 'another'`, []],
  // They change the schema's version, and it is not known what else was done meanwhile.
  ['VACUUM', 'VACUUM', [...ids, 'b5']],
  ['CREATE INDEX', 'CREATE INDEX mine ON books (bytes)', [...ids, 'b5']],
]

test.each(statements)('exactly the written documents are read again after %s by another program', async (_, text, written) => {
  const file = newFile()
  const store = await filled(file)
  const uncached = await open(file, 0)
  const keys = [...ids, 'b5'].map(bookKey)
  await store.readMany('books', keys)
  run(file, text)
  expect(await keysRead(() => store.readMany('books', keys))).toEqual(written.length === 0 ? [] : [written])
  expect(await store.readMany('books', keys)).toEqual(await uncached.readMany('books', keys))
  await Promise.all([store.close(), uncached.close()])
})

test('after more writes than the table keeps, everything is read again, and the table stays small', async () => {
  const file = newFile()
  const store = await filled(file)
  expect(await prices(store)).toEqual([1, 2, 3, 4])
  run(file, `UPDATE books SET body = json_set(body, '$.price', 20) WHERE id = 'b2'`)
  const many = `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 20000)
    INSERT INTO notes (key, partition, id, etag, bytes, body) SELECT '[["n' || at || '"],"n' || at || '"]', '["n' || at || '"]', 'n' || at, 'e', 2, '{}' FROM n`
  expect(await keysRead(() => {
    run(file, many)
    return store.readMany('books', ids.map(bookKey))
  })).toEqual([ids])
  expect(await prices(store)).toEqual([1, 20, 3, 4])
  const database = new DatabaseSync(file)
  expect(database.prepare('SELECT count(*) AS rows FROM "quire writes"').get()!['rows']).toBeLessThan(10_000)
  database.close()
  await store.close()
})

test('after a restored backup everything is read again', async () => {
  const file = newFile()
  const store = await filled(file)
  const earlier = newFile()
  await copy(file, earlier)
  await store.write([book('b1', { price: 10 })])
  run(file, `UPDATE books SET body = json_set(body, '$.price', 20) WHERE id = 'b2'`)
  expect(await prices(store)).toEqual([10, 20, 3, 4])
  await copy(earlier, file)
  expect(await keysRead(() => store.readMany('books', ids.map(bookKey)))).toEqual([ids])
  expect(await prices(store)).toEqual([1, 2, 3, 4])
  // From then on it is exact again.
  run(file, `UPDATE books SET body = json_set(body, '$.price', 40) WHERE id = 'b4'`)
  expect(await keysRead(() => store.readMany('books', ids.map(bookKey)))).toEqual([['b4']])
  await store.close()
})

test('a position that is reached once more, with other writes before it, is not taken for the same', async () => {
  const file = newFile()
  const store = await filled(file)
  run(file, `UPDATE books SET body = json_set(body, '$.price', 10) WHERE id = 'b1'`)
  expect(await prices(store)).toEqual([10, 2, 3, 4])
  const update = `UPDATE books SET body = json_set(body, '$.price', 30) WHERE id =`
  run(file, `DELETE FROM "quire writes" WHERE position > 3; ${update} 'b1'; ${update} 'b3'; ${update} 'b3'; ${update} 'b3'; ${update} 'b3'`)
  expect(await prices(store)).toEqual([30, 2, 30, 4])
  await store.close()
})

test.each([
  ['a trigger is missing', `DROP TRIGGER "books noted after change"`],
  ['the table of a container was rebuilt', `CREATE TABLE copy AS SELECT * FROM books; DROP TABLE books; CREATE TABLE books (row INTEGER PRIMARY KEY, key TEXT UNIQUE, partition, id, type, etag, bytes, body);
    INSERT INTO books SELECT row, key, partition, id, type, etag, bytes, body FROM copy; DROP TABLE copy`],
  ['the table of writes is gone', `DROP TABLE "quire writes"; DROP TRIGGER "books noted after change"`],
  ['the table of writes is empty', `DELETE FROM "quire writes"`],
  ['a key cannot be read', `INSERT INTO notes (key, partition, id, etag, bytes, body) VALUES ('nonsense', '', '', '', 0, '')`],
])('nothing is trusted after %s', async (_, text) => {
  const file = newFile()
  const store = await filled(file)
  for (const price of [20, 21, 22]) {
    expect(await prices(store)).toHaveLength(4)
    run(file, `${price === 20 ? text : ''}; UPDATE books SET etag = 'e${price}', body = json_set(body, '$.price', ${price}) WHERE id = 'b2'`)
    expect(await prices(store)).toEqual([1, price, 3, 4])
  }
  await store.close()
  // The next start puts triggers and table back.
  const again = text.includes('copy') ? undefined : await open(file)
  if (again) {
    await again.readMany('books', ids.map(bookKey))
    run(file, `UPDATE books SET body = json_set(body, '$.price', 23) WHERE id = 'b2'`)
    expect(await keysRead(() => again.readMany('books', ids.map(bookKey)))).toEqual([['b2']])
    await again.close()
  }
})

test('with any writes by others, a store with a cache returns what one without returns', async () => {
  const file = newFile()
  const [store, uncached, other] = [await filled(file), await open(file, 0), await open(file)]
  const kept = newFile()
  await copy(file, kept)
  const id = fc.constantFrom(...ids, 'b5', 'b6')
  const price = fc.nat(99)
  const step = fc.oneof(
    fc.tuple(id, price).map(([at, to]) => async () => void (await other.write([book(at, { price: to })]))),
    fc.tuple(id, price).map(([at, to]) => async () => void (await store.write([book(at, { price: to }), review(at, 'r', { rating: to })]))),
    id.map((at) => async () => void (await other.write([{ kind: 'delete', container: 'books', key: bookKey(at) }]))),
    fc.tuple(id, price).map(([at, to]) => async () => run(file, `UPDATE books SET body = json_set(body, '$.price', ${to}) WHERE id = '${at}'`)),
    fc.tuple(id, id).map(([at, to]) => async () => run(file, `UPDATE OR REPLACE books SET row = (SELECT row FROM books WHERE id = '${to}') WHERE id = '${at}' AND EXISTS (SELECT row FROM books WHERE id = '${to}')`)),
    fc.constant(async () => run(file, 'VACUUM')),
    fc.constant(async () => copy(file, kept)),
    fc.constant(async () => copy(kept, file)),
    fc.constant(async () => run(file, `CREATE INDEX IF NOT EXISTS mine ON books (bytes); DROP INDEX mine`)),
    price.map((to) => async () => void (await other.write(Array.from({ length: 3000 }, (_, at) => book(at < 6 ? `b${at}` : `many${at}`, { price: to }))))),
  )
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
    for (const each of steps) {
      await each()
      const keys = [...ids, 'b5', 'b6'].map(bookKey)
      expect(await store.readMany('books', keys)).toEqual(await uncached.readMany('books', keys))
      for (const query of [books({ limit: 5 }), books({ limit: 5, orderBy: { path: ['price'], descending: true } }), reviews]) {
        expect(await store.query(query)).toEqual(await uncached.query(query))
        expect(await store.count(query)).toBe(await uncached.count(query))
      }
    }
  }), { seed: 7, numRuns: runs(25) })
  await Promise.all([store, uncached, other].map((each) => each.close()))
})

const reviews = { container: 'reviews', orderBy: { path: ['rating'], descending: false }, limit: 5 } as const

function open(file: string, cacheBytes?: number): Promise<Store> {
  return openSqliteStore(file, layout, cacheBytes === undefined ? {} : { cacheBytes })
}

async function filled(file: string): Promise<Store> {
  const store = await open(file)
  await store.write(ids.map((id, at) => book(id, { price: at + 1 })))
  return store
}

async function prices(store: Store): Promise<unknown[]> {
  return (await store.readMany('books', ids.map(bookKey))).map((document) => document?.body.price)
}

/** The ids that statements ask the books for meanwhile. */
async function keysRead(work: () => unknown): Promise<string[][]> {
  const asked = watchStatements()
  await work()
  return asked('books').map((values) => values.map(String).flatMap((value) => (value.startsWith('["') ? (JSON.parse(value) as string[]) : [value])).map((key) => (JSON.parse(key) as [unknown, string])[1]))
}

/** The bound values of statements that read a container from now on. */
function watchStatements(): (container: string) => unknown[][] {
  const all = vi.spyOn(StatementSync.prototype, 'all').mockClear()
  return (container) => all.mock.calls.filter((_, at) => (all.mock.contexts[at] as StatementSync).sourceSQL.includes(` "${container}" `)).map((values) => [...values])
}

function run(file: string, text: string): void {
  const database = new DatabaseSync(file)
  database.exec(text)
  database.close()
}

/** Makes a backup, or restores one into a file that is in use. */
async function copy(from: string, to: string): Promise<void> {
  const database = new DatabaseSync(from)
  await backup(database, to)
  database.close()
}
