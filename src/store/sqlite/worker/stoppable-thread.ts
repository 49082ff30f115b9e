// One thread of query-threads.ts as seen from here: it runs one query at a time, and can be told to stop it.

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Row } from '../connection.ts'
import type { Sql } from '../sql/sql-fragment.ts'
import { closeWorker } from './close-worker.ts'
import type { ThreadData, ThreadRequest, ThreadResponse } from './query-thread.ts'

/** TypeScript in a checkout, JavaScript in the package. */
const threadFile = new URL(`./query-thread${extname(import.meta.url)}`, import.meta.url)

export interface Outcomes<Query> {
  readonly rows: (query: Query, rows: readonly Row[], steps: number) => void
  readonly failed: (query: Query, error: { readonly message: string; readonly errcode?: number | undefined }) => void
  readonly stopped: (query: Query) => void
}

export class StoppableThread<Query extends object> {
  running: Query | undefined
  readonly #file: string
  readonly #outcomes: Outcomes<Query>
  readonly #stop = new SharedArrayBuffer(4)
  #worker: Worker | undefined
  #lastNumber = 0

  constructor(file: string, outcomes: Outcomes<Query>) {
    this.#file = file
    this.#outcomes = outcomes
  }

  run(query: Query, { text, values }: Sql, maxSteps: number): void {
    this.running = query
    const worker = (this.#worker ??= this.#start())
    // Keeps the process running while a query runs.
    worker.ref()
    worker.postMessage({ number: ++this.#lastNumber, text, values, maxSteps } satisfies ThreadRequest, [])
  }

  /** The query that runs now ends soon; it may still return its rows. */
  stop(): void {
    Atomics.store(new Int32Array(this.#stop), 0, this.#lastNumber)
  }

  async close(): Promise<void> {
    if (this.#worker) await closeWorker(this.#worker)
  }

  #start(): Worker {
    const worker = new Worker(threadFile, { workerData: { file: this.#file, stop: this.#stop } satisfies ThreadData, execArgv: ['--disable-warning=ExperimentalWarning'] })
    worker.on('message', ({ rows, steps = 0, isStopped, error }: ThreadResponse) => this.#end((query) => {
      if (rows) this.#outcomes.rows(query, rows, steps)
      else if (isStopped) this.#outcomes.stopped(query)
      else this.#outcomes.failed(query, error!)
    }))
    // The next query starts another thread.
    const ended = (error: { readonly message: string }): void => {
      if (this.#worker === worker) this.#worker = undefined
      this.#end((query) => this.#outcomes.failed(query, error))
    }
    worker.once('error', (error: unknown) => ended(error instanceof Error ? error : { message: String(error) }))
    worker.once('exit', () => ended({ message: 'database is not open' }))
    worker.unref()
    return worker
  }

  #end(tell: (query: Query) => void): void {
    const query = this.running
    if (!query) return
    this.running = undefined
    this.#worker?.unref()
    tell(query)
  }
}
