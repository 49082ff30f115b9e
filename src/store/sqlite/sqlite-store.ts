// The embedded store: one SQLite file, durable when a write is acknowledged, shared by any number of
// processes on the machine. Statements are written in read-sql.ts and write-sql.ts and, for the
// change feed, change-feed.ts, the tables in layout.ts.
//
// It has two connections. One writes, and the plans of writers read from it, so that they see what those
// before them are about to commit. Everyone else reads from the other one, and sees what is committed.

import { dirname } from 'node:path'
import type { Key } from '../../model/keys/key.ts'
import { inDoubt, lost } from '../in-process/group-commit.ts'
import { DocumentCache } from './document-cache.ts'
import type { FeedEntry } from '../in-process/feed-points.ts'
import { canSkipSavepoint } from '../in-process/can-skip-savepoint.ts'
import { parseBody } from '../in-process/immutable-json.ts'
import { containerNamed } from '../store.ts'
import { inProcessStore, keyOf, type Engine } from '../in-process/in-process-store.ts'
import { changesSql, newestEntry } from './change-feed.ts'
import { busyTimeoutMs, isBusy, isFull, SqliteConnection, type Row } from './connection.ts'
import { QueryWorker } from './worker/query-worker.ts'
import { prepareLayout, type SqliteContainer } from './layout.ts'
import { SqliteReads } from './reads.ts'
import { settle } from './confirm-rollback.ts'
import { SqliteWrites } from './writes.ts'
import { ConflictError, type ContainerLayout, type Store, type StoredDocument } from '../store.ts'
import { syncFolder } from './folders.ts'
import { withLock } from '../with-lock.ts'
import { checkNotInPlan } from '../in-process/atomic-plan.ts'
import { Uncommitted, type UncommittedDocument } from '../in-process/uncommitted.ts'
import type { EncodedWrite, Written } from '../in-process/prepare-write.ts'

export interface SqliteOptions {
  /** How much of the heap may hold documents that were read; 0 to remember nothing. */
  readonly cacheBytes?: number
  /** From how many documents on a query that may have to look at all of them runs on a thread of its own. */
  readonly longRows?: number
}

/** Some fifty thousand small documents. */
export const defaultCacheBytes = 64 * 1024 * 1024

export async function openSqliteStore(file: string, layout: readonly ContainerLayout[], options: SqliteOptions = {}): Promise<Store> {
  // With fewer pages, many writes in a row would read most of them again.
  const writer = new SqliteConnection(file, { readOnly: false, pagesMb: 64 })
  try {
    // Two stores of this process on one file would otherwise block each other out: the one that SQLite
    // makes wait keeps the plan of the other from going on.
    const queue = writer.database.location() ?? writer
    checkNotInPlan(queue)
    const containers = await withLock(queue, () => prepare(writer, layout))
    // The file and its log are there by now, whoever has made them.
    const path = writer.database.location()
    if (path !== null) syncFolder(dirname(path))
    return inProcessStore(new SqliteEngine(file, queue, writer, containers, options))
  } catch (error) {
    writer.close()
    throw error
  }
}

function prepare(writer: SqliteConnection, layout: readonly ContainerLayout[]): Map<string, SqliteContainer> {
  return writer.attempt('be prepared', () => {
    const { database } = writer
    database.exec('PRAGMA journal_mode = WAL')
    database.exec('BEGIN IMMEDIATE')
    try {
      const containers = prepareLayout(database, layout)
      database.exec('COMMIT')
      return containers
    } catch (error) {
      writer.rollBack()
      throw error
    }
  })
}

/** Enough to make the commit a small part of each, and few enough that the first one need not wait long. */
const mostInCommit = 100

class SqliteEngine implements Engine {
  readonly system = 'sqlite'
  readonly durable = true
  readonly queue: unknown
  readonly mostInCommit: number
  readonly committed: SqliteReads
  readonly pending: SqliteReads
  readonly #writer: SqliteConnection
  readonly #reader: SqliteConnection
  readonly #containers: ReadonlyMap<string, SqliteContainer>
  readonly #followed: readonly SqliteContainer[]
  readonly #writes: SqliteWrites
  readonly #unsettled = new Uncommitted()
  readonly #documents: DocumentCache | undefined
  readonly #elsewhere: QueryWorker | undefined
  #version = 0
  /** Whether something that nobody could foresee has stopped a writer after it had begun. It may be in the file, and come again. */
  #hasFailedHalfway = false

  constructor(file: string, queue: unknown, writer: SqliteConnection, containers: ReadonlyMap<string, SqliteContainer>, { cacheBytes = defaultCacheBytes, longRows }: SqliteOptions) {
    // A database in memory has only the one connection, so nobody else may read between a write and its commit.
    const shared = writer.database.location() !== null
    this.queue = queue
    this.mostInCommit = shared ? mostInCommit : 1
    this.#writer = writer
    this.#reader = shared ? new SqliteConnection(file, { readOnly: true, pagesMb: 32 }) : writer
    this.#containers = containers
    this.#followed = [...containers.values()].filter(({ followed }) => followed)
    this.#writes = new SqliteWrites(writer, this.#storedAt)
    this.#documents = cacheBytes > 0 ? new DocumentCache(cacheBytes) : undefined
    const remembered = (unsettled: Uncommitted, refresh: () => number) => this.#documents && { documents: this.#documents, refresh, unsettled }
    this.#elsewhere = shared ? new QueryWorker(file, longRows) : undefined
    this.committed = new SqliteReads({ connection: this.#reader, containers, remembered: remembered(new Uncommitted(), () => this.#refresh()), elsewhere: this.#elsewhere })
    // What is not committed is not seen elsewhere. While this store may write, nobody else commits anything.
    this.pending = new SqliteReads({ connection: writer, containers, remembered: remembered(this.#unsettled, () => (this.isHeld() ? this.#version : this.#refresh())), elsewhere: undefined })
  }

  hold(): boolean {
    return this.#writer.attempt('be written', () => {
      // SQLite's own waiting would stop this process, so a writer that is not let in at once is told so.
      this.#writer.exec('PRAGMA busy_timeout = 0')
      const { database } = this.#writer
      try {
        database.exec('BEGIN IMMEDIATE')
      } catch (error) {
        if (isBusy(error)) return false
        throw error
      } finally {
        database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
      }
      this.#refresh()
      return true
    })
  }

  isHeld(): boolean {
    return this.#writer.isInTransaction
  }

  write(writes: readonly EncodedWrite[]): Written[] {
    const targets = writes.map(({ write }) => containerNamed(this.#containers, write.container))
    return this.#writer.attempt('be written', () => {
      if (!this.#writer.database.isTransaction) throw lost()
      this.#writes.prepare(writes)
      const undoable = this.#hasFailedHalfway || !canSkipSavepoint(writes, this.#storedAt)
      if (undoable) this.#writer.run('SAVEPOINT one')
      let made = 0
      try {
        const written = writes.map((each, at) => {
          const one = this.#writes.write(targets[at]!, each)
          this.#note(each, one.document ?? 'gone', one.replacedBytes !== undefined)
          made++
          return one
        })
        if (undoable) this.#writer.run('RELEASE one')
        this.#writes.accept()
        return written
      } catch (error) {
        // Of the writers that share a commit only this one is undone, unless SQLite has undone them all.
        if (undoable) this.#undoOne()
        else if (made > 0 || !(error instanceof ConflictError)) this.#undoAll()
        for (const each of writes) this.#note(each, 'unknown', false)
        throw error
      }
    })
  }

  commit(): void {
    try {
      this.#writer.attempt('be written', () => {
        this.#writes.finish()
        this.#writer.run('COMMIT')
      })
      this.#settle((container, text, document) => this.#documents?.keep(container, text, document))
    } catch (error) {
      this.#writer.rollBack()
      throw isFull(error) || settle(this.#writer) ? error : inDoubt(error)
    } finally {
      this.release()
    }
  }

  commitAndHold(): boolean {
    this.commit()
    const version = this.#version
    try {
      if (this.hold() && this.#version === version) return true
    } catch {
      // It is committed all the same. Whoever writes next is told what is wrong.
    }
    this.release()
    return false
  }

  release(): void {
    this.#writer.rollBack()
    this.#writes.forget()
    // Whatever became of it: what is in the file now is read anew.
    this.#settle(() => undefined)
  }

  changes(part: string, behind: number, limit: number): FeedEntry[] {
    return this.#reader.all(changesSql(this.#followed, part, behind, limit)).map(entryOf)
  }

  lastChange(): number {
    return Number(this.#reader.all(newestEntry)[0]![0])
  }

  ping(): void {
    this.#reader.attempt('answer', () => this.#reader.exec('SELECT 1 FROM sqlite_schema LIMIT 1'))
  }

  version(containers?: Iterable<string>): number | undefined {
    if (!this.#documents) return undefined
    this.#refresh()
    return this.#documents.version(containers)
  }

  get sameObjects(): boolean {
    return this.#documents !== undefined
  }

  get cachedBytes(): number {
    return this.#documents?.bytes ?? 0
  }

  async close(): Promise<void> {
    // The writer last: it tidies up after all of them.
    this.#reader.close()
    await this.#elsewhere?.close()
    this.#writer.close()
  }

  #note({ write: { container, key }, key: text }: EncodedWrite, now: UncommittedDocument['now'], replaces: boolean): void {
    this.#unsettled.add({ container, key, text, now, replaces })
  }

  #settle(keep: (container: string, text: string, document: StoredDocument) => void): void {
    for (const { container, key, text, now, replaces } of this.#unsettled.settle()) {
      this.#documents?.written(container, key)
      // What is changed once is often changed again soon. What is new is remembered when somebody reads it.
      if (replaces && typeof now === 'object') keep(container, text, now)
    }
  }

  /** What is stored behind a key at this moment, where that is remembered; nobody else writes meanwhile. */
  readonly #storedAt = (container: string, key: Key): StoredDocument | undefined => {
    const document = this.#unsettled.at(container, key)?.now ?? this.#documents?.document(container, key)
    return typeof document === 'object' ? document : undefined
  }

  /** Undoes what one writer has written of the transaction, or, where the disk does not let SQLite do that, all of it. */
  #undoOne(): void {
    if (!this.isHeld()) return
    try {
      this.#writer.database.exec('ROLLBACK TO one; RELEASE one')
    } catch {
      this.#writer.rollBack()
    }
  }

  /** Undoes all that share the commit. From now on each can be undone alone. */
  #undoAll(): void {
    this.#hasFailedHalfway = true
    this.#writer.rollBack()
  }

  /** A number that is another one each time other connections have committed. SQLite has one for each connection. */
  #refresh(): number {
    const version = this.#readVersion()
    if (version === this.#version) return version
    this.#documents?.distrust()
    this.#writes.refresh()
    this.#version = version
    return version
  }

  /** Reads go on while nothing can be asked of the connection that writes, without believing in what is remembered: NaN is never the same. */
  #readVersion(): number {
    try {
      return this.#writer.attempt('be read', () => Number(this.#writer.get('PRAGMA data_version')![0]) + this.#writer.renewals * 2 ** 32)
    } catch {
      return NaN
    }
  }
}

function entryOf([sequence, container, key, at, deleted, body]: Row): FeedEntry {
  const json = String(body)
  const change = { container: String(container), key: keyOf(String(key)), deleted: deleted === 1, body: parseBody(json), at: Number(at) }
  return { sequence: Number(sequence), bytes: Buffer.byteLength(json), change }
}
