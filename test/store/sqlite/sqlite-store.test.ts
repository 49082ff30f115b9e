// The SQLite store in the conformance suite, and what is special to it: the file, its durability, and that
// its statements use indexes.

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { describe, expect, test, vi } from 'vitest'
import type { Path, Query } from '../../../src/store/query.ts'
import { changesSql } from '../../../src/store/sqlite/change-feed.ts'
import { anyDeletion, sweepDeletions } from '../../../src/store/sqlite/change-feed.ts'
import { prepareLayout } from '../../../src/store/sqlite/prepare-layout.ts'
import { countEachSql, queryEachSql, querySql } from '../../../src/store/sqlite/sql/read-sql.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { ConflictError } from '../../../src/store/store-errors.ts'
import type { ContainerLayout, Write } from '../../../src/store/store.ts'
import { followAll, followPart, idsAndFates, partWith } from '../conformance/following.ts'
import { conformance } from '../conformance/index.ts'
import { book, bookKey, books, idsOf, increment, layout, priceOf, review, underWay } from '../conformance/shelf.ts'
import { newFile } from './new-file.ts'

conformance('sqlite', (containers) => openSqliteStore(newFile(), containers))

describe('the file', () => {
  test('uses a write-ahead log with full sync, so that an acknowledged write is durable', async () => {
    const exec = vi.spyOn(DatabaseSync.prototype, 'exec')
    const store = await openSqliteStore(newFile(), layout)
    const [database] = exec.mock.contexts
    exec.mockRestore()
    expect(store.supports.durable).toBe(true)
    if (!(database instanceof DatabaseSync)) throw new Error('The store opened no database.')
    expect(pragma(database, 'journal_mode')).toBe('wal')
    expect(pragma(database, 'synchronous')).toBe(2)
    expect(pragma(database, 'busy_timeout')).toBe(5000)
    await store.close()
  })

  test('keeps documents and etags when it is opened again', async () => {
    const file = newFile()
    const first = await openSqliteStore(file, layout)
    const [etag] = await first.write([book('b1', { authors: [{ id: 'a1' }] })])
    await first.close()
    const second = await openSqliteStore(file, layout)
    expect((await second.readMany('books', [bookKey('b1')]))[0]).toMatchObject({ etag, body: { id: 'b1' } })
    expect((await second.queryEach(books(), ['authors', '*', 'id'], ['a1'])).map(idsOf)).toEqual([['b1']])
    await second.close()
  })

  test('gets the indexes and containers that a later layout adds, filled from the documents', async () => {
    const file = newFile()
    const bare: ContainerLayout = { name: 'books', partitionKey: [['id']], indexes: [] }
    const first = await openSqliteStore(file, [bare])
    await first.write([book('b1', { authors: [{ id: 'a1' }, { id: 'a1' }] }), book('b2', { authors: [{ id: 'a1' }] })])
    await first.close()
    const second = await openSqliteStore(file, layout)
    await second.write([book('b3', { authors: [{ id: 'a1' }] }), review('b3', 'r1')])
    expect((await second.queryEach(books(), ['authors', '*', 'id'], ['a1'])).map(idsOf)).toEqual([['b1', 'b2', 'b3']])
    expect(await second.countEach({ container: 'books', type: 'book' }, ['authors', '*', 'id'], ['a1'])).toEqual([3])
    expect(idsOf(await second.query(books({ orderBy: { path: ['name'], descending: true } })))).toEqual(['b3', 'b2', 'b1'])
    await second.close()
  })

  test('of an older version is migrated, with its documents, its indexes and the points of its feed', async () => {
    const file = newFile()
    const first = await openSqliteStore(file, layout)
    await first.write([book('b1', { price: 1, authors: [{ id: 'a1' }] }), review('b1', 'r1'), review('b1', 'r2')])
    await first.write([remove('r1')])
    const part = await partWith(first, 'r2')
    const { point } = await first.changes(part, undefined, 1)
    const feed = await followAll(first)
    await first.close()
    makeOlder(file)
    const second = await openSqliteStore(file, layout)
    expect(await followAll(second)).toEqual(feed)
    await second.write([review('b1', 'r2', { rating: 5 }), book('b2', { price: 0, authors: [{ id: 'a1' }] }), book('b1', { price: 2, authors: [{ id: 'a2' }] })])
    expect(idsAndFates((await followPart(second, part, point)).changes)).toEqual(['r1 deleted', 'r2', 'b1'])
    expect(idsOf(await second.query(books({ orderBy: { path: ['price'], descending: true } })))).toEqual(['b1', 'b2'])
    expect(await second.countEach(books(), ['authors', '*', 'id'], ['a1', 'a2'])).toEqual([1, 1])
    expect(idsOf(await second.query({ container: 'reviews', orderBy: { path: ['rating'], descending: true }, limit: 1 }))).toEqual(['r2'])
    await second.close()
    const third = await openSqliteStore(file, layout)
    expect(idsOf(await third.query(books({ orderBy: { path: ['price'], descending: true } })))).toEqual(['b1', 'b2'])
    await third.close()
  })

  test('has no index by type in an untyped container, and gets it with a typed layout', async () => {
    const file = newFile()
    const indexesWith = async (untyped: boolean): Promise<unknown[]> => {
      const store = await openSqliteStore(file, [{ name: 'notes', partitionKey: [['id']], indexes: [], untyped }])
      await store.write([{ ...book('b1'), container: 'notes' }])
      expect(idsOf(await store.query({ ...books(), container: 'notes' }))).toEqual(['b1'])
      await store.close()
      const database = new DatabaseSync(file)
      const names = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'notes' AND sql IS NOT NULL ORDER BY name`).all().map(({ name }) => name)
      database.close()
      return names
    }
    expect(await indexesWith(true)).toEqual(['notes by id', 'notes by partition, id'])
    expect(await indexesWith(false)).toEqual(['notes by id', 'notes by partition, id', 'notes by partition, type, id', 'notes by type, id'])
    expect(await indexesWith(true)).toEqual(['notes by id', 'notes by partition, id'])
  })

  test('keeps its indexes up to date for writers that do not know them', async () => {
    const file = newFile()
    const store = await openSqliteStore(file, layout)
    await store.write([book('b1', { price: 1, authors: [{ id: 'a1' }] })])
    const database = new DatabaseSync(file)
    database.exec(`UPDATE books SET etag = 'x', body = json_set(body, '$.price', 3, '$.authors[0].id', 'a2')`)
    database.exec(`INSERT INTO books (key, partition, id, type, etag, bytes, body) VALUES ('[["b2"],"b2"]', '["b2"]', 'b2', 'book', 'y', 2, '{"id":"b2","price":2,"authors":[{"id":"a2"}]}')`)
    database.close()
    expect(idsOf(await store.query(books({ orderBy: { path: ['price'], descending: false }, where: { op: 'gt', path: ['price'], value: 1 } })))).toEqual(['b2', 'b1'])
    expect(await store.countEach(books(), ['authors', '*', 'id'], ['a1', 'a2'])).toEqual([0, 2])
    await store.close()
  })

  test('serves two stores at once, each seeing what the other wrote', async () => {
    const file = newFile()
    const [one, two] = [await openSqliteStore(file, layout), await openSqliteStore(file, layout)]
    const [etag] = await one.write([book('b1')])
    expect((await two.readMany('books', [bookKey('b1')]))[0]?.etag).toBe(etag)
    await two.write([{ ...book('b1', { price: 2 }), only: { ifMatch: etag! } }])
    await expect(one.write([{ ...book('b1', { price: 3 }), only: { ifMatch: etag! } }])).rejects.toBeInstanceOf(ConflictError)
    await Promise.all([one.write([book('b2')]), two.write([book('b3')])])
    expect(idsOf(await one.query(books()))).toEqual(['b1', 'b2', 'b3'])
    await Promise.all([one.close(), two.close()])
  })

  test('keeps its list indexes after VACUUM', async () => {
    const file = newFile()
    const store = await openSqliteStore(file, layout)
    await store.write(['b1', 'b2', 'b3'].map((id) => book(id, { authors: [{ id: `author of ${id}` }] })))
    await store.write([{ kind: 'delete', container: 'books', key: bookKey('b1') }])
    const database = new DatabaseSync(file)
    database.exec('VACUUM')
    database.close()
    expect((await store.queryEach(books(), ['authors', '*', 'id'], ['author of b3'])).map(idsOf)).toEqual([['b3']])
    await store.close()
  })

  test('keeps containers and properties apart whose names differ only in case or need quoting', async () => {
    const names = ['Odd "names"', 'odd "names"', `o'dd; DROP TABLE x`]
    const indexes = [{ equals: ['Name'], orderBy: ['name'] }, { equals: ['NAME', '*'] }]
    const store = await openSqliteStore(newFile(), names.map((name) => ({ name, partitionKey: [['id']], indexes })))
    await store.write(names.map((container, at) => ({ ...book('b1', { Name: at, name: -at, NAME: [`${at}`] }), container })))
    for (const [at, container] of names.entries()) {
      expect(await store.countEach({ container }, ['Name'], [at, -at - 1])).toEqual([1, 0])
      expect(await store.countEach({ container }, ['NAME', '*'], [`${at}`, at])).toEqual([1, 0])
    }
    await store.close()
  })

  test('is named in SQLite\'s errors', async () => {
    const file = newFile()
    await expect(openSqliteStore(join(file, 'inside', 'nothing.db'), layout)).rejects.toThrow(`Cannot open the SQLite store ${join(file, 'inside', 'nothing.db')}: unable to open database file.`)
    const noDatabase = newFile()
    writeFileSync(noDatabase, 'Once upon a time there was a text that was not a database.'.repeat(100))
    await expect(openSqliteStore(noDatabase, layout)).rejects.toThrow(`${noDatabase} is not a SQLite database.`)
    const store = await openSqliteStore(file, layout)
    await store.close()
    await expect(store.ping()).rejects.toThrow(`Cannot ping the SQLite store ${file}: database is not open.`)
    await expect(async () => store.query(books())).rejects.toThrow(`Cannot read the SQLite store ${file}: database is not open.`)
    await expect(store.write([book('b1')])).rejects.toThrow(`Cannot write the SQLite store ${file}: database is not open.`)
  })
})

describe('a plan', () => {
  test('keeps all others from writing to the file while it runs', async () => {
    const file = newFile()
    const store = await openSqliteStore(file, layout)
    const outside = new DatabaseSync(file)
    const plan = await underWay(store)
    expect(() => outside.exec('BEGIN IMMEDIATE')).toThrow('database is locked')
    plan.end([])
    await plan.ended
    outside.exec('BEGIN IMMEDIATE; ROLLBACK')
    outside.close()
    await store.close()
  })

  test('waits for a writer in another process without blocking this one', async () => {
    const file = newFile()
    const store = await openSqliteStore(file, layout)
    await store.write([book('b1', { price: 0 })])
    const outside = new DatabaseSync(file)
    outside.exec('BEGIN IMMEDIATE')
    let over = false
    const waiting = Promise.all([increment(store, 'b1'), store.write([book('b2')])]).then(() => (over = true))
    // This code only runs because nothing blocks the process.
    for (let turn = 0; turn < 20; turn++) await othersTurn()
    expect(idsOf(await store.query(books()))).toEqual(['b1'])
    expect(over).toBe(false)
    outside.exec('COMMIT')
    await waiting
    expect(await priceOf(store, 'b1')).toBe(1)
    expect(idsOf(await store.query(books()))).toEqual(['b1', 'b2'])
    outside.close()
    await store.close()
  })

  test('makes plans, writes and the opening of another store on the same file wait, and none is lost', async () => {
    const file = newFile()
    const one = await openSqliteStore(file, layout)
    await one.write([book('b1', { price: 0 })])
    const plan = await underWay(one)
    const opening = openSqliteStore(file, layout)
    plan.end([book('b1', { price: 1 })])
    const two = await opening
    const written = two.write([book('b2')])
    await Promise.all(Array.from({ length: 100 }, (_, at) => increment(at % 2 === 0 ? one : two, 'b1')))
    expect(await priceOf(two, 'b1')).toBe(101)
    await Promise.all([plan.ended, written])
    expect(idsOf(await one.query(books()))).toEqual(['b1', 'b2'])
    await Promise.all([one.close(), two.close()])
  })

  test('that writes through another store on the same file gets an error', async () => {
    const file = newFile()
    const [one, two] = [await openSqliteStore(file, layout), await openSqliteStore(file, layout)]
    await expect(one.atomically(async () => {
      await two.write([book('b1')])
      return []
    })).rejects.toThrow('The plan of an atomic write called write')
    await Promise.all([one.close(), two.close()])
  })

  test('loses nothing to another thread with its own connection', async () => {
    const file = newFile()
    const store = await openSqliteStore(file, layout)
    await store.write([book('b1', { price: 0 })])
    const workers = [1, 2].map(() => new Worker(new URL('increment-worker.ts', import.meta.url), { workerData: { file, times: 25 } }))
    expect(await Promise.all(workers.map((worker) => once(worker, 'exit')))).toEqual([[0], [0]])
    expect(await priceOf(store, 'b1')).toBe(50)
    await store.close()
  })

  test('fails if the store is closed meanwhile, and leaves the file to others', async () => {
    const file = newFile()
    const store = await openSqliteStore(file, layout)
    const plan = await underWay(store)
    await store.close()
    plan.end([book('b1')])
    await expect(plan.ended).rejects.toThrow(`Cannot write the SQLite store ${file}: database is not open.`)
    const other = await openSqliteStore(file, layout)
    await other.write([book('b2')])
    expect(idsOf(await other.query(books()))).toEqual(['b2'])
    await other.close()
  })
})

describe('the change feed', () => {
  test('is kept when the file is opened again, with the same points', async () => {
    const file = newFile()
    const first = await openSqliteStore(file, layout)
    await first.write(['r1', 'r2', 'r3'].map((id) => review('b1', id)))
    await first.write([remove('r1')])
    const part = await partWith(first, 'r2')
    const all = await followAll(first)
    const { point } = await first.changes(part, undefined, 1)
    await first.close()
    const second = await openSqliteStore(file, layout)
    expect(await followAll(second)).toEqual(all)
    await second.write([review('b1', 'r2', { rating: 1 })])
    expect(idsAndFates((await followPart(second, part, point)).changes)).toEqual(['r3', 'r1 deleted', 'r2'])
    await second.close()
  })

  test('has what two stores on one file write, in the order of writing', async () => {
    const file = newFile()
    const [one, two] = [await openSqliteStore(file, layout), await openSqliteStore(file, layout)]
    for (const [at, id] of ['r1', 'r2', 'r3', 'r4'].entries()) await (at % 2 === 0 ? one : two).write([review('b1', id)])
    await two.write([remove('r1')])
    expect(idsAndFates(await followAll(one))).toEqual(['r2', 'r3', 'r4', 'r1 deleted'])
    await Promise.all([one.close(), two.close()])
  })

  test('begins with the next write of each document in a file that had no feed', async () => {
    const file = newFile()
    const first = await openSqliteStore(file, layout)
    await first.write(['r1', 'r2', 'r3'].map((id) => review('b1', id)))
    await first.close()
    const database = new DatabaseSync(file)
    database.exec('DROP TABLE "quire feed"')
    database.close()
    const second = await openSqliteStore(file, layout)
    expect(await followAll(second)).toEqual([])
    await second.write([remove('r2'), review('b1', 'r1')])
    const changes = await followAll(second)
    expect(idsAndFates(changes)).toEqual(['r2 deleted', 'r1'])
    expect(changes[0]!.body).toEqual({ id: 'r2', bookId: 'b1' })
    await second.close()
  })

  test('shows current documents, and skips those that were deleted while their container was not followed', async () => {
    const file = newFile()
    const first = await openSqliteStore(file, layout)
    await first.write(['r1', 'r2', 'r3'].map((id) => review('b1', id)))
    await first.close()
    const unaware = await openSqliteStore(file, layout.map(({ followed: _, ...container }) => container))
    expect(await followAll(unaware)).toEqual([])
    await unaware.write([remove('r1'), review('b1', 'r2', { rating: 2 })])
    await unaware.close()
    const second = await openSqliteStore(file, layout)
    const changes = await followAll(second, 1)
    expect(idsAndFates(changes)).toEqual(['r2', 'r3'])
    expect(changes[0]!.body.rating).toBe(2)
    await second.close()
  })
})

describe('the statements', () => {
  test('are one for each call, for any number of keys or values', async () => {
    const store = await openSqliteStore(newFile(), layout)
    await store.write([book('b1')])
    const run = vi.spyOn(StatementSync.prototype, 'all')
    const many = Array.from({ length: 500 }, (_, at) => `p${at}`)
    await store.readMany('books', many.map(bookKey))
    await store.queryEach(books(), ['pub-id'], many)
    await store.queryEach(books(), ['authors', '*', 'id'], many)
    await store.countEach({ container: 'books' }, ['pub-id'], many)
    await store.changes('0', undefined, 500)
    expect(run).toHaveBeenCalledTimes(5)
    run.mockRestore()
    await store.close()
  })

  const database = new DatabaseSync(':memory:')
  const containers = prepareLayout(database, layout)
  const container = containers.get('books')!
  const plan = ({ text, values }: ReturnType<typeof querySql>): string =>
    database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values).map(({ detail }) => String(detail)).join('\n')

  test.each([['whether there is a deletion to sweep', anyDeletion], ['the deletions to sweep', sweepDeletions]])('find %s without looking at entries of other documents', (_, text) => {
    const found = plan({ text, values: [] })
    expect(found).toContain('USING INDEX quire feed of deletions (part=? AND sequence<?)')
  })

  test.each([[false], [true]])('start a page at its position in the index (descending: %s)', (descending) => {
    const found = plan(querySql(container, middle(['name'], descending)))
    expect(found).toBe(`SEARCH d USING INDEX books by type, ["name"], id (type=? AND (rank of ["name"],value of ["name"],id)${descending ? '<' : '>'}(?,?,?))`)
  })

  test.each<[string, Partial<Query>, string]>([
    ['of a type', {}, 'books by type, id (type=? AND id>?)'],
    ['of a type in a partition', { partition: ['b1'] }, 'books by partition, type, id (partition=? AND type=? AND id>?)'],
  ])('start a page by id %s at its position in the index', (_, selected, index) => {
    expect(plan(querySql(container, { ...middle(['id']), ...selected }))).toBe(`SEARCH d USING INDEX ${index}`)
  })

  test('stop at the end of a range, and start at the position rather than at its beginning', () => {
    const where = { op: 'gte', path: ['name'], value: 'a' } as const
    const found = plan(querySql(container, { ...middle(['name']), where }))
    expect(found).toContain('(type=? AND (rank of ["name"],value of ["name"],id)>(?,?,?) AND (rank of ["name"],value of ["name"])<(?,?))')
  })

  test('find ids in any partition without looking at other documents', () => {
    const where = { op: 'in', path: ['id'], values: ['b1', 'b2'] } as const
    expect(plan(querySql(container, books({ where })))).toContain('SEARCH d USING INDEX books by type, id (type=? AND id=?)')
  })

  test.each<[string, Path, Path, string]>([
    ['a property', ['pub-id'], ['id'], 'SEARCH d USING COVERING INDEX books by type, ["pub-id"], id (type=? AND rank of ["pub-id"]=? AND value of ["pub-id"]=? AND id>?)'],
    ['a property, ordered', ['pub-id'], ['name'], 'SEARCH d USING COVERING INDEX books by type, ["pub-id"], ["name"], id (type=? AND rank of ["pub-id"]=? AND value of ["pub-id"]=? AND (rank of ["name"],value of ["name"],id)>(?,?,?))'],
    ['a list', ['authors', '*', 'id'], ['id'], 'SEARCH s USING PRIMARY KEY (rank=? AND value=? AND (order_rank,order_value,id)>(?,?,?))'],
    ['a list, ordered', ['authors', '*', 'id'], ['name'], 'SEARCH s USING PRIMARY KEY (rank=? AND value=? AND (order_rank,order_value,id)>(?,?,?))'],
  ])('find the page for each value of %s by index, and sort nothing', (_, by, orderBy, search) => {
    const found = plan(queryEachSql(container, middle(orderBy), by, ['a', 'b']))
    expect(found).toContain(search)
    expect(found).not.toContain('TEMP B-TREE')
    expect(found).not.toContain('SCAN d')
  })

  test('find one value of a list by its index', () => {
    const where = { op: 'eq', path: ['authors', '*', 'id'], value: 'a1' } as const
    const found = plan(querySql(container, { ...middle(['name']), where }))
    expect(found).toContain('SEARCH s USING PRIMARY KEY (rank=? AND value=? AND (order_rank,order_value,id)>(?,?,?))')
    expect(found).not.toContain('TEMP B-TREE')
  })

  test.each<[Path, string]>([
    [['pub-id'], 'SEARCH d USING COVERING INDEX books by type, ["pub-id"]'],
    [['authors', '*', 'id'], 'SEARCH s USING PRIMARY KEY (rank=? AND value=?)'],
  ])('count for each value of %j by index', (by, search) => {
    expect(plan(countEachSql(container, { container: 'books', type: 'book' }, by, ['a', 'b']))).toContain(search)
  })

  test('find a page of the change feed from its point, and its documents by key', () => {
    const found = plan(changesSql([...containers.values()], '0', 7, 10))
    expect(found).toContain('SEARCH c USING PRIMARY KEY (part=? AND sequence>?)')
    expect(found).not.toContain('TEMP B-TREE')
    expect(found).not.toContain('SCAN')
  })
})

/** The older format: indexed values are generated columns, and the feed is in the order of its sequence. */
function makeOlder(file: string): void {
  const database = new DatabaseSync(file)
  const schema = (type: string) => database.prepare('SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL').all(type)
  for (const { name } of schema('trigger')) if (/ places .* after| after change/.test(String(name))) database.exec(`DROP TRIGGER ${quoted(name)}`)
  const indexes = schema('index').filter(({ sql }) => String(sql).includes('rank of'))
  for (const { name } of indexes) database.exec(`DROP INDEX ${quoted(name)}`)
  for (const { name: table } of schema('table')) {
    for (const { name } of database.prepare('SELECT name FROM pragma_table_info(?)').all(String(table))) {
      const [, path] = /^rank of (.*)$/.exec(String(name)) ?? []
      if (path === undefined) continue
      const at = `'$${(JSON.parse(path.replace(/\^(.)/g, (_, letter: string) => letter.toUpperCase())) as string[]).map((each) => `.${JSON.stringify(each)}`).join('').replaceAll("'", "''")}'`
      const value = `value of ${path}`
      for (const column of [name, value]) database.exec(`ALTER TABLE ${quoted(table)} DROP COLUMN ${quoted(column)}`)
      database.exec(`ALTER TABLE ${quoted(table)} ADD COLUMN ${quoted(name)} INTEGER GENERATED ALWAYS AS (CASE json_type(body, ${at}) WHEN 'true' THEN 1 WHEN 'false' THEN 1 WHEN 'integer' THEN 2 WHEN 'real' THEN 2 WHEN 'text' THEN 3 ELSE 0 END) VIRTUAL`)
      database.exec(`ALTER TABLE ${quoted(table)} ADD COLUMN ${quoted(value)} GENERATED ALWAYS AS (coalesce(body ->> ${at}, 0)) VIRTUAL`)
    }
  }
  for (const { sql } of indexes) database.exec(String(sql))
  for (const { name } of schema('table').filter((table) => String(table.name).startsWith('books by '))) {
    database.exec(`CREATE TRIGGER ${quoted(`${String(name)} after update`)} AFTER UPDATE ON books BEGIN DELETE FROM ${quoted(name)} WHERE row = OLD.row; END`)
  }
  database.exec(`CREATE TABLE "quire changes" (sequence INTEGER PRIMARY KEY AUTOINCREMENT, container TEXT NOT NULL, key TEXT NOT NULL, part TEXT NOT NULL,
    at INTEGER NOT NULL, deleted INTEGER NOT NULL, body TEXT, UNIQUE (container, key))`)
  database.exec('INSERT INTO "quire changes" SELECT sequence, container, key, part, at, deleted, body FROM "quire feed"; DROP TABLE "quire feed"')
  database.close()
}

function quoted(name: unknown): string {
  return `"${String(name).replaceAll('"', '""')}"`
}

function remove(id: string): Write {
  return { kind: 'delete', container: 'reviews', key: review('b1', id).key }
}

function middle(path: Path, descending = false): Query {
  return books({ orderBy: { path, descending }, after: { value: 'm', id: 'm' }, limit: 10 })
}

function pragma(database: DatabaseSync, name: string): unknown {
  return Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0]
}
