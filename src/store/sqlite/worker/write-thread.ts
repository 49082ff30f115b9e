// The thread that writes large changesets: it makes one transaction at a time, as it is told. write-worker.ts starts it.

import { parentPort, workerData } from 'node:worker_threads'
import { processClock } from '../../../clock.ts'
import { maxWaitMs } from '../../in-process/group-commit.ts'
import { lostTransaction } from '../../in-process/transaction-engine.ts'
import type { Written } from '../../in-process/prepare-write.ts'
import type { Write } from '../../store.ts'
import { ConflictError, StoreUnavailableError } from '../../store-errors.ts'
import type { Key } from '../../../model/keys/key.ts'
import type { Body } from '../../../model/json/json.ts'
import { SqliteConnection } from '../connection.ts'
import type { SqliteContainer } from '../prepare-layout.ts'
import { isFull } from '../sqlite-errors.ts'
import { confirmRollback } from '../write/confirm-rollback.ts'
import { SqliteWrites } from '../write/writes.ts'

/** A write without its bodies; `json` is undefined for a deletion. */
export interface PostedWrite {
  readonly write: (Omit<Extract<Write, { kind: 'put' }>, 'body'> & { readonly body: undefined }) | Extract<Write, { kind: 'delete' }>
  readonly key: string
  readonly json: string | undefined
  readonly bytes: number
}

export type WriteRequest = 'begin' | 'commit' | 'rollback' | readonly PostedWrite[]

export interface WriteResponse {
  readonly written?: readonly Written[]
  readonly error?: WriteFailure
}

/** An error as it crosses threads. */
export interface WriteFailure {
  readonly message: string
  readonly errcode: number | undefined
  readonly conflict?: { readonly container: string; readonly key: Key; readonly found: ConflictError['found'] }
  /** Whether a commit may have been made nevertheless. */
  readonly inDoubt?: boolean
  /** Whether the transaction was lost, and nothing was written. */
  readonly lost?: boolean
}

const { file, containers } = workerData as { readonly file: string; readonly containers: ReadonlyMap<string, SqliteContainer> }
let opened: { readonly connection: SqliteConnection; readonly writes: SqliteWrites } | undefined

parentPort!.on('message', (request: WriteRequest | 'close') => {
  if (request === 'close') {
    opened?.connection.close()
    parentPort!.close()
    return
  }
  parentPort!.postMessage(responseTo(request), [])
})

function responseTo(request: WriteRequest): WriteResponse {
  try {
    if (request === 'commit') return commit()
    if (request === 'rollback') return rollback()
    return request === 'begin' ? begin() : { written: request.map(write) }
  } catch (error) {
    rollback()
    return { error: failureOf(error) }
  }
}

function begin(): WriteResponse {
  const { connection, writes } = open()
  connection.attempt('write', () => connection.exec('BEGIN IMMEDIATE'))
  writes.feed.refresh()
  return {}
}

function write({ write: given, key, json, bytes }: PostedWrite, at: number, all: readonly PostedWrite[]): Written {
  const { connection, writes } = openTransaction()
  return connection.attempt('write', () => {
    if (at === 0) writes.feed.beginWriter(all.some(({ write: { kind } }) => kind === 'delete'))
    const { etag, replacedBytes } = writes.write(containers.get(given.container)!, {
      write: given as unknown as Write, key, encoded: json === undefined ? undefined : { json, bytes, body: JSON.parse(json) as Body },
    })
    if (at === all.length - 1) writes.feed.endWriter()
    return { etag, bytes: json === undefined ? undefined : bytes, replacedBytes }
  })
}

function commit(): WriteResponse {
  const { connection, writes } = openTransaction()
  try {
    connection.attempt('write', () => {
      writes.feed.flush()
      connection.run('COMMIT')
    })
    return {}
  } catch (error) {
    rollback()
    return { error: { ...failureOf(error), inDoubt: !isFull(error) && !confirmRollback(connection) } }
  }
}

function rollback(): WriteResponse {
  opened?.connection.rollback()
  opened?.writes.feed.discard()
  return {}
}

function open(): NonNullable<typeof opened> {
  if (!opened) {
    const connection = new SqliteConnection(file, { readOnly: false, pageCacheMb: 32 })
    // SQLite waits for other processes here, on a thread where nothing else waits.
    connection.exec(`PRAGMA busy_timeout = ${maxWaitMs}`)
    opened = { connection, writes: new SqliteWrites(connection, () => undefined, processClock) }
  }
  return opened
}

/** A thread that replaces one that died is not in the transaction that the other had begun. */
function openTransaction(): NonNullable<typeof opened> {
  if (!opened?.connection.isInTransaction) throw lostTransaction()
  return opened
}

/** SQLite's own error: write-worker.ts adds the name of the file. */
function failureOf(error: unknown): WriteFailure {
  if (error instanceof ConflictError) return { message: error.message, errcode: undefined, conflict: { container: error.container, key: error.key, found: error.found } }
  if (error instanceof StoreUnavailableError && error.cause === undefined) return { message: error.message, errcode: undefined, lost: true }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error)
  return { message: cause.message, errcode: 'errcode' in cause ? Number(cause.errcode) : undefined }
}
