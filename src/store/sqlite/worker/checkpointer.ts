// Copies the write-ahead log into the file on a thread of its own, while this one goes on reading and writing. On this thread it
// would hold up every request for as long as the disk takes, which is up to some hundred milliseconds.
//
// The thread copies what has been committed when it begins. If nothing is committed until it is done, the next writer begins
// the log again; if writers never pause, the log grows until SQLite itself copies the small rest (connection.ts).

import type { Worker } from 'node:worker_threads'
import { closeWorker } from './close-worker.ts'
import { startThread } from './start-thread.ts'

/** About 3,000 to 8,000 pages of the log: a written document changes its own page and those of its indexes and its feed entry. */
const defaultWritesPerCheckpoint = 1000

export class Checkpointer {
  readonly #file: string
  readonly #writesPerCheckpoint: number
  #worker: Worker | undefined
  #isRunning = false
  #writes = 0

  constructor(file: string, writesPerCheckpoint = defaultWritesPerCheckpoint) {
    this.#file = file
    this.#writesPerCheckpoint = writesPerCheckpoint
  }

  /** To be called after each commit, with the number of documents that it wrote. */
  committed(documents: number): void {
    this.#writes += documents + 1
    if (this.#isRunning || this.#writes < this.#writesPerCheckpoint) return
    this.#writes = 0
    this.#isRunning = true
    this.#worker ??= this.#start()
    this.#worker.postMessage('checkpoint', [])
  }

  async close(): Promise<void> {
    if (this.#worker) await closeWorker(this.#worker)
  }

  #start(): Worker {
    const worker = startThread('checkpoint-thread', { file: this.#file })
    const ended = (): void => {
      this.#isRunning = false
      if (this.#worker === worker) this.#worker = undefined
    }
    worker.on('message', () => (this.#isRunning = false))
    // Nothing depends on a checkpoint: the next commits start another thread.
    worker.on('error', ended)
    worker.once('exit', ended)
    return worker
  }
}
