// Shares the parts of a change feed among all running processors of the same name, and runs a consumer for each part that
// this one has leased.

import { setTimeout as pause } from 'node:timers/promises'
import type { SplittingFeedSource } from '../../store/store.ts'
import { Leases } from '../leases.ts'
import { backOff, PartConsumer, type ConsumerOptions } from './part-consumer.ts'

export class FeedProcessor<Item> {
  readonly #source: SplittingFeedSource<Item>
  readonly #leases: Leases
  readonly #options: ConsumerOptions<Item>
  readonly #consumers = new Map<string, PartConsumer<Item>>()
  readonly #stopping = new AbortController()
  #waking = new AbortController()
  readonly #running: Promise<void>

  constructor(source: SplittingFeedSource<Item>, owner: string, options: ConsumerOptions<Item>) {
    this.#source = source
    this.#leases = new Leases(source, owner, options.leaseDurationMs)
    this.#options = options
    this.#running = this.#run()
  }

  /** Resolves when every page that was being handled is stored as handled, and all leases are released. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
    const consumers = [...this.#consumers.values()]
    for (const consumer of consumers) consumer.stop()
    await Promise.all(consumers.map(({ ended }) => ended))
    await this.#leases.leave().catch((error: unknown) => this.#options.onError(error, undefined))
  }

  async #run(): Promise<void> {
    const { leaseDurationMs, onError } = this.#options
    let failures = 0
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#balance()
        failures = 0
      } catch (error) {
        failures++
        onError(error, undefined)
      }
      await this.#pause(failures === 0 ? leaseDurationMs / 3 : Math.min(backOff(failures, undefined), leaseDurationMs / 3))
    }
  }

  async #balance(): Promise<void> {
    const { kept, surplus, free } = await this.#leases.share()
    for (const { part } of surplus) this.#consumers.get(part)?.stop()
    // One of its own without a consumer: the answer to its last write was lost.
    for (const stored of [...kept, ...free].filter(({ part }) => !this.#consumers.has(part))) {
      const lease = await this.#leases.take(stored)
      if (lease) this.#consume(new PartConsumer(this.#source, this.#leases, lease, this.#options), lease.part)
    }
  }

  #consume(consumer: PartConsumer<Item>, part: string): void {
    this.#consumers.set(part, consumer)
    void this.#awaitEnd(consumer, part)
  }

  async #awaitEnd(consumer: PartConsumer<Item>, part: string): Promise<void> {
    const outcome = await consumer.ended
    this.#consumers.delete(part)
    // The new parts are taken at once.
    if (outcome === 'split') this.#waking.abort()
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: AbortSignal.any([this.#stopping.signal, this.#waking.signal]) }).catch(() => undefined)
    this.#waking = new AbortController()
  }
}
