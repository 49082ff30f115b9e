// A worker as its primary sees it: a process that becomes ready or not, and ends.

import cluster, { type Worker } from 'node:cluster'
import type { HubWorker } from './worker-hub.ts'
import type { FromWorker, SharedMessage, ToWorker } from './messages.ts'
import { workersVariable } from './worker-process.ts'

export interface Ended {
  readonly code: number | null
  /** In words: the signal, or the exit code. */
  readonly how: string
}

export class ChildWorker implements HubWorker {
  /** Its address; rejects with the reason if it cannot start. */
  readonly ready: Promise<string>
  /** It serves no more connections, although it was not told to end. */
  readonly lost: Promise<string>
  readonly ended: Promise<Ended>
  readonly #worker: Worker
  readonly #startedMs = performance.now()
  #isReady = false

  constructor(workers: number, receive: (from: ChildWorker, message: SharedMessage) => void) {
    const worker = (this.#worker = cluster.fork({ [workersVariable]: String(workers) }))
    const ended = Promise.withResolvers<Ended>()
    const ready = Promise.withResolvers<string>()
    const lost = Promise.withResolvers<string>()
    this.lost = lost.promise
    this.ended = ended.promise
    this.ready = ready.promise
    // Callers that await it get the failure; without one it must not become an unhandled rejection.
    ready.promise.catch(() => undefined)
    worker.on('message', (message: FromWorker) => {
      switch (message.kind) {
        case 'failed': return ready.reject(new Error(message.why))
        case 'failing': return lost.resolve(message.reason)
        case 'ready':
          this.#isReady = true
          return ready.resolve(message.address)
        default: return receive(this, message)
      }
    })
    worker.on('exit', (code, signal) => {
      const how = signal ?? `exit code ${code}`
      ready.reject(new Error(`The worker ended before it was ready: ${how}.`))
      lost.resolve(how)
      ended.resolve({ code, how })
    })
  }

  get id(): number {
    return this.#worker.id
  }

  get isReady(): boolean {
    return this.#isReady
  }

  get livedMs(): number {
    return performance.now() - this.#startedMs
  }

  /** A worker that ends meanwhile does not get it. */
  send(message: ToWorker): void {
    if (this.#worker.isConnected()) this.#worker.send(message, () => undefined)
  }

  /** Ends it: in order if it serves requests, and at once otherwise. */
  end(order: ToWorker): void {
    if (this.#isReady) this.send(order)
    else this.kill()
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL')
  }
}
