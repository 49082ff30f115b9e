// Long queries, on a thread of their own with a connection of its own: whoever else is served goes on
// meanwhile. The thread is started when the first one comes. It sees all that was committed before it
// was asked, and fails in the words of the connection here.
//
// Going there and back costs some fifty microseconds, which is what SQLite takes to look at some hundred
// entries of an index; rows then have to be copied from thread to thread. So only queries that look at
// many and answer with few gain by it, and a long page does not.
//
// One is asked at a time, and the others wait here: a query that nobody waits for any more when its turn comes
// is not run. One that runs cannot be stopped.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { currentOperation, type OperationContext } from '../../operation-context.ts'
import { asFailed, type Row } from '../connection.ts'
import type { Sql } from '../sql/sql-fragment.ts'
import type { ThreadAnswer } from './worker-thread.ts'

/** What SQLite looks at in some milliseconds. */
const usualLongRows = 20_000

interface Asked {
  readonly sql: Sql
  readonly operationContext: OperationContext | undefined
  readonly resolve: (rows: readonly Row[]) => void
  readonly reject: (error: unknown) => void
}

export class QueryWorker {
  readonly longRows: number
  readonly #file: string
  readonly #waiting: Asked[] = []
  #underWay: Asked | undefined
  #worker: Worker | undefined
  #last = 0
  #closed = false

  constructor(file: string, longRows = usualLongRows) {
    this.#file = file
    this.longRows = longRows
  }

  all(sql: Sql): Promise<readonly Row[]> {
    if (this.#closed) return Promise.reject(this.#failed('database is not open'))
    const { promise, resolve, reject } = Promise.withResolvers<readonly Row[]>()
    this.#waiting.push({ sql, operationContext: currentOperation(), resolve, reject })
    if (!this.#underWay) this.#next()
    return promise
  }

  #next(): void {
    const asked = (this.#underWay = this.#firstWanted())
    if (!asked) return this.#worker?.unref()
    const worker = (this.#worker ??= this.#start())
    // A process that only waits for this has something to wait for.
    worker.ref()
    worker.postMessage({ number: ++this.#last, text: asked.sql.text, values: asked.sql.values }, [])
  }

  #firstWanted(): Asked | undefined {
    for (let asked = this.#waiting.shift(); asked; asked = this.#waiting.shift()) {
      try {
        asked.operationContext?.check()
        return asked
      } catch (error) {
        asked.reject(error)
      }
    }
    return undefined
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failed('database is not open'))
    const worker = this.#worker
    if (!worker) return
    const gone = once(worker, 'exit')
    // Otherwise a process with nothing else to do would end before it has closed the file.
    worker.ref()
    // It closes its connection before it goes, so that the file is tidied up by the last one here.
    worker.postMessage('close', [])
    await gone
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker-thread.ts', import.meta.url), { workerData: { file: this.#file }, execArgv: ['--disable-warning=ExperimentalWarning'] })
    worker.on('message', ({ number, rows, error }: ThreadAnswer) => {
      if (number !== this.#last) return
      const asked = this.#underWay
      if (rows) asked?.resolve(rows)
      else asked?.reject(this.#failed(error!.message, error!.errcode))
      this.#next()
    })
    // The next query starts another one.
    const end = (error: unknown): void => {
      if (this.#worker === worker) this.#worker = undefined
      const waiting = [...(this.#underWay ? [this.#underWay] : []), ...this.#waiting.splice(0)]
      this.#underWay = undefined
      for (const { reject } of waiting) reject(error)
    }
    worker.once('error', (error: unknown) => end(this.#failed(error instanceof Error ? error.message : String(error))))
    worker.once('exit', () => end(this.#failed('database is not open')))
    worker.unref()
    return worker
  }

  #failed(message: string, errcode?: number): Error {
    return asFailed(this.#file, 'be read', Object.assign(new Error(message), { errcode }))
  }
}
