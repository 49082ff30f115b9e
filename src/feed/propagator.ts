// Follows the change feed and applies the effects of each change: snapshots, inverse lists and counts in other documents,
// stale from the write of their source until the propagator has handled it. Every step can run twice with the same
// result, so after a crash the next propagator repeats some of the work and loses none.

import type { Declaration } from '../relations/declaration.ts'
import { ownContainer } from '../store/own-container.ts'
import { StoreUnavailableError } from '../store/store-errors.ts'
import type { Change, Store } from '../store/store.ts'
import { createWorkSlice } from '../store/work-slice.ts'
import type { PropagatedBatch } from '../observe/observers.ts'
import { processClock, type Clock } from './clock.ts'
import { InterruptedIntents } from '../write/intents/interrupted-intents.ts'
import { changeOf, deadLetter, listDeadLetters } from './dead-letters.ts'
import type { Lease } from './lease-document.ts'
import { Leases } from './leases.ts'
import { ChangePropagation, ContendedError, type PropagationOptions } from './change-propagation.ts'
import { LostLeaseError, type Fence } from './fenced-writes.ts'
import { sweepPart } from './sweep-feed.ts'

export interface PropagatorOptions {
  /** Identifies this propagator among others. */
  readonly owner: string
  /** How long a propagator that is not heard of keeps its parts of the feed. */
  readonly leaseMs?: number
  /** How many changes are read from the feed at a time. */
  readonly pageSize?: number
  readonly clock?: Clock
  readonly transitively?: PropagationOptions['transitively']
  /** Default: what this propagator knows by itself, where it follows all parts. */
  readonly passed?: PropagationOptions['passed']
  readonly onPropagated?: PropagationOptions['onPropagated']
  /** Called for every batch of changes, also for one that failed half-way. */
  readonly onBatch?: (batch: PropagatedBatch) => void
}

/** While changes keep coming, how far they were propagated is stored this often: for other gateways, and for the one that continues after this. */
const storeEveryMs = 1000

export class Propagator {
  readonly #store: Store
  readonly #clock: Clock
  readonly #leases: Leases
  readonly #propagation: ChangePropagation
  readonly #intents: InterruptedIntents
  readonly #pageSize: number
  readonly #onBatch: PropagatorOptions['onBatch']
  readonly #slice = createWorkSlice()
  #deadLetters = 0
  /** For each part: the position that it stored last, and when. */
  readonly #stored = new Map<string, { readonly reached: number; readonly atMs: number }>()
  /** A position after all changes that the last round with changes has propagated. */
  #changedBy = -Infinity
  #progress: ReadonlyMap<string, number> = new Map()
  /** What it has reached in all parts. */
  #reached = -Infinity
  /** For each part that it follows: when the last look that found its end began, or when it took the part. */
  #endedAtMs: ReadonlyMap<string, number> = new Map()

  constructor(declaration: Declaration, store: Store, { owner, leaseMs = 30_000, pageSize = 100, clock = processClock, transitively = false, passed = () => this.#reached, onPropagated, onBatch }: PropagatorOptions) {
    this.#store = store
    this.#clock = clock
    this.#leases = new Leases(store, owner, leaseMs, clock, { withOwner: true })
    this.#intents = new InterruptedIntents(declaration, store)
    this.#propagation = new ChangePropagation(declaration, store, this.#leases, { passed, transitively, onChanged: (change, body, tenant) => this.#intents.note(change, body, tenant), onPropagated, clock })
    this.#pageSize = pageSize
    this.#onBatch = onBatch
  }

  /** Follows the parts of the feed that it can lease up to their end. Returns how many changes it has propagated. */
  async round(): Promise<number> {
    // One part after the other: in parallel they would mostly conflict on the same documents.
    let propagated = 0
    const leases = await this.#leases.hold()
    this.#endedAtMs = new Map(leases.map(({ part }) => [part, this.#endedAtMs.get(part) ?? this.#clock.now()]))
    for (const lease of leases) {
      try {
        propagated += await this.#follow(lease)
      } catch (error) {
        this.#leases.forget(lease.part)
        throw error
      }
    }
    await this.#intents.settle(leases.map(({ part }) => part))
    const parts = await this.#store.feedParts()
    this.#reached = Math.min(...parts.map((part) => this.#progress.get(part) ?? -Infinity))
    if (propagated > 0) this.#changedBy = (await this.#store.position()).latest
    return propagated
  }

  /** Renews its leases if they need it, without a look at the feed. */
  async rest(): Promise<void> {
    await this.#leases.hold()
  }

  /** The positions that it has followed parts to. They may be ahead of the stored ones, which are written only when others need them. */
  get progress(): ReadonlyMap<string, number> {
    return this.#progress
  }

  /** How long ago it had followed each of its parts to the end. */
  get lagsMs(): ReadonlyMap<string, number> {
    return new Map([...this.#endedAtMs].map(([part, atMs]) => [part, this.#clock.now() - atMs]))
  }

  /** Grows whenever leases were read from the store, where others may have set changes aside. */
  get timesLeasesRead(): number {
    return this.#leases.timesRead
  }

  /** Gives its parts back, so that others need not wait for its leases to expire. */
  stop(): Promise<void> {
    return this.#leases.releaseAll()
  }

  /** Tries every dead letter once more. Returns how many remain. */
  async retryDeadLetters(): Promise<number> {
    const letters = await listDeadLetters(this.#store)
    let remaining = 0
    for (const letter of letters) {
      try {
        await this.#propagation.propagate([changeOf(letter)], { lease: undefined })
        await this.#store.write([{ kind: 'delete', container: ownContainer, key: letter.key, only: { ifMatch: letter.etag } }])
      } catch {
        remaining++
      }
    }
    return remaining
  }

  async #follow(lease: Lease): Promise<number> {
    let current = lease
    let propagated = 0
    // Pages since the point was stored last, and when that was: each time waits for the disk, and a page that is read again costs little.
    let unstored = 0
    let storedAtMs = this.#clock.now()
    for (;;) {
      const lookedAtMs = this.#clock.now()
      // Taken before reading: every change up to this position is in the feed by now.
      const { earliest } = await this.#store.position()
      const { changes, point, end } = await this.#store.changes(current.part, current.point, this.#pageSize)
      const batch = await this.#propagateBatch(changes, current)
      propagated += batch.changes
      if (!batch.lease) {
        this.#leases.forget(current.part)
        return propagated
      }
      // Only the end of the feed moves the position. The feed has each document once, at its latest change, so before
      // the end a document that changed again may be ahead, and its snapshots older than every change behind.
      current = { ...batch.lease, point, reached: end ? Math.max(earliest, batch.lease.reached) : batch.lease.reached }
      if (changes.length > 0 || !end) unstored++
      const stores = end ? unstored > 0 || this.#isWorthStoring(current) : this.#clock.now() >= storedAtMs + storeEveryMs
      if (stores || this.#leases.isDue) {
        const kept = await this.#leases.keep(current)
        if (!kept) return propagated
        current = kept
        unstored = 0
        storedAtMs = this.#clock.now()
        if (end) this.#stored.set(current.part, { reached: current.reached, atMs: this.#clock.now() })
      }
      if (!end) continue
      this.#leases.note(current)
      // The point is stored by now.
      await sweepPart(this.#store, current.part, current.point)
      this.#progress = new Map([...this.#progress, [current.part, current.reached]])
      this.#endedAtMs = new Map([...this.#endedAtMs, [current.part, lookedAtMs]])
      return propagated
    }
  }

  /** At rest a new position is worth a write only if it is the first, or the first after the last changes in any part: other gateways' readers wait for that one. */
  #isWorthStoring({ part, reached }: Lease): boolean {
    const stored = this.#stored.get(part)
    return stored === undefined || (stored.reached < this.#changedBy && reached >= this.#changedBy && this.#clock.now() >= stored.atMs + storeEveryMs)
  }

  /** Propagates a batch as far as possible. Without a lease in the result, this part waits for the next round. */
  async #propagateBatch(batch: readonly Change[], lease: Lease): Promise<{ changes: number; lease: Lease | undefined }> {
    if (batch.length === 0) return { changes: 0, lease }
    const [startMs, deadLetters] = [performance.now(), this.#deadLetters]
    const fence: Fence = { lease }
    let changes = 0
    const report = (error?: unknown): void =>
      this.#onBatch?.({ part: lease.part, changes, setAside: this.#deadLetters - deadLetters, startMs, durationMs: performance.now() - startMs, ...(error === undefined ? {} : { error }) })
    try {
      await this.#slice.next(batch.length)
      const unsettled = batch.filter(({ settled }) => !settled)
      while (changes < unsettled.length && fence.lease) changes += await this.#propagateSome(unsettled.slice(changes), fence)
    } catch (error) {
      report(error)
      throw error
    }
    report()
    return { changes, lease: fence.lease }
  }

  /** Returns how many of them: at least the first, unless this part has to wait for the next round. Then there is no lease any more. */
  async #propagateSome(changes: readonly Change[], fence: Fence): Promise<number> {
    const together = this.#propagation.together(changes)
    try {
      return await this.#propagation.propagate(together, fence)
    } catch (error) {
      // An unavailable store is not the fault of a change: the feed waits here.
      if (error instanceof StoreUnavailableError) throw error
      if (error instanceof LostLeaseError) return wait(fence)
      // One may fail because of itself, and the others need not fail with it.
      if (together.length > 1) return this.#propagateEach(together, fence)
      if (error instanceof ContendedError) return wait(fence)
      fence.lease = await this.#leases.keep(fence.lease!, [deadLetter(together[0]!, error)])
      if (!fence.lease) return 0
      this.#deadLetters++
      return 1
    }
  }

  async #propagateEach(changes: readonly Change[], fence: Fence): Promise<number> {
    let propagated = 0
    while (propagated < changes.length && fence.lease) propagated += await this.#propagateSome([changes[propagated]!], fence)
    return propagated
  }
}

/** The part waits for the next round. */
function wait(fence: Fence): number {
  fence.lease = undefined
  return 0
}
