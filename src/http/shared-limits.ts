// Limits that hold for several gateways together, as each of them sees it: what it tells the others, and what it asks. The
// processes behind one port share them (serve/workers/); a gateway alone has none of this.

import type { MaybePromise } from '../store/maybe-promise.ts'

/** Places for open subscriptions. */
export interface SubscriptionPlaces {
  /** Whether there was a place. If true, call `leave` when the subscription ends. */
  take(): MaybePromise<boolean>
  leave(): void
}

export interface SharedLimits {
  readonly subscriptions: SubscriptionPlaces
  /** An operation was charged to a caller here. */
  charged(caller: string, cost: number): void
  /** Calls whenever one was charged elsewhere. A caller's bucket may go below zero, so that late news only delays its next operation. */
  onCharged(spend: (caller: string, cost: number) => void): void
}

/** The places of a gateway alone. */
export class OwnSubscriptionPlaces implements SubscriptionPlaces {
  readonly #max: number
  #taken = 0

  constructor(max: number) {
    this.#max = max
  }

  take(): boolean {
    if (this.#taken >= this.#max) return false
    this.#taken++
    return true
  }

  leave(): void {
    this.#taken--
  }
}
