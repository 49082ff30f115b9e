// A token bucket of RU for each caller. It fills evenly, and an operation takes its cost out. A caller with anything left
// may run an operation of any cost; the bucket may go below zero and must fill up again before the next one. So even an
// operation that costs more than a full bucket can run, and over time no caller exceeds the rate.
//
// Written by hand: it is a division and a subtraction, and it has to work on the fast path as well as in Yoga. Libraries
// for this are plugins of one server, or count requests instead of cost.

import { LRUCache } from 'lru-cache'

export interface RateLimitOptions {
  readonly chargePerMinute: number
  /** Beyond this, the least recently seen caller is forgotten and would start with a full bucket. */
  readonly maxCallers?: number
  readonly now?: () => number
}

interface Bucket {
  left: number
  filledMs: number
}

export class RateLimit {
  readonly #perMs: number
  readonly #full: number
  readonly #buckets: LRUCache<string, Bucket>
  readonly #now: () => number

  constructor({ chargePerMinute, maxCallers = 10_000, now = () => performance.now() }: RateLimitOptions) {
    this.#perMs = chargePerMinute / 60_000
    this.#full = chargePerMinute
    this.#buckets = new LRUCache({ max: maxCallers })
    this.#now = now
  }

  get callers(): number {
    return this.#buckets.size
  }

  /** Takes the cost and returns undefined; or takes nothing and returns how many milliseconds to wait. */
  take(caller: string, cost: number): number | undefined {
    const nowMs = this.#now()
    const bucket = this.#buckets.get(caller) ?? this.#newBucket(caller, nowMs)
    bucket.left = Math.min(this.#full, bucket.left + (nowMs - bucket.filledMs) * this.#perMs)
    bucket.filledMs = nowMs
    if (bucket.left <= 0) return Math.max(1, Math.ceil(-bucket.left / this.#perMs))
    bucket.left -= cost
    return undefined
  }

  /** Takes what the caller has spent elsewhere, below zero if need be. */
  spend(caller: string, cost: number): void {
    const bucket = this.#buckets.get(caller) ?? this.#newBucket(caller, this.#now())
    bucket.left -= cost
  }

  #newBucket(caller: string, nowMs: number): Bucket {
    const bucket = { left: this.#full, filledMs: nowMs }
    this.#buckets.set(caller, bucket)
    return bucket
  }
}
