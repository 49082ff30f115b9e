// The write-ahead log is copied into the file on a thread: no commit does it, and nothing is read again because of it.

import { copyFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { book, bookKey, layout } from '../conformance/shelf.ts'
import { newFile } from './new-file.ts'

/** What a reader finds in the file without its log. */
function booksInFile(file: string): number {
  const copy = newFile()
  copyFileSync(file, copy)
  const database = new DatabaseSync(copy)
  const table = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '%books%'").get() as { name: string } | undefined
  const { count } = table ? (database.prepare(`SELECT count(*) AS count FROM "${table.name}"`).get() as { count: number }) : { count: 0 }
  database.close()
  return count
}

test('after some writes, and documents stay cached', async () => {
  const file = newFile()
  const store = await openSqliteStore(file, layout, { writesPerCheckpoint: 10 })
  for (let at = 0; at < 4; at++) await store.write([book(`b${at}`, { price: at })])
  const before = booksInFile(file)
  for (let at = 4; at < 20; at++) await store.write([book(`b${at}`, { price: at })])
  await vi.waitFor(() => expect(booksInFile(file)).toBeGreaterThan(before), { timeout: 20_000 })
  // The statements of reads return all rows; `PRAGMA data_version`, which tells whether others have committed, returns one.
  const read = vi.spyOn(StatementSync.prototype, 'all')
  expect(await store.readMany('books', [bookKey('b19')])).toMatchObject([{ body: { id: 'b19' } }])
  const first = read.mock.calls.length
  expect(await store.readMany('books', [bookKey('b19')])).toMatchObject([{ body: { id: 'b19' } }])
  for (let at = 20; at < 40; at++) await store.write([book(`b${at}`, { price: at })])
  await vi.waitFor(() => expect(booksInFile(file)).toBeGreaterThan(20), { timeout: 20_000 })
  expect(await store.readMany('books', [bookKey('b19')])).toMatchObject([{ body: { id: 'b19' } }])
  expect(read.mock.calls.length).toBe(first)
  vi.restoreAllMocks()
  await store.close()
  // The last connection to close removes the log, so the thread has closed its own.
  expect(existsSync(`${file}-wal`)).toBe(false)
})

test('and then a writer restarts the log, so that it does not grow for ever', async () => {
  const file = newFile()
  const store = await openSqliteStore(file, layout, { writesPerCheckpoint: 10 })
  // SQLite counts in the header of the log how often it restarted.
  const begun = (): number => readFileSync(`${file}-wal`).readUInt32BE(12)
  await store.write([book('b0', { price: 0 })])
  const first = begun()
  await vi.waitFor(async () => {
    for (let at = 0; at < 10; at++) await store.write([book(`b${at}`, { price: at })])
    expect(begun()).toBeGreaterThan(first)
  }, { timeout: 20_000 })
  await store.close()
})

test('and a log that a long read has made long is cut off', async () => {
  const file = newFile()
  const store = await openSqliteStore(file, layout, { writesPerCheckpoint: 10 })
  await store.write([book('b0', { price: 0 })])
  const reader = new DatabaseSync(file, { readOnly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM books').get()
  for (let at = 0; at < 24; at++) await store.write([book(`b${at % 4}`, { text: String(at % 10).repeat(1_000_000) })])
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(20_000_000)
  reader.exec('COMMIT')
  reader.close()
  await vi.waitFor(async () => {
    for (let at = 0; at < 10; at++) await store.write([book(`c${at}`, { price: at })])
    expect(statSync(`${file}-wal`).size).toBeLessThan(17_000_000)
  }, { timeout: 30_000 })
  await store.close()
})
