// The primary: starts the workers of one address, replaces those that end, replaces all of them when the settings or the
// schema have changed, and ends them in order. It serves no requests itself; node:cluster hands every connection to the
// next worker in turn.

import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../config/config.ts'
import type { Log } from '../../observe/log/log.ts'
import { standardErrorWritten } from '../../observe/log/standard-error.ts'
import { BackOff } from './back-off.ts'
import { checkWorkers } from './check-workers.ts'
import { ChildWorker } from './child-worker.ts'
import { WorkerHub } from './worker-hub.ts'

/** Workers end within 10 s themselves; one that does not even do that is killed. */
const maxEndingMs = 12_000

const maxLogMs = 1000

export class Supervisor {
  readonly #log: Log
  readonly #exchange: WorkerHub
  readonly #backOff = new BackOff()
  #config: Config
  /** Every process that lives. */
  readonly #all = new Set<ChildWorker>()
  /** Those that are replaced when they end. */
  #current = new Set<ChildWorker>()
  #isEnding = false

  constructor(config: Config, log: Log) {
    checkWorkers(config)
    this.#config = config
    this.#log = log
    this.#exchange = new WorkerHub(config.load)
  }

  /** Answers with the address when every worker is ready; rejects if one cannot start. */
  async start(): Promise<string> {
    const { workers, address } = await this.#startAll(this.#config)
    this.#current = workers
    return address
  }

  /** New workers, with the settings and the schema as they are now, take over from the present ones. If they cannot start, everything stays as it is. */
  async reload(settings: () => Promise<Config>): Promise<void> {
    try {
      const config = await settings()
      checkWorkers(config)
      const { workers } = await this.#startAll(config)
      const former = this.#current
      this.#config = config
      this.#current = workers
      this.#exchange.limits = config.load
      for (const worker of former) this.#retire(worker)
      this.#log.info({}, 'reloaded')
    } catch (error) {
      if (!this.#isEnding) this.#log.error({ reason: (error as Error).message }, 'Not reloaded: new workers could not start, and the present ones go on.')
    }
  }

  /** Answers with the exit code when all workers have ended. */
  async end(reason: string): Promise<number> {
    this.#isEnding = true
    const serving = [...this.#all].filter(({ isReady }) => isReady)
    for (const worker of this.#all) worker.end({ kind: 'shut-down', reason })
    const deadline = setTimeout(() => this.#all.forEach((worker) => worker.kill()), maxEndingMs)
    const ended = await Promise.all(serving.map((worker) => worker.ended))
    clearTimeout(deadline)
    await standardErrorWritten(maxLogMs)
    return ended.every(({ code }) => code === 0) ? 0 : 1
  }

  /** The first one prepares the store and meets what is wrong; the others follow together. */
  async #startAll(config: Config): Promise<{ readonly workers: Set<ChildWorker>; readonly address: string }> {
    const workers = new Set([this.#fork(config)])
    try {
      const [first] = workers
      const address = await first!.ready
      if (this.#isEnding) throw new Error('Stopped by a signal before all workers had started.')
      while (workers.size < config.workers) workers.add(this.#fork(config))
      await Promise.all([...workers].map(({ ready }) => ready))
      return { workers, address }
    } catch (error) {
      for (const worker of workers) this.#retire(worker)
      throw error
    }
  }

  #fork({ workers }: Config): ChildWorker {
    const worker = new ChildWorker(workers, (from, message) => this.#exchange.receive(from, message))
    this.#all.add(worker)
    void worker.ready.then(() => this.#exchange.join(worker), () => undefined)
    void worker.lost.then((why) => this.#lost(worker, why))
    void worker.ended.then(() => this.#forget(worker))
    return worker
  }

  #forget(worker: ChildWorker): void {
    this.#all.delete(worker)
    this.#exchange.leave(worker)
  }

  #retire(worker: ChildWorker): void {
    this.#exchange.retire(worker)
    worker.end({ kind: 'retire' })
  }

  #lost(worker: ChildWorker, reason: string): void {
    if (!this.#current.delete(worker) || this.#isEnding) return
    this.#exchange.retire(worker)
    this.#log.error({ worker: worker.id, reason }, 'A worker has ended unexpectedly. Another one is started.')
    void this.#replace(this.#current, worker.livedMs)
  }

  /** Tries until there is one more of the same generation, or another generation. */
  async #replace(generation: Set<ChildWorker>, livedMs: number): Promise<void> {
    await pause(this.#backOff.after(livedMs))
    if (this.#isEnding || generation !== this.#current) return
    const worker = this.#fork(this.#config)
    try {
      await worker.ready
      if (generation === this.#current) generation.add(worker)
      else this.#retire(worker)
    } catch (error) {
      if (this.#isEnding) return
      this.#log.error({ worker: worker.id, reason: (error as Error).message }, 'A worker could not start. Another one is started later.')
      await this.#replace(generation, 0)
    }
  }
}
