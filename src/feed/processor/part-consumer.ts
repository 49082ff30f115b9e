// Follows one part of a change feed for as long as its lease holds, and hands each page to a handler. The lease is stored
// with the point after the page only when the handler has returned, so a page is handled at least once, and pages of a part
// one after the other.

import { setTimeout as pause } from 'node:timers/promises'
import type { SplittingFeedSource } from '../../store/store.ts'
import { LostLeaseError } from '../fenced-writes.ts'
import type { Lease } from '../lease-document.ts'
import type { Leases } from '../leases.ts'

export interface Delivery {
  readonly part: string
  readonly epoch: number
  /** 1, or more if this consumer has handed out the page before and the handler failed. */
  readonly attempt: number
  /** Aborted when the lease is lost. */
  readonly signal: AbortSignal
}

export interface ConsumerOptions<Item> {
  readonly handle: (changes: readonly Item[], delivery: Delivery) => unknown
  readonly onError: (error: unknown, part: string | undefined) => void
  readonly pageSize: number
  readonly pollIntervalMs: number
  readonly leaseDurationMs: number
}

export type Outcome = 'stopped' | 'lost' | 'split'

const maxBackOffMs = 30_000

export class PartConsumer<Item> {
  /** Resolves when it has ended, with its lease released unless it was lost. */
  readonly ended: Promise<Outcome>
  readonly #source: SplittingFeedSource<Item>
  readonly #leases: Leases
  readonly #options: ConsumerOptions<Item>
  readonly #stopping = new AbortController()
  #lease: Lease
  #renewedAt = performance.now()
  #attempt = 0

  /** The lease has just been taken. */
  constructor(source: SplittingFeedSource<Item>, leases: Leases, lease: Lease, options: ConsumerOptions<Item>) {
    this.#source = source
    this.#leases = leases
    this.#lease = lease
    this.#options = options
    this.ended = this.#run()
  }

  /** A page that is being handled is finished first. */
  stop(): void {
    this.#stopping.abort()
  }

  async #run(): Promise<Outcome> {
    const { onError, pollIntervalMs, leaseDurationMs } = this.#options
    let failures = 0
    while (!this.#stopping.signal.aborted) {
      try {
        const step = await this.#step()
        failures = 0
        if (step === 'split') {
          await this.#leases.retire(this.#lease)
          return step
        }
        if (step === 'end') await this.#pause(Math.min(pollIntervalMs, leaseDurationMs / 3))
      } catch (error) {
        if (error instanceof LostLeaseError) return 'lost'
        onError(error, this.#lease.part)
        await this.#pause(Math.min(backOff(++failures, error), leaseDurationMs / 3))
      }
    }
    // An error here leaves a lease that expires.
    await this.#leases.release(this.#lease).catch((error: unknown) => onError(error, this.#lease.part))
    return 'stopped'
  }

  /** One page: read, handled, and stored as handled. */
  async #step(): Promise<'more' | 'end' | 'split'> {
    const { part, point: behind } = this.#lease
    const { changes, point, end } = await this.#source.changes(part, behind, this.#options.pageSize)
    if (this.#isDue()) await this.#renew()
    if (changes.length > 0) await this.#deliver(changes)
    this.#lease = { ...this.#lease, point }
    // A write per page that was handled; at rest only as often as the lease needs it.
    if (changes.length > 0 || this.#isDue()) await this.#renew()
    if (await this.#source.split(part, point)) return 'split'
    return end ? 'end' : 'more'
  }

  /** The lease is renewed meanwhile, however long the handler takes. */
  async #deliver(changes: readonly Item[]): Promise<void> {
    const { handle, leaseDurationMs } = this.#options
    const lost = new AbortController()
    let renewing: Promise<void> | undefined
    const timer = setInterval(() => {
      if (performance.now() > this.#renewedAt + leaseDurationMs) lost.abort(new LostLeaseError())
      renewing ??= this.#renew().catch((error: unknown) => {
        // Any other error may pass before the lease expires.
        if (error instanceof LostLeaseError) lost.abort(error)
      }).finally(() => {
        renewing = undefined
      })
    }, leaseDurationMs / 3)
    try {
      await handle(changes, { part: this.#lease.part, epoch: this.#lease.epoch, attempt: ++this.#attempt, signal: lost.signal })
    } finally {
      clearInterval(timer)
      await renewing
    }
    if (lost.signal.aborted) throw new LostLeaseError()
    this.#attempt = 0
  }

  #isDue(): boolean {
    return performance.now() > this.#renewedAt + this.#options.leaseDurationMs / 3
  }

  async #renew(): Promise<void> {
    // The time before the request: the lease is not thought to last longer than it does.
    const at = performance.now()
    const kept = await this.#leases.keep(this.#lease)
    if (!kept) throw new LostLeaseError()
    this.#lease = kept
    this.#renewedAt = at
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
  }
}

/** As long as the service asks for, or twice as long each time, with jitter. */
export function backOff(failures: number, error: unknown): number {
  const { retryAfterInMs = 0 } = (error ?? {}) as { retryAfterInMs?: number }
  return Math.max(retryAfterInMs, Math.min(maxBackOffMs, 100 * 2 ** failures) * (0.5 + Math.random() / 2))
}
