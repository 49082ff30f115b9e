// One connection to the file: prepared statements, rows as lists, and errors that say which file failed
// and how. What is asked of it is written elsewhere.
//
// A connection that has seen the disk fail is not trusted any more: before it is used again, and not in the
// middle of a transaction, it makes place for a new one. A disk that is only full leaves nothing to distrust.

import { statSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue, type StatementResultingChanges, type StatementSync } from 'node:sqlite'
import type { Bound, Sql } from './sql/sql-fragment.ts'
import { ConflictError, SetupError, StoreUnavailableError } from '../store.ts'

export type Row = readonly SQLOutputValue[]

/** How long anything but a writer waits for another process, which is hardly ever: it blocks this one meanwhile. */
export const busyTimeoutMs = 5000

export interface ConnectionOptions {
  readonly readOnly: boolean
  /** How much of the file it may keep in memory; by itself SQLite would keep 2 MB. */
  readonly pagesMb: number
}

/**
 * What one writer of several would have to undo is kept in memory: in a file it costs more than the write. And the log is
 * folded into the file when it has 32 MB, since the same pages are written again and again, and then go once.
 */
const ofWriters = 'PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 8000'

/** Statements differ by the shape of their conditions, which clients choose: the oldest make room. */
const preparedStatements = 256

/** Longer ones are not kept: what SQLite makes of a text takes some ten times its length, and a filter of so many conditions is hardly sent twice. */
const longestKept = 8000

export class SqliteConnection {
  /** How often it has become another one: what was known of the file through the one before is to be asked anew. */
  renewals = 0
  readonly #file: string
  readonly #options: ConnectionOptions
  readonly #statements = new Map<string, StatementSync>()
  /** Null for a database in memory. */
  readonly #path: string | null
  /** Which file it is, whatever is found there later. */
  readonly #identity: string | undefined
  #database: DatabaseSync
  #doubtful = false
  #closed = false

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

  /** Nothing that is not committed is. */
  rollBack(): void {
    if (!this.isInTransaction) return
    try {
      this.#database.exec('ROLLBACK')
    } catch {
      // A connection that cannot even do that does it by being closed.
      this.#doubtful = true
      if (this.#identity !== undefined) this.#abandon()
    }
  }

  all({ text, values }: Sql): Row[] {
    return this.attempt('be read', () => this.#prepared(text).all(...values) as unknown as Row[])
  }

  get(text: string, ...values: readonly Bound[]): Row | undefined {
    return this.#prepared(text).get(...values) as unknown as Row | undefined
  }

  run(text: string, ...values: readonly Bound[]): StatementResultingChanges {
    return this.#prepared(text).run(...values)
  }

  exec(text: string): void {
    if (this.#doubtful) this.#renew()
    this.#database.exec(text)
  }

  attempt<Answer>(what: string, work: () => Answer): Answer {
    try {
      return work()
    } catch (error) {
      if (error instanceof ConflictError || error instanceof StoreUnavailableError || error instanceof SetupError) throw error
      if (doubtfulCodes.has(codeOf(error))) this.#doubtful = true
      throw asFailed(this.#file, what, error)
    }
  }

  close(): void {
    this.#closed = true
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #renew(): void {
    if (this.#closed || this.#identity === undefined || this.isInTransaction) return
    // Opened by its name, a file that is gone would be made anew, and empty.
    if (identityOf(this.#path) !== this.#identity) throw new StoreUnavailableError(`The SQLite store ${this.#file} is not the file that was opened: it was moved or replaced. Put it back, or restart.`)
    const opened = this.#open()
    this.#abandon()
    this.#database = opened
    this.#doubtful = false
    this.renewals++
  }

  #open(): DatabaseSync {
    const { readOnly, pagesMb } = this.#options
    const opened = this.attempt('be opened', () => new DatabaseSync(this.#file, { timeout: busyTimeoutMs, readOnly }))
    // Written by the log and acknowledged only when the disk has confirmed it: SQLite's own default for a log would leave the disk out.
    this.attempt(this.renewals === 0 && !this.#doubtful ? 'be prepared' : 'be opened again', () => opened.exec(`PRAGMA cache_size = -${pagesMb * 1024}; PRAGMA synchronous = FULL; ${ofWriters}`))
    return opened
  }

  #abandon(): void {
    this.#statements.clear()
    try {
      if (this.#database.isOpen) this.#database.close()
    } catch {
      // It has failed before, which is why it goes.
    }
  }

  #prepared(text: string): StatementSync {
    if (this.#doubtful) this.#renew()
    let statement = this.#statements.get(text)
    if (statement !== undefined && this.#statements.size < preparedStatements) return statement
    if (statement === undefined) {
      statement = this.#database.prepare(text)
      statement.setReturnArrays(true)
      if (text.length > longestKept) return statement
    }
    // Deleted and set again, so that the first in the map is the one unused for longest.
    this.#statements.delete(text)
    this.#statements.set(text, statement)
    if (this.#statements.size > preparedStatements) this.#statements.delete(this.#statements.keys().next().value!)
    return statement
  }
}

/** What SQLite said, and of which file. */
export function asFailed(file: string, what: string, error: unknown): Error {
  if (codeOf(error) === notADatabaseCode && what === 'be prepared') return new SetupError(`${file} is not a SQLite database. Name another file as the store, or move this one away.`, { cause: error })
  const why = error instanceof Error ? error.message : String(error)
  const hint = hints.get(codeOf(error)) ?? ''
  return new (isUnavailable(error) ? StoreUnavailableError : Error)(`The SQLite store ${file} could not ${what}: ${why}.${hint}`, { cause: error })
}

/** Locked, out of memory, failing, damaged, full, unreadable: SQLite's codes for what may be over in a moment, or not, and is nobody's mistake. */
const unavailableCodes = new Set([5, 6, 7, 8, 10, 11, 13, 14, 15, 26])

/** Failing, damaged, unreadable: after these, what the connection has in memory may not be what is in the file. */
const doubtfulCodes = new Set([10, 11, 14, 15, 26])

const busyCode = 5
const fullCode = 13
const notADatabaseCode = 26

/** What to do about it, where that is not to wait. */
const hints = new Map([
  [8, ' Make the file and its folder writable, or name another file as the store.'],
  [11, ' Move it away, and put a copy of it in its place that is whole.'],
  [13, ' Make room on the disk.'],
  [14, ' Name a file, in a folder that you may write in.'],
])

/** SQLite's code for a second row with the same key. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 2067
}

export function isBusy(error: unknown): boolean {
  return codeOf(error) === busyCode
}

/** Whether it is that there is no room on the disk. SQLite says so only of what it could not write down whole. */
export function isFull(error: unknown): boolean {
  return codeOf(error) === fullCode
}

/** Undefined where there is none. */
function identityOf(path: string | null): string | undefined {
  const found = path === null ? undefined : statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}/${found.ino}`
}

function isUnavailable(error: unknown): boolean {
  return unavailableCodes.has(codeOf(error))
}

/** SQLite's own, also of what was said about it. Extended codes carry the plain one in their lowest byte. */
function codeOf(error: unknown): number {
  const said = error instanceof StoreUnavailableError ? error.cause : error
  return said instanceof Error && 'errcode' in said ? Number(said.errcode) & 0xff : 0
}
