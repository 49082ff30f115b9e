// The embedded store: one SQLite file, durable when a write is acknowledged, shared by any number of
// processes on the machine. The statements are written in sqlite-sql.ts and, for the change feed,
// sqlite-changes.ts, the tables in sqlite-layout.ts.

import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { partitionText } from '../keys/key.ts'
import { compareScalars, compareText, scalarAt } from './conditions.ts'
import { partOf, type FeedEntry } from './feed.ts'
import { containerNamed, inProcessStore, keyOf, type Engine } from './in-process.ts'
import type { Order, Path, Query, Scalar, Selection } from './query.ts'
import { changesSql, deleteEntrySql, lastChangeSql, putEntrySql } from './sqlite-changes.ts'
import type { Sql } from './sqlite-fragment.ts'
import { prepareLayout, type SqliteContainer } from './sqlite-layout.ts'
import { countEachSql, countSql, deleteSql, findSql, putSql, queryEachSql, querySql, readManySql, sizesSql } from './sqlite-sql.ts'
import { ConflictError, StoreUnavailableError, type Body, type ContainerLayout, type Store, type StoredDocument } from './store.ts'
import { inTurn } from './turns.ts'
import { checkCondition, newEtag, type EncodedWrite, type Written } from './writing.ts'

export async function openSqliteStore(file: string, layout: readonly ContainerLayout[]): Promise<Store> {
  const engine = new SqliteEngine(file)
  try {
    await inTurn(engine.queue, () => engine.prepare(layout))
    return inProcessStore(engine)
  } catch (error) {
    engine.close()
    throw error
  }
}

/** How long anything but a writer waits for another process, which is hardly ever: it blocks this one meanwhile. */
const busyTimeoutMs = 5000

/** Statements differ by the shape of their conditions, which clients choose: the oldest make room. */
const preparedStatements = 256

type OutputRow = Record<string, SQLOutputValue>

class SqliteEngine implements Engine {
  readonly system = 'sqlite'
  readonly durable = true
  readonly queue: unknown
  readonly #file: string
  readonly #database: DatabaseSync
  #containers: ReadonlyMap<string, SqliteContainer> = new Map()
  #followed: readonly SqliteContainer[] = []
  readonly #statements = new Map<string, StatementSync>()

  constructor(file: string) {
    this.#file = file
    this.#database = this.#attempt('be opened', () => new DatabaseSync(file, { timeout: busyTimeoutMs }))
    // Two stores of this process on one file would otherwise block each other out: the one that SQLite
    // makes wait keeps the plan of the other from going on.
    this.queue = this.#database.location() ?? this
  }

  prepare(layout: readonly ContainerLayout[]): void {
    this.#containers = this.#attempt('be prepared', () => {
      // 64 MB of pages: with the 2 MB it would take by itself, many writes in a row read most pages again.
      this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536')
      return this.#transaction(() => prepareLayout(this.#database, layout))
    })
    this.#followed = [...this.#containers.values()].filter(({ followed }) => followed)
  }

  readMany(container: string, keys: readonly string[]): Map<string, StoredDocument> {
    const rows = this.#all(readManySql(containerNamed(this.#containers, container), keys))
    return new Map(rows.map((row) => [String(row.key), documentOf(row)]))
  }

  query(query: Query): StoredDocument[] {
    return this.#all(querySql(containerNamed(this.#containers, query.container), query)).map(documentOf)
  }

  queryEach(query: Query, by: Path, values: readonly Scalar[]): StoredDocument[][] {
    const rows = this.#all(queryEachSql(containerNamed(this.#containers, query.container), query, by, values))
    const pages = values.map((): StoredDocument[] => [])
    for (const row of rows) pages[Number(row.nth)]!.push(documentOf(row))
    return pages.map((page) => page.toSorted(inOrder(query.orderBy)))
  }

  count(selection: Selection): number {
    return Number(this.#all(countSql(containerNamed(this.#containers, selection.container), selection))[0]!.count)
  }

  countEach(selection: Selection, by: Path, values: readonly Scalar[]): number[] {
    const rows = this.#all(countEachSql(containerNamed(this.#containers, selection.container), selection, by, values))
    const counts = values.map(() => 0)
    for (const row of rows) counts[Number(row.nth)] = Number(row.count)
    return counts
  }

  write(writes: readonly EncodedWrite[], sized: boolean): Written[] {
    const targets = writes.map(({ write }) => containerNamed(this.#containers, write.container))
    const writeAll = (): Written[] => {
      const now = Date.now()
      return writes.map((write, at) => this.#writeOne(targets[at]!, write, now, sized))
    }
    return this.#attempt('be written', () => this.#transaction(writeAll))
  }

  hold(): boolean {
    return this.#attempt('be written', () => {
      // SQLite's own waiting would stop this process, so a writer that is not let in at once is told so.
      this.#database.exec('PRAGMA busy_timeout = 0')
      try {
        this.#database.exec('BEGIN IMMEDIATE')
        return true
      } catch (error) {
        if (codeOf(error) === busyCode) return false
        throw error
      } finally {
        this.#database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
      }
    })
  }

  release(): void {
    if (this.#database.isOpen && this.#database.isTransaction) this.#database.exec('ROLLBACK')
  }

  changes(part: string, behind: number, limit: number): FeedEntry[] {
    return this.#all(changesSql(this.#followed, part, behind, limit)).map(entryOf)
  }

  lastChange(): number {
    return Number(this.#all(lastChangeSql)[0]!.last)
  }

  sizes(container: string, keys: readonly string[]): Map<string, number> {
    const rows = this.#all(sizesSql(containerNamed(this.#containers, container), keys))
    return new Map(rows.map((row) => [String(row.key), Number(row.bytes)]))
  }

  ping(): void {
    this.#attempt('answer', () => this.#database.exec('SELECT 1 FROM sqlite_schema LIMIT 1'))
  }

  close(): void {
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #writeOne(container: SqliteContainer, { write, key, encoded }: EncodedWrite, at: number, sized: boolean): Written {
    const found = write.only !== undefined || sized ? this.#find(container, key) : undefined
    checkCondition(write, found)
    const replacedBytes = found?.bytes
    const { partition, id } = write.key
    const entry = container.followed ? { key, part: partOf(partition), at } : undefined
    if (write.kind === 'delete' || encoded === undefined) {
      if (entry) this.#run(deleteEntrySql(container, entry))
      this.#run(deleteSql(container, key))
      return { etag: '', bytes: undefined, replacedBytes }
    }
    const etag = newEtag()
    const type = typeof write.body.type === 'string' ? write.body.type : null
    this.#run(putSql(container, { key, partition: partitionText(partition), id, type, etag, bytes: encoded.bytes, body: encoded.json }))
    if (entry) this.#run(putEntrySql(container, entry))
    return { etag, bytes: encoded.bytes, replacedBytes }
  }

  #find(container: SqliteContainer, key: string): { etag: string; bytes: number } | undefined {
    const { text, values } = findSql(container, key)
    const row = this.#prepared(text).get(...values)
    return row && { etag: String(row.etag), bytes: Number(row.bytes) }
  }

  #all({ text, values }: Sql): OutputRow[] {
    return this.#attempt('be read', () => this.#prepared(text).all(...values))
  }

  #run({ text, values }: Sql): void {
    this.#prepared(text).run(...values)
  }

  #prepared(text: string): StatementSync {
    const statement = this.#statements.get(text) ?? this.#database.prepare(text)
    // Deleted and set again, so that the first in the map is the one unused for longest.
    this.#statements.delete(text)
    this.#statements.set(text, statement)
    if (this.#statements.size > preparedStatements) this.#statements.delete(this.#statements.keys().next().value!)
    return statement
  }

  /**
   * Immediate: a transaction that reads first and writes later could find itself too late to write.
   * One that `hold` has begun is the same turn's, and ends here.
   */
  #transaction<Answer>(work: () => Answer): Answer {
    if (!this.#database.isTransaction) this.#database.exec('BEGIN IMMEDIATE')
    try {
      const answer = work()
      this.#database.exec('COMMIT')
      return answer
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  #attempt<Answer>(what: string, work: () => Answer): Answer {
    try {
      return work()
    } catch (error) {
      if (error instanceof ConflictError) throw error
      const why = error instanceof Error ? error.message : String(error)
      throw new (isUnavailable(error) ? StoreUnavailableError : Error)(`The SQLite store ${this.#file} could not ${what}: ${why}.`, { cause: error })
    }
  }
}

/** Locked, failing, full, unreadable: SQLite's codes for what may be over in a moment and is nobody's mistake. */
const unavailableCodes = new Set([5, 6, 8, 10, 13, 14])

const busyCode = 5

function isUnavailable(error: unknown): boolean {
  return unavailableCodes.has(codeOf(error))
}

/** Extended codes carry the plain one in their lowest byte. */
function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
}

function documentOf({ key, etag, bytes, body }: OutputRow): StoredDocument {
  const parsed: Body = JSON.parse(String(body))
  return { key: keyOf(String(key)), etag: String(etag), body: parsed, bytes: Number(bytes) }
}

function entryOf({ sequence, container, key, deleted, body, at }: OutputRow): FeedEntry {
  const json = String(body)
  const parsed: Body = JSON.parse(json)
  const change = { container: String(container), key: keyOf(String(key)), deleted: deleted === 1, body: parsed, at: Number(at) }
  return { sequence: Number(sequence), bytes: Buffer.byteLength(json), change }
}

function inOrder({ path, descending }: Order): (a: StoredDocument, b: StoredDocument) => number {
  const sign = descending ? -1 : 1
  return (a, b) => sign * (compareScalars(scalarAt(path, a.body), scalarAt(path, b.body)) || compareText(a.key.id, b.key.id))
}
