// Indexes contain exactly what SQLite itself would compute from the bodies, whether written by this code, by a
// store with other indexes, or by an older version that leaves them to triggers.

import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { expect, test } from 'vitest'
import { keyText, partitionText } from '../../../src/model/keys/key.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { ContainerLayout, Store, Write } from '../../../src/store/store.ts'
import fc, { runs } from '../../fast-check.ts'
import { things } from '../conformance/random.ts'
import { book, books, idsOf, layout, type Put } from '../conformance/shelf.ts'
import { newFile } from './new-file.ts'

/** The same containers, each with the first half of its indexes. */
const fewer: readonly ContainerLayout[] = layout.map((container) => ({ ...container, indexes: container.indexes.slice(0, container.indexes.length / 2) }))

type Step = (typeof ways)[number]
const ways = ['here', 'here', 'here', 'elsewhere', 'older', 'tool'] as const

/** Three rounds of random documents, many of them the same ones, each round with some deletions. */
const history: fc.Arbitrary<{ readonly way: Step; readonly write: Write }[]> = fc.tuple(things, things, things).chain((goes) =>
  fc.tuple(...goes.map((puts) => fc.array(fc.record({ way: fc.constantFrom(...ways), deletes: fc.integer({ min: 0, max: 9 }) }), { minLength: puts.length, maxLength: puts.length })))
    .map((chosen) => goes.flatMap((puts, go) => puts.map((put, at) => {
      const { way, deletes } = chosen[go]![at]!
      return { way, write: deletes === 0 ? ({ kind: 'delete', container: put.container, key: put.key } as const) : put }
    }))))

test('indexes equal a rebuild from the bodies, after random writes by all kinds of writers', async () => {
  await fc.assert(fc.asyncProperty(history, fc.boolean(), async (steps, together) => {
    const file = newFile()
    const [here, elsewhere] = [await openSqliteStore(file, layout), await openSqliteStore(file, fewer)]
    const database = new DatabaseSync(file)
    // The store that opened the file last has made the triggers; half of the time that is the one with all indexes.
    const open = together ? [here, elsewhere, await openSqliteStore(file, layout)] : [here, elsewhere]
    for (const { way, write } of steps) await writers[way]({ here, elsewhere, database }, write)
    // The same again, in one commit in which each writer sees what the one before has written.
    await Promise.all(steps.map(({ write }) => here.write([write])))
    const held = contentOf(database)
    database.close()
    await Promise.all(open.map((store) => store.close()))
    expect(held).toEqual(await rebuilt(file))
  }), { numRuns: runs(40) })
})

test('a file is not changed by opening it again', async () => {
  const file = newFile()
  const versions: unknown[] = []
  for (const _ of [1, 2]) {
    const store = await openSqliteStore(file, layout)
    await store.close()
    const database = new DatabaseSync(file)
    versions.push(database.prepare('PRAGMA schema_version').get())
    database.close()
  }
  expect(versions[1]).toEqual(versions[0])
})

test('an index whose value has not changed is not written', async () => {
  const file = newFile()
  const store = await openSqliteStore(file, layout)
  await store.write([book('b1', { price: 1, authors: [{ id: 'a1', name: 'A' }, { id: 'a2', name: 'B' }] })])
  const database = new DatabaseSync(file)
  database.exec(`
    CREATE TABLE touched (what);
    CREATE TRIGGER watch_price AFTER UPDATE OF "rank of [""price""]" ON books BEGIN INSERT INTO touched VALUES ('price'); END;
    CREATE TRIGGER watch_name AFTER UPDATE OF "rank of [""name""]" ON books BEGIN INSERT INTO touched VALUES ('name'); END;
    CREATE TRIGGER watch_type AFTER UPDATE OF type ON books BEGIN INSERT INTO touched VALUES ('type'); END;
    CREATE TRIGGER watch_added AFTER INSERT ON "books by [""book"",[""authors"",""*"",""id""],[""id""]]" BEGIN INSERT INTO touched VALUES ('+' || NEW.value); END;
    CREATE TRIGGER watch_dropped AFTER DELETE ON "books by [""book"",[""authors"",""*"",""id""],[""id""]]" BEGIN INSERT INTO touched VALUES ('-' || OLD.value); END`)
  const touchedBy = async (changed: Record<string, unknown>): Promise<unknown[]> => {
    database.exec('DELETE FROM touched')
    await store.write([book('b1', changed as Put['body'])])
    return database.prepare('SELECT what FROM touched').all().map(({ what }) => what)
  }
  expect(await touchedBy({ price: 1, authors: [{ id: 'a2', name: 'B' }, { id: 'a1', name: 'renamed' }] })).toEqual([])
  expect(await touchedBy({ price: 2, authors: [{ id: 'a2' }, { id: 'a1' }] })).toEqual(['price'])
  expect(await touchedBy({ price: 2, authors: [{ id: 'a3' }, { id: 'a1' }] })).toEqual(['-a2', '+a3'])
  expect(await touchedBy({ price: 2.5, authors: [{ id: 'a3' }, { id: 'a1' }] })).toEqual(['price'])
  expect(await touchedBy({ type: 'leaflet', price: 2.5, authors: [{ id: 'a3' }] })).toEqual(expect.arrayContaining(['type', '-a1', '-a3']))
  database.close()
  await store.close()
})

test('a store that does not know an index still keeps it up to date', async () => {
  const file = newFile()
  const [all, some] = [await openSqliteStore(file, layout), await openSqliteStore(file, fewer)]
  await some.write([book('b1', { 'pub-id': 'p1', authors: [{ id: 'a1' }] })])
  await some.write([book('b1', { 'pub-id': 'p2', authors: [{ id: 'a2' }] }), book('b2', { 'pub-id': 'p2', authors: [{ id: 'a2' }] })])
  expect(await all.countEach({ container: 'books', type: 'book' }, ['authors', '*', 'id'], ['a1', 'a2'])).toEqual([0, 2])
  expect(idsOf(await all.query(books({ where: { op: 'eq', path: ['pub-id'], value: 'p2' } })))).toEqual(['b1', 'b2'])
  await Promise.all([all.close(), some.close()])
})

interface Writers {
  readonly here: Store
  readonly elsewhere: Store
  readonly database: DatabaseSync
}

const writers: Record<Step, (writers: Writers, write: Write) => unknown> = {
  here: ({ here }, write) => here.write([write]),
  elsewhere: ({ elsewhere }, write) => elsewhere.write([write]),
  // As older versions wrote: they left columns and lists to the triggers.
  older: ({ database }, write) => putPlainly(database, write, 'older'),
  // A writer that does not even change the etag.
  tool: ({ database }, write) => putPlainly(database, write, undefined),
}

function putPlainly(database: DatabaseSync, write: Write, etag: string | undefined): void {
  const { container, key } = write
  const run = (text: string, ...values: SQLInputValue[]) => database.prepare(text).run(...values)
  if (write.kind === 'delete') return void run(`DELETE FROM "${container}" WHERE key = ?`, keyText(key))
  const json = JSON.stringify(write.body)
  const type = typeof write.body.type === 'string' ? write.body.type : null
  run(`INSERT INTO "${container}" (key, partition, id, type, etag, bytes, body) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET type = excluded.type, etag = coalesce(?, etag), bytes = excluded.bytes, body = excluded.body`,
  keyText(key), partitionText(key.partition), key.id, type, etag ?? 'made by hand', Buffer.byteLength(json), json, etag ?? null)
}

/** The contents of all indexes: the sort keys of every document and the entries of every list, each with its SQLite type. */
function contentOf(database: DatabaseSync): unknown {
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'things%' ORDER BY name`).all().map(({ name }) => String(name))
  return tables.map((table) => {
    const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(table).map(({ name }) => `"${String(name).replaceAll('"', '""')}"`).filter((name) => /value|rank|key/.test(name))
    const selected = columns.map((name) => `quote(t.${name}) || ' ' || typeof(t.${name})`).join(` || ', ' || `)
    const from = table === 'things' ? '"things" AS t' : `"${table.replaceAll('"', '""')}" AS t JOIN things AS d ON d.row = t.row`
    const rows = database.prepare(`SELECT hex(${table === 'things' ? 't.key' : 'd.key'}) || ' ' || hex(${selected}) AS held FROM ${from} ORDER BY held`).all()
    const orphans = table === 'things' ? 0 : database.prepare(`SELECT count(*) AS count FROM "${table.replaceAll('"', '""')}" WHERE row NOT IN (SELECT row FROM things)`).get()!['count']
    return { table, orphans, held: rows.map(({ held }) => String(held)) }
  })
}

/** The same documents in a new file, whose indexes are built from the bodies. */
async function rebuilt(file: string): Promise<unknown> {
  const again = newFile()
  const bare = await openSqliteStore(again, layout.map((container) => ({ ...container, indexes: [] })))
  await bare.close()
  const database = new DatabaseSync(again)
  database.exec(`ATTACH '${file}' AS old; INSERT INTO things (row, key, partition, id, type, etag, bytes, body) SELECT row, key, partition, id, type, etag, bytes, body FROM old.things; DETACH old`)
  const store = await openSqliteStore(again, layout)
  await store.close()
  const content = contentOf(database)
  database.close()
  return content
}
