// Runs long queries on a worker thread with its own connection, so that other requests go on meanwhile. The thread starts
// with the first query. It sees everything that was committed before, and its errors are those of a connection here.
//
// The way to the thread and back takes about fifty microseconds, in which SQLite looks at about a hundred index entries,
// and rows have to be copied between the threads. So only queries that look at many rows and return few gain by it.
//
// The thread gets one query at a time and the others wait here: a query whose operation has been stopped by the time its
// turn comes is not run. A running query cannot be stopped.

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { currentOperation, type OperationContext } from '../../operation-context.ts'
import type { Row } from '../connection.ts'
import type { Sql } from '../sql/sql-fragment.ts'
import { sqliteError } from '../sqlite-errors.ts'
import { closeWorker } from './close-worker.ts'
import type { WorkerResponse } from './worker-thread.ts'

/** TypeScript in a checkout, JavaScript in the package. */
const threadFile = new URL(`./worker-thread${extname(import.meta.url)}`, import.meta.url)

/** SQLite looks at so many rows in some milliseconds. */
const defaultLongRows = 20_000

interface QueuedQuery {
  readonly sql: Sql
  readonly operationContext: OperationContext | undefined
  readonly resolve: (rows: readonly Row[]) => void
  readonly reject: (error: unknown) => void
}

export class QueryWorker {
  readonly longRows: number
  readonly #file: string
  readonly #waiting: QueuedQuery[] = []
  #running: QueuedQuery | undefined
  #worker: Worker | undefined
  #lastNumber = 0
  #isClosed = false

  constructor(file: string, longRows = defaultLongRows) {
    this.#file = file
    this.longRows = longRows
  }

  all(sql: Sql): Promise<readonly Row[]> {
    if (this.#isClosed) return Promise.reject(this.#error('database is not open'))
    const { promise, resolve, reject } = Promise.withResolvers<readonly Row[]>()
    this.#waiting.push({ sql, operationContext: currentOperation(), resolve, reject })
    if (!this.#running) this.#runNext()
    return promise
  }

  #runNext(): void {
    const query = (this.#running = this.#nextWanted())
    if (!query) return this.#worker?.unref()
    const worker = (this.#worker ??= this.#start())
    // Keeps the process running while a query runs.
    worker.ref()
    worker.postMessage({ number: ++this.#lastNumber, text: query.sql.text, values: query.sql.values }, [])
  }

  /** The next query whose operation has not been stopped; those before it are rejected. */
  #nextWanted(): QueuedQuery | undefined {
    for (let query = this.#waiting.shift(); query; query = this.#waiting.shift()) {
      try {
        query.operationContext?.check()
        return query
      } catch (error) {
        query.reject(error)
      }
    }
    return undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting.splice(0)) reject(this.#error('database is not open'))
    if (this.#worker) await closeWorker(this.#worker)
  }

  #start(): Worker {
    const worker = new Worker(threadFile, { workerData: { file: this.#file }, execArgv: ['--disable-warning=ExperimentalWarning'] })
    worker.on('message', ({ number, rows, error }: WorkerResponse) => {
      if (number !== this.#lastNumber) return
      const query = this.#running
      if (rows) query?.resolve(rows)
      else query?.reject(this.#error(error!.message, error!.errcode))
      this.#runNext()
    })
    // The next query starts another thread.
    const rejectAll = (error: unknown): void => {
      if (this.#worker === worker) this.#worker = undefined
      const queries = [...(this.#running ? [this.#running] : []), ...this.#waiting.splice(0)]
      this.#running = undefined
      for (const { reject } of queries) reject(error)
    }
    worker.once('error', (error: unknown) => rejectAll(this.#error(error instanceof Error ? error.message : String(error))))
    worker.once('exit', () => rejectAll(this.#error('database is not open')))
    worker.unref()
    return worker
  }

  #error(message: string, errcode?: number): Error {
    return sqliteError(this.#file, 'read', Object.assign(new Error(message), { errcode }))
  }
}
