// One connection to the file: prepared statements, rows as lists, and errors that say which file failed
// and how. What is asked of it is written elsewhere.

import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import type { Bound, Sql } from './sqlite-fragment.ts'
import { ConflictError, SetupError, StoreUnavailableError } from './store.ts'

export type Row = readonly SQLOutputValue[]

/** How long anything but a writer waits for another process, which is hardly ever: it blocks this one meanwhile. */
export const busyTimeoutMs = 5000

export interface ConnectionOptions {
  readonly readOnly: boolean
  /** How much of the file it may keep in memory; by itself SQLite would keep 2 MB. */
  readonly pagesMb: number
}

/** Statements differ by the shape of their conditions, which clients choose: the oldest make room. */
const preparedStatements = 256

export class SqliteConnection {
  readonly database: DatabaseSync
  readonly #file: string
  readonly #statements = new Map<string, StatementSync>()

  constructor(file: string, { readOnly, pagesMb }: ConnectionOptions) {
    this.#file = file
    this.database = this.attempt('be opened', () => new DatabaseSync(file, { timeout: busyTimeoutMs, readOnly }))
    this.attempt('be prepared', () => this.database.exec(`PRAGMA cache_size = -${pagesMb * 1024}`))
  }

  get isInTransaction(): boolean {
    return this.database.isOpen && this.database.isTransaction
  }

  all({ text, values }: Sql): Row[] {
    return this.attempt('be read', () => this.#prepared(text).all(...values) as unknown as Row[])
  }

  get(text: string, ...values: readonly Bound[]): Row | undefined {
    return this.#prepared(text).get(...values) as unknown as Row | undefined
  }

  run(text: string, ...values: readonly Bound[]): void {
    this.#prepared(text).run(...values)
  }

  attempt<Answer>(what: string, work: () => Answer): Answer {
    try {
      return work()
    } catch (error) {
      if (error instanceof ConflictError || error instanceof StoreUnavailableError || error instanceof SetupError) throw error
      throw asFailed(this.#file, what, error)
    }
  }

  close(): void {
    this.#statements.clear()
    if (this.database.isOpen) this.database.close()
  }

  #prepared(text: string): StatementSync {
    let statement = this.#statements.get(text)
    if (statement !== undefined && this.#statements.size < preparedStatements) return statement
    if (statement === undefined) {
      statement = this.database.prepare(text)
      statement.setReturnArrays(true)
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
  if (codeOf(error) === notADatabaseCode) return new SetupError(`${file} is not a SQLite database. Name another file as the store, or move this one away.`, { cause: error })
  const why = error instanceof Error ? error.message : String(error)
  const hint = hints.get(codeOf(error)) ?? ''
  return new (isUnavailable(error) ? StoreUnavailableError : Error)(`The SQLite store ${file} could not ${what}: ${why}.${hint}`, { cause: error })
}

/** Locked, failing, full, unreadable: SQLite's codes for what may be over in a moment and is nobody's mistake. */
const unavailableCodes = new Set([5, 6, 8, 10, 13, 14])

const busyCode = 5
const notADatabaseCode = 26

/** What to do about it, where that is not to wait. */
const hints = new Map([
  [8, ' Make the file and its folder writable, or name another file as the store.'],
  [13, ' Make room on the disk.'],
  [14, ' Name a file, in a folder that you may write in.'],
])

export function isBusy(error: unknown): boolean {
  return codeOf(error) === busyCode
}

function isUnavailable(error: unknown): boolean {
  return unavailableCodes.has(codeOf(error))
}

/** Extended codes carry the plain one in their lowest byte. */
function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
}
