// The SQLite store when SQLite fails, with simulated errors. Tests with a really failing disk are in
// test/durable.

import { renameSync, existsSync } from 'node:fs'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { afterEach, expect, test, vi } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { InDoubtError, StoreUnavailableError } from '../../../src/store/store-errors.ts'
import type { Store } from '../../../src/store/store.ts'
import { book, bookKey, books, idsOf, layout, priceOf } from '../conformance/shelf.ts'
import { beforeExec, beforeRun } from './watched-statements.ts'
import { withTimelessStore } from './new-file.ts'

afterEach(() => void vi.restoreAllMocks())

/** With one book in it. */
function withFile(work: (store: Store, file: string) => Promise<void>): Promise<void> {
  return withTimelessStore(async (store, file) => {
    await store.write([book('b0', { price: 0 })])
    await work(store, file)
  })
}

function failed(errcode: number): Error {
  return Object.assign(new Error('it failed'), { errcode })
}

function failCommits(errcode: number): void {
  beforeRun((text) => {
    if (text === 'COMMIT') throw failed(errcode)
  })
}

test.each([
  ['locked', 5], ['out of memory', 7], ['read-only', 8], ['failing', 10], ['failing to sync', 1034], ['damaged', 11], ['full', 13], ['not to be opened', 14], ['not a database any more', 26],
])('a store that is %s refuses writes, serves reads, and writes again when it has recovered', (_, errcode) =>
  withFile(async (store) => {
    failCommits(errcode)
    const [one, two] = await Promise.allSettled([store.write([book('b1')]), store.write([book('b2')])])
    expect([one, two].map((each) => each.status === 'rejected' && each.reason instanceof StoreUnavailableError && !(each.reason instanceof InDoubtError))).toEqual([true, true])
    expect(idsOf(await store.query(books()))).toEqual(['b0'])
    await store.ping()
    vi.restoreAllMocks()
    await store.write([book('b3')])
    expect(idsOf(await store.query(books()))).toEqual(['b0', 'b3'])
  }))

test('a commit whose outcome cannot be found out is reported as in doubt', () =>
  withFile(async (store, file) => {
    failCommits(1034)
    let begun = 0
    beforeExec((text) => {
      if (text === 'BEGIN IMMEDIATE' && ++begun > 1) throw failed(10)
    })
    await expect(store.write([book('b1')])).rejects.toThrow(new InDoubtError(
      `Cannot write the SQLite store ${file}: it failed. The commit failed, and it is not known whether anything was written.`))
  }))

test('a full disk leaves no doubt, and confirming that needs no disk space', () =>
  withFile(async (store) => {
    failCommits(13)
    const begun: string[] = []
    beforeExec((text) => void begun.push(text))
    await expect(store.write([book('b1')])).rejects.toThrow('it failed. Free some disk space.')
    expect(begun.filter((text) => text === 'BEGIN IMMEDIATE')).toHaveLength(1)
  }))

test('a writer that cannot be undone alone undoes all that share its commit', () =>
  withFile(async (store) => {
    let inserts = 0
    beforeRun((text) => {
      if (text.startsWith('INSERT INTO "books"') && ++inserts === 2) throw failed(10)
    })
    beforeExec((text) => {
      if (text.startsWith('ROLLBACK TO')) throw failed(10)
    })
    const outcomes = await Promise.allSettled([store.write([book('b1')]), store.write([book('b2')])])
    expect(outcomes.map((each) => each.status === 'rejected' && each.reason instanceof StoreUnavailableError)).toEqual([true, true])
    vi.restoreAllMocks()
    expect(idsOf(await store.query(books()))).toEqual(['b0'])
    await store.write([book('b3')])
    expect(idsOf(await store.query(books()))).toEqual(['b0', 'b3'])
  }))

test('a connection that cannot roll back is closed instead', () =>
  withFile(async (store) => {
    failCommits(10)
    beforeExec((text) => {
      if (text === 'ROLLBACK') throw failed(10)
    })
    await expect(store.write([book('b1')])).rejects.toThrow(StoreUnavailableError)
    vi.restoreAllMocks()
    await store.write([book('b2')])
    expect(idsOf(await store.query(books()))).toEqual(['b0', 'b2'])
  }))

test('a reopened connection does not use what the old one has cached', () =>
  withFile(async (store, file) => {
    const other = await openSqliteStore(file, layout)
    expect(await priceOf(store, 'b0')).toBe(0)
    failCommits(10)
    await expect(store.write([book('b1')])).rejects.toThrow(StoreUnavailableError)
    vi.restoreAllMocks()
    await other.write([book('b0', { price: 7 })])
    expect(await priceOf(store, 'b0')).toBe(7)
    await other.close()
  }))

test('reads go on while the writing connection fails, and see what other processes write', () =>
  withFile(async (store, file) => {
    expect(await priceOf(store, 'b0')).toBe(0)
    const get = Reflect.get(StatementSync.prototype, 'get') as (this: StatementSync, ...values: unknown[]) => ReturnType<StatementSync['get']>
    vi.spyOn(StatementSync.prototype, 'get').mockImplementation(function (this: StatementSync, ...values) {
      if (this.sourceSQL === 'PRAGMA data_version') throw failed(10)
      return get.apply(this, values)
    })
    expect(await priceOf(store, 'b0')).toBe(0)
    const other = new DatabaseSync(file)
    other.exec(`UPDATE books SET etag = 'other', body = json_set(body, '$.price', 7) WHERE id = 'b0'`)
    other.close()
    expect(await priceOf(store, 'b0')).toBe(7)
    expect((await store.readMany('books', [bookKey('b0')]))[0]!.body.price).toBe(7)
  }))

test('a file that was moved away is not created again, and is used when it is back', () =>
  withFile(async (store, file) => {
    failCommits(10)
    renameSync(file, `${file}.away`)
    await expect(store.write([book('b1')])).rejects.toThrow(StoreUnavailableError)
    vi.restoreAllMocks()
    await expect(store.write([book('b1')])).rejects.toThrow(`Cannot reopen the SQLite store ${file}: the file was moved or replaced.`)
    expect(existsSync(file)).toBe(false)
    renameSync(`${file}.away`, file)
    await store.write([book('b2')])
    expect(idsOf(await store.query(books()))).toEqual(['b0', 'b2'])
  }))
