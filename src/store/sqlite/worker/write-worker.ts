// Transactions on a thread with its own connection, for changesets that would hold the event loop: tens of thousands of
// documents take SQLite and the disk a second or more. The thread starts with the first of them.
//
// For the connections here, the thread is another writer: its commit changes their `PRAGMA data_version`, so the cache and the
// feed's position are renewed as after a commit of another process. The caller holds the write lock of this process.

import type { Worker } from 'node:worker_threads'
import { inDoubt, lostTransaction } from '../../in-process/transaction-engine.ts'
import type { JsonWrite, Written } from '../../in-process/prepare-write.ts'
import { ConflictError } from '../../store-errors.ts'
import type { SqliteContainer } from '../prepare-layout.ts'
import { sqliteError } from '../sqlite-errors.ts'
import { closeWorker } from './close-worker.ts'
import { startThread } from './start-thread.ts'
import type { PostedWrite, WriteFailure, WriteRequest, WriteResponse } from './write-thread.ts'

interface Asked {
  readonly request: WriteRequest
  readonly resolve: (written: readonly Written[]) => void
  readonly reject: (error: unknown) => void
}

export class WriteWorker {
  readonly #file: string
  readonly #containers: ReadonlyMap<string, SqliteContainer>
  #worker: Worker | undefined
  /** The caller awaits each answer, so there is one at most. */
  #asked: Asked | undefined
  #transactionEnd: Promise<void> | undefined
  #endTransaction: (() => void) | undefined

  constructor(file: string, containers: ReadonlyMap<string, SqliteContainer>) {
    this.#file = file
    this.#containers = containers
  }

  async begin(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#transactionEnd = promise
    this.#endTransaction = resolve
    await this.#ask('begin')
  }

  write(writes: readonly JsonWrite[]): Promise<readonly Written[]> {
    return this.#ask(writes.map(posted))
  }

  async commit(): Promise<void> {
    await this.#ask('commit').finally(this.#endTransaction)
  }

  async rollback(): Promise<void> {
    // After a failure the thread has rolled back itself, or is gone.
    await this.#ask('rollback').catch(() => undefined).finally(this.#endTransaction)
  }

  /** A transaction that has begun is awaited. */
  async close(): Promise<void> {
    await this.#transactionEnd
    if (this.#worker) await closeWorker(this.#worker)
  }

  #ask(request: WriteRequest): Promise<readonly Written[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Written[]>()
    this.#asked = { request, resolve, reject }
    const worker = (this.#worker ??= this.#start())
    worker.ref()
    worker.postMessage(request, [])
    return promise
  }

  #start(): Worker {
    const worker = startThread('write-thread', { file: this.#file, containers: this.#containers })
    worker.on('message', ({ written = [], error }: WriteResponse) => {
      worker.unref()
      if (error) this.#asked?.reject(this.#error(error))
      else this.#asked?.resolve(written)
      this.#asked = undefined
    })
    // The next transaction starts another thread.
    const ended = (message: string): void => {
      if (this.#worker === worker) this.#worker = undefined
      this.#asked?.reject(this.#asked.request === 'commit' ? inDoubt(new Error(`${message}.`)) : lostTransaction(new Error(message)))
      this.#asked = undefined
    }
    worker.once('error', (error: unknown) => ended(error instanceof Error ? error.message : String(error)))
    worker.once('exit', () => ended('the thread that writes it has ended'))
    return worker
  }

  #error({ message, errcode, conflict, inDoubt: isInDoubt = false, lost = false }: WriteFailure): Error {
    if (lost) return lostTransaction()
    if (conflict) return new ConflictError(conflict.container, conflict.key, conflict.found)
    const error = sqliteError(this.#file, 'write', Object.assign(new Error(message), { errcode }))
    return isInDoubt ? inDoubt(error) : error
  }
}

/** The document travels as JSON. */
function posted({ write, key, json }: JsonWrite): PostedWrite {
  return { write: write.kind === 'put' ? { ...write, body: undefined } : write, key, json: json?.text, bytes: json?.bytes ?? 0 }
}
