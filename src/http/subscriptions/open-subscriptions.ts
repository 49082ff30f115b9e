// Counts open subscriptions, of all callers and of each, against the load limits: of one gateway, or of all processes behind one
// port (serve/workers/worker-hub.ts).

import type { LoadLimits } from '../limits/load-limits.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'

/** Why there is no place: all are taken, or this caller has as many as it may. */
export type NoPlace = 'all taken' | 'caller has enough'

export interface SubscriptionPlaces {
  /** Undefined if there was a place: then call `leave` when the subscription ends. A caller that cannot be told from others has no limit of its own. */
  take(caller: string | undefined): MaybePromise<NoPlace | undefined>
  leave(caller: string | undefined): void
}

export type SubscriptionLimits = Pick<LoadLimits, 'subscriptions' | 'subscriptionsPerCaller'>

export class OpenSubscriptions implements SubscriptionPlaces {
  limits: SubscriptionLimits
  readonly #ofCallers = new Map<string, number>()
  #open = 0

  constructor(limits: SubscriptionLimits) {
    this.limits = limits
  }

  take(caller: string | undefined): NoPlace | undefined {
    const { subscriptions, subscriptionsPerCaller } = this.limits
    if (this.#open >= subscriptions) return 'all taken'
    if (caller !== undefined && (this.#ofCallers.get(caller) ?? 0) >= subscriptionsPerCaller) return 'caller has enough'
    this.#count(caller, 1)
    return undefined
  }

  leave(caller: string | undefined): void {
    this.#count(caller, -1)
  }

  #count(caller: string | undefined, difference: 1 | -1): void {
    this.#open += difference
    if (caller === undefined) return
    const many = (this.#ofCallers.get(caller) ?? 0) + difference
    if (many === 0) this.#ofCallers.delete(caller)
    else this.#ofCallers.set(caller, many)
  }
}
