// One connection to the file: prepared statements, rows as lists, and errors that name the file. The statements
// themselves are in sql/ and change-feed.ts.
//
// A connection that has seen the disk fail is suspect: it is reopened before its next use, unless a transaction is open.
// A full disk does not make it suspect.

import { statSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue, type StatementResultingChanges, type StatementSync } from 'node:sqlite'
import { ConflictError, SetupError, StoreUnavailableError } from '../store-errors.ts'
import type { Bound, Sql } from './sql/sql-fragment.ts'
import { addTextFunctions } from './sql/text-functions.ts'
import { isConnectionSuspect, sqliteError, type Attempt } from './sqlite-errors.ts'

export type Row = readonly SQLOutputValue[]

/** How long SQLite itself waits for another process. That blocks this process, but writers do not wait this way, so it is rare. */
export const busyTimeoutMs = 5000

export interface ConnectionOptions {
  readonly readOnly: boolean
  /** How much of the file it may keep in memory; SQLite's own default is 2 MB. */
  readonly pageCacheMb: number
  /** Functions that its statements may call. */
  readonly functions?: Readonly<Record<string, () => number>>
}

/**
 * Undo information of savepoints stays in memory: in a file it would cost more than the write. A thread copies the write-ahead
 * log into the file (worker/checkpointer.ts). If the log reaches 128 MB nevertheless, a commit copies the rest. A log that has
 * become longer than 16 MB, because of a long read, is cut off there when it restarts.
 */
const writerPragmas = 'PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 32000; PRAGMA journal_size_limit = 16777216'

/** Clients choose the shapes of conditions, and so the number of statements: the least recently used is dropped. */
const maxPreparedStatements = 256

/** Longer statements are not kept: a prepared statement takes about ten times its length, and such long filters are hardly ever repeated. */
const maxKeptTextLength = 8000

export class SqliteConnection {
  /** Grows when the connection is reopened: everything known of the file through the previous one has to be read again. */
  reopenings = 0
  readonly #file: string
  readonly #options: ConnectionOptions
  readonly #statements = new Map<string, StatementSync>()
  /** Null for a database in memory. */
  readonly #path: string | null
  /** Device and inode of the file that was opened. */
  readonly #identity: string | undefined
  #database: DatabaseSync
  #isSuspect = false
  #isClosed = false

  constructor(file: string, options: ConnectionOptions) {
    this.#file = file
    this.#options = options
    this.#database = this.#open()
    this.#path = this.#database.location()
    this.#identity = identityOf(this.#path)
  }

  get database(): DatabaseSync {
    return this.#database
  }

  get isInTransaction(): boolean {
    return this.#database.isOpen && this.#database.isTransaction
  }

  /** Throws if the file has been replaced since it was opened: new connections open the other file. */
  checkInPlace(): void {
    if (identityOf(this.#path) !== this.#identity) throw new SetupError(`The SQLite store ${this.#file} was replaced while it was opened. Start again.`)
  }

  rollback(): void {
    if (!this.isInTransaction) return
    try {
      this.#database.exec('ROLLBACK')
    } catch {
      // Closing the connection rolls back, too.
      this.#isSuspect = true
      if (this.#identity !== undefined) this.#closeDatabase()
    }
  }

  all({ text, values }: Sql): Row[] {
    return this.attempt('read', () => this.#prepared(text).all(...values) as unknown as Row[])
  }

  get(text: string, ...values: readonly Bound[]): Row | undefined {
    return this.#prepared(text).get(...values) as unknown as Row | undefined
  }

  run(text: string, ...values: readonly Bound[]): StatementResultingChanges {
    return this.#prepared(text).run(...values)
  }

  exec(text: string): void {
    if (this.#isSuspect) this.#reopen()
    this.#database.exec(text)
  }

  /** Runs the work, and makes SQLite's errors name the file and the attempt. */
  attempt<Answer>(attempt: Attempt, work: () => Answer): Answer {
    try {
      return work()
    } catch (error) {
      if (error instanceof ConflictError || error instanceof StoreUnavailableError || error instanceof SetupError) throw error
      if (isConnectionSuspect(error)) this.#isSuspect = true
      throw sqliteError(this.#file, attempt, error)
    }
  }

  close(): void {
    this.#isClosed = true
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #reopen(): void {
    if (this.#isClosed || this.#identity === undefined || this.isInTransaction) return
    // Opening a file that is gone would create an empty one.
    if (identityOf(this.#path) !== this.#identity) throw new StoreUnavailableError(`Cannot reopen the SQLite store ${this.#file}: the file was moved or replaced. Put it back, or restart.`)
    const opened = this.#open()
    this.#closeDatabase()
    this.#database = opened
    this.#isSuspect = false
    this.reopenings++
  }

  #open(): DatabaseSync {
    const { readOnly, pageCacheMb, functions = {} } = this.#options
    const opened = this.attempt('open', () => new DatabaseSync(this.#file, { timeout: busyTimeoutMs, readOnly }))
    // FULL: a write is acknowledged only when the disk has confirmed it. A write-ahead log would not wait for the disk by default.
    this.attempt(this.reopenings === 0 && !this.#isSuspect ? 'prepare' : 'reopen', () => opened.exec(`PRAGMA cache_size = -${pageCacheMb * 1024}; PRAGMA synchronous = FULL; ${writerPragmas}`))
    addTextFunctions(opened)
    for (const [name, call] of Object.entries(functions)) opened.function(name, call)
    return opened
  }

  #closeDatabase(): void {
    this.#statements.clear()
    try {
      if (this.#database.isOpen) this.#database.close()
    } catch {
      // It is closed because it has failed before.
    }
  }

  #prepared(text: string): StatementSync {
    if (this.#isSuspect) this.#reopen()
    let statement = this.#statements.get(text)
    if (statement !== undefined && this.#statements.size < maxPreparedStatements) return statement
    if (statement === undefined) {
      statement = this.#database.prepare(text)
      statement.setReturnArrays(true)
      if (text.length > maxKeptTextLength) return statement
    }
    // Deleted and set again, so that the first statement of the map is the least recently used.
    this.#statements.delete(text)
    this.#statements.set(text, statement)
    if (this.#statements.size > maxPreparedStatements) this.#statements.delete(this.#statements.keys().next().value!)
    return statement
  }
}

/** Undefined if there is no file. */
function identityOf(path: string | null): string | undefined {
  const found = path === null ? undefined : statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}/${found.ino}`
}
