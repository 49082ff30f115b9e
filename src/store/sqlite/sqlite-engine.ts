// The engine of the SQLite store. It has two connections: one writes, and the plans of writers read from it, so that they
// see the uncommitted writes of their group; all other reads use the second connection, and see committed documents only.
// Large changesets are written by a thread with a connection of its own.

import type { Key } from '../../model/keys/key.ts'
import { SeenBefore } from '../running/seen-before.ts'
import type { FeedEntry } from '../in-process/feed-parts.ts'
import { inDoubt, lostTransaction } from '../in-process/transaction-engine.ts'
import type { Engine } from '../in-process/in-process-store.ts'
import type { LargeTransaction } from '../in-process/large-changesets.ts'
import type { EncodedWrite, Written } from '../in-process/prepare-write.ts'
import { processClock, type Clock } from '../../clock.ts'
import { containerNamed } from '../write-condition.ts'
import { ConflictError } from '../store-errors.ts'
import type { StoredDocument } from '../store.ts'
import { anyDeletion, changesSql, newestEntry, sweepDeletions } from './change-feed.ts'
import { busyTimeoutMs, SqliteConnection } from './connection.ts'
import { DocumentCache } from './cache/document-cache.ts'
import type { SqliteContainer } from './prepare-layout.ts'
import type { ReadCache } from './read/read-cache.ts'
import { SqliteReads } from './reads.ts'
import { feedEntryOf } from './decode-rows.ts'
import { isBusy, isFull } from './sqlite-errors.ts'
import type { SqliteOptions } from './sqlite-store.ts'
import { Checkpointer } from './worker/checkpointer.ts'
import { QueryThreads } from './worker/query-threads.ts'
import { WriteWorker } from './worker/write-worker.ts'
import { canSkipSavepoint } from './write/can-skip-savepoint.ts'
import { confirmRollback } from './write/confirm-rollback.ts'
import { Uncommitted, type UncommittedDocument } from './write/uncommitted.ts'
import { SqliteWrites } from './write/writes.ts'
import { ExternalWrites } from './cache/external-writes.ts'

/** About fifty thousand small documents. */
const defaultCacheBytes = 64 * 1024 * 1024

/** Enough to make the commit a small part of each write, and few enough that the first writer need not wait long. */
const maxWritersPerCommit = 100

export class SqliteEngine implements Engine {
  readonly system = 'sqlite'
  readonly durable = true
  readonly lock: unknown
  readonly clock: Clock
  readonly maxWritersPerCommit: number
  readonly committed: SqliteReads
  readonly pending: SqliteReads
  readonly apart: LargeTransaction | undefined
  readonly #writer: SqliteConnection
  readonly #reader: SqliteConnection
  readonly #containers: ReadonlyMap<string, SqliteContainer>
  readonly #inFeed: readonly SqliteContainer[]
  readonly #writes: SqliteWrites
  readonly #elsewhere: ExternalWrites
  readonly #uncommitted = new Uncommitted()
  readonly #documents: DocumentCache | undefined
  readonly #threads: QueryThreads | undefined
  readonly #checkpointer: Checkpointer | undefined
  readonly #writeWorker: WriteWorker | undefined
  #version = 0
  /** Grows with every commit of this or another connection. */
  #moment = 0
  readonly #isAtOneMoment: boolean
  /** Whether the reads of this turn are as of a moment for which the cache was refreshed. */
  #isAsOfMoment = false
  /** Whether a write without a savepoint has failed after it began. The cause may be in the file and come again, so savepoints are used from then on. */
  #hasFailedHalfway = false

  constructor(file: string, lock: unknown, writer: SqliteConnection, containers: ReadonlyMap<string, SqliteContainer>, { cacheBytes = defaultCacheBytes, longRows, queryThreads, writesPerCheckpoint, atOneMoment = false, clock = processClock }: SqliteOptions) {
    // A database in memory has one connection only, so no other reader may come between a write and its commit.
    const isFile = writer.database.location() !== null
    this.lock = lock
    this.clock = clock
    this.maxWritersPerCommit = isFile ? maxWritersPerCommit : 1
    this.#isAtOneMoment = atOneMoment
    this.#writer = writer
    this.#reader = isFile ? new SqliteConnection(file, { readOnly: true, pageCacheMb: 32 }) : writer
    this.#containers = containers
    this.#inFeed = [...containers.values()].filter(({ inFeed }) => inFeed)
    this.#writes = new SqliteWrites(writer, this.#knownDocument, clock)
    this.#elsewhere = new ExternalWrites(writer, containers.keys())
    this.#documents = cacheBytes > 0 ? new DocumentCache(cacheBytes) : undefined
    const asked = new SeenBefore()
    const cacheWith = (uncommitted: Uncommitted | undefined, refresh: () => number): ReadCache | undefined => this.#documents && { documents: this.#documents, asked, refresh, uncommitted }
    // Its log cannot be copied into the file until the store is closed, so it is for commands only. Threads would read at other moments.
    if (atOneMoment) this.#reader.attempt('read', () => this.#reader.exec('BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1'))
    this.#threads = isFile && !atOneMoment ? new QueryThreads(file, { longRows, threads: queryThreads }) : undefined
    this.#checkpointer = isFile ? new Checkpointer(file, writesPerCheckpoint) : undefined
    this.#writeWorker = isFile ? new WriteWorker(file, containers) : undefined
    this.apart = this.#writeWorker && this.#apartOn(this.#writeWorker)
    this.committed = new SqliteReads({ connection: this.#reader, containers, cache: cacheWith(undefined, () => (this.#isAsOfMoment ? this.#version : this.#refresh())), threads: this.#threads })
    // No threads: they would not see uncommitted writes. During a transaction no other connection commits, so there is nothing to refresh.
    this.pending = new SqliteReads({ connection: writer, containers, cache: cacheWith(this.#uncommitted, () => (this.isInTransaction() ? this.#version : this.#refresh())), threads: undefined })
  }

  begin(): boolean {
    return this.#writer.attempt('write', () => {
      // SQLite's own waiting would block this process; instead, the caller tries again.
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

  isInTransaction(): boolean {
    return this.#writer.isInTransaction
  }

  write(writes: readonly EncodedWrite[]): Written[] {
    const targets = writes.map(({ write }) => containerNamed(this.#containers, write.container))
    return this.#writer.attempt('write', () => {
      if (!this.#writer.database.isTransaction) throw lostTransaction()
      this.#writes.feed.beginWriter(writes.some(({ encoded }) => encoded === undefined))
      const withSavepoint = this.#hasFailedHalfway || !canSkipSavepoint(writes, this.#knownDocument)
      if (withSavepoint) this.#writer.run('SAVEPOINT one')
      let made = 0
      try {
        const written = writes.map((each, at) => {
          const one = this.#writes.write(targets[at]!, each)
          this.#note(each, one.document ?? 'deleted', one.replacedBytes !== undefined)
          made++
          return one
        })
        if (withSavepoint) this.#writer.run('RELEASE one')
        this.#writes.feed.endWriter()
        return written
      } catch (error) {
        // Only this writer of the group is undone, unless SQLite has rolled all of them back.
        if (withSavepoint) this.#rollbackToSavepoint()
        else if (made > 0 || !(error instanceof ConflictError)) this.#rollbackGroup()
        for (const each of writes) this.#note(each, 'unknown', false)
        throw error
      }
    })
  }

  commit(): void {
    try {
      this.#writer.attempt('write', () => {
        this.#writes.feed.flush()
        const skipOwn = this.#elsewhere.skipOwn()
        this.#writer.run('COMMIT')
        skipOwn()
      })
      this.#checkpointer?.committed(this.#uncommitted.size)
      this.#invalidateUncommitted((container, text, document) => this.#documents?.add(container, text, document))
    } catch (error) {
      this.#writer.rollback()
      throw isFull(error) || confirmRollback(this.#writer) ? error : inDoubt(error)
    } finally {
      // Also after a failure: it may have been committed nevertheless.
      this.#moment++
      this.rollback()
    }
  }

  commitAndBegin(): boolean {
    this.commit()
    const version = this.#version
    try {
      if (this.begin() && this.#version === version) return true
    } catch {
      // The commit succeeded nevertheless. The next writer will meet the error itself.
    }
    this.rollback()
    return false
  }

  rollback(): void {
    this.#writer.rollback()
    this.#writes.feed.discard()
    // Whether the writes were committed or undone, the documents are read again.
    this.#invalidateUncommitted(() => undefined)
  }

  changes(part: string, behind: number, limit: number): FeedEntry[] {
    return this.#reader.all(changesSql(this.#inFeed, part, behind, limit)).map(feedEntryOf)
  }

  canSweep(part: string, upTo: number): boolean {
    return this.#reader.attempt('read', () => this.#reader.get(anyDeletion, part, Math.min(upTo, this.lastChange() - 1)) !== undefined)
  }

  sweep(part: string, upTo: number, limit: number): number {
    return this.#writer.attempt('write', () => {
      // Entries of this transaction are not written yet, and those that are make the newest one newer.
      return Number(this.#writer.run(sweepDeletions, part, Math.min(upTo, this.lastChange() - 1), limit).changes)
    })
  }

  moment(): number {
    // What others commit is not shown.
    if (this.#isAtOneMoment) return 0
    this.#refresh()
    return this.#moment
  }

  asOfMoment<Result>(work: () => Result): Result {
    this.#isAsOfMoment = true
    try {
      return work()
    } finally {
      this.#isAsOfMoment = false
    }
  }

  lastChange(): number {
    return Number(this.#reader.all(newestEntry)[0]![0])
  }

  ping(): void {
    this.#reader.attempt('ping', () => this.#reader.exec('SELECT 1 FROM sqlite_schema LIMIT 1'))
  }

  get sameObjects(): boolean {
    return this.#documents !== undefined
  }

  get cachedBytes(): number {
    return this.#documents?.bytes ?? 0
  }

  async close(): Promise<void> {
    // The writer last: the last connection to close removes the write-ahead log.
    this.#reader.close()
    await Promise.all([this.#threads?.close(), this.#checkpointer?.close(), this.#writeWorker?.close()])
    this.#writer.close()
  }

  #apartOn(thread: WriteWorker): LargeTransaction {
    return {
      begin: async () => {
        // Taken before anything else can run: a read may meet a later version meanwhile.
        const version = this.#version
        await thread.begin()
        return dataVersion(this.#writer) === version
      },
      write: (writes) => {
        for (const { write } of writes) containerNamed(this.#containers, write.container)
        return thread.write(writes)
      },
      commit: async (documents) => {
        await thread.commit()
        this.#checkpointer?.committed(documents)
      },
      rollback: () => thread.rollback(),
    }
  }

  #note({ write: { container, key }, key: text }: EncodedWrite, now: UncommittedDocument['now'], replaces: boolean): void {
    this.#uncommitted.add({ container, key, text, now, replaces })
  }

  #invalidateUncommitted(add: (container: string, text: string, document: StoredDocument) => void): void {
    for (const { container, key, text, now, replaces } of this.#uncommitted.drain()) {
      this.#documents?.invalidate(container, key)
      // A document that was changed is likely to be changed again soon. A new one is cached when it is first read.
      if (replaces && typeof now === 'object') add(container, text, now)
    }
  }

  /** The document that is stored now, if it is cached. Called while no other writer runs. */
  readonly #knownDocument = (container: string, key: Key): StoredDocument | undefined => {
    const document = this.#uncommitted.at(container, key)?.now ?? this.#documents?.document(container, key)
    return typeof document === 'object' ? document : undefined
  }

  /** Undoes one writer of the transaction, or all of them if the disk does not let SQLite undo one. */
  #rollbackToSavepoint(): void {
    if (!this.isInTransaction()) return
    try {
      this.#writer.database.exec('ROLLBACK TO one; RELEASE one')
    } catch {
      this.#writer.rollback()
    }
  }

  /** Undoes all writers that share the commit. From now on each of them gets a savepoint. */
  #rollbackGroup(): void {
    this.#hasFailedHalfway = true
    this.#writer.rollback()
  }

  /** Drops from the cache what other connections have written. Returns a number that changes each time that one of them has committed. */
  #refresh(): number {
    const version = dataVersion(this.#writer)
    if (version === this.#version) return version
    if (this.#documents) {
      const written = Number.isNaN(version) ? 'unknown' : this.#elsewhere.since()
      if (written === 'unknown') this.#documents.invalidateAll()
      else for (const { container, key } of written) this.#documents.invalidate(container, key)
    }
    this.#writes.feed.refresh()
    this.#moment++
    this.#version = version
    return version
  }
}

/** Changes when another connection has committed. If the connection fails, it differs from every other: NaN equals nothing, so nothing is trusted. */
function dataVersion(connection: SqliteConnection): number {
  try {
    return connection.attempt('read', () => Number(connection.get('PRAGMA data_version')![0]) + connection.reopenings * 2 ** 32)
  } catch {
    return NaN
  }
}
