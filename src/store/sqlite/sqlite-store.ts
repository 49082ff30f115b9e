// The embedded store: one SQLite file, durable when a write is acknowledged, shared by any number of processes on the
// machine. Opening it is here; sqlite-engine.ts serves it.

import { dirname } from 'node:path'
import { checkNotInPlan } from '../in-process/atomic-plan.ts'
import { inProcessStore } from '../in-process/in-process-store.ts'
import type { Clock } from '../../clock.ts'
import type { ContainerLayout, Store } from '../store.ts'
import { withLock } from '../in-process/with-lock.ts'
import { SqliteConnection } from './connection.ts'
import { syncFolder } from './folders.ts'
import { prepareLayout, type SqliteContainer } from './prepare-layout.ts'
import { SqliteEngine } from './sqlite-engine.ts'

/**
 * How a SQLite store uses memory and threads.
 *
 * @example
 * ```ts
 * const options: SqliteOptions = { cacheBytes: 128 * 1024 * 1024 }
 * ```
 */
export interface SqliteOptions {
  /** How much of the heap the document cache may take; 0 for no cache. */
  readonly cacheBytes?: number
  /** A query that may have to look at more documents than this runs on a thread of its own. */
  readonly longRows?: number
  /** How many threads there are for such queries; 2 by default. */
  readonly queryThreads?: number
  /** After about so many writes, the write-ahead log is copied into the file. */
  readonly writesPerCheckpoint?: number
  /** Reads show the documents as they were when the store was opened. @internal */
  readonly atOneMoment?: boolean
  /** The time, timers and chance that the store goes by. @internal */
  readonly clock?: Clock
}

/**
 * Opens a SQLite file, or creates it, for `createGateway`. `:memory:` is a database that is lost when it is closed.
 *
 * @example
 * ```ts
 * import { createGateway } from 'quire-graphql'
 * import { openSqliteStore } from 'quire-graphql/sqlite'
 *
 * const gateway = await createGateway({ typeDefs, store: (layout) => openSqliteStore('data/documents.db', layout) })
 * ```
 */
export async function openSqliteStore(file: string, layout: readonly ContainerLayout[], options: SqliteOptions = {}): Promise<Store> {
  // With a smaller cache, many writes in a row would read most pages again.
  const writer = new SqliteConnection(file, { readOnly: false, pageCacheMb: 64 })
  try {
    // Two stores of this process on one file share a lock. Without it they could block each other for ever: while SQLite
    // makes one wait, it keeps the plan of the other from going on.
    const lock = writer.database.location() ?? writer
    checkNotInPlan(lock)
    const containers = await withLock(lock, () => prepare(writer, layout))
    // A restore may have made it wait.
    writer.checkInPlace()
    // Now the file and its log exist, so their entries in the folder can be synced.
    const path = writer.database.location()
    if (path !== null) syncFolder(dirname(path))
    return inProcessStore(new SqliteEngine(file, lock, writer, containers, options))
  } catch (error) {
    writer.close()
    throw error
  }
}

function prepare(writer: SqliteConnection, layout: readonly ContainerLayout[]): Map<string, SqliteContainer> {
  return writer.attempt('prepare', () => {
    const { database } = writer
    database.exec('PRAGMA journal_mode = WAL')
    database.exec('BEGIN IMMEDIATE')
    try {
      const containers = prepareLayout(database, layout)
      database.exec('COMMIT')
      return containers
    } catch (error) {
      writer.rollback()
      throw error
    }
  })
}
