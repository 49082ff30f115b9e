// How much each caller may ask for: a bucket of request charge that fills up evenly and is emptied by what
// operations cost. Whoever has anything left may ask; what that costs is taken off, below zero if need be, and
// has to flow in again before the next one. So an operation that costs more than a bucket holds is not
// impossible, and over time nobody gets more than his share.
//
// Written by hand, because it is a division and a subtraction, and because it has to stand before both ways in:
// libraries for this are plugins of one server, or count requests and not what they cost.

import { LRUCache } from 'lru-cache'

export interface RateLimitOptions {
  readonly chargePerMinute: number
  /** How many callers are remembered. Who has not been heard of for longest is forgotten, and begins with a full bucket. */
  readonly mostCallers?: number
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

  constructor({ chargePerMinute, mostCallers = 10_000, now = () => performance.now() }: RateLimitOptions) {
    this.#perMs = chargePerMinute / 60_000
    this.#full = chargePerMinute
    this.#buckets = new LRUCache({ max: mostCallers })
    this.#now = now
  }

  get callers(): number {
    return this.#buckets.size
  }

  /** Takes the cost off, and answers with undefined; or with how many milliseconds to wait, and takes nothing. */
  take(caller: string, cost: number): number | undefined {
    const nowMs = this.#now()
    const bucket = this.#buckets.get(caller) ?? this.#newBucket(caller, nowMs)
    bucket.left = Math.min(this.#full, bucket.left + (nowMs - bucket.filledMs) * this.#perMs)
    bucket.filledMs = nowMs
    if (bucket.left <= 0) return Math.max(1, Math.ceil(-bucket.left / this.#perMs))
    bucket.left -= cost
    return undefined
  }

  #newBucket(caller: string, nowMs: number): Bucket {
    const bucket = { left: this.#full, filledMs: nowMs }
    this.#buckets.set(caller, bucket)
    return bucket
  }
}
