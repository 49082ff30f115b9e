// Counts open subscriptions, of all callers and of each, against the load limits.

import type { GraphQLError } from 'graphql'
import type { LoadLimits } from '../limits/load-limits.ts'
import { tooManyOfCaller, tooManySubscriptions } from '../limits/overload.ts'

export class OpenSubscriptions {
  readonly #limits: Pick<LoadLimits, 'subscriptions' | 'subscriptionsPerCaller'>
  readonly #ofCallers = new Map<string, number>()
  #open = 0

  constructor(limits: Pick<LoadLimits, 'subscriptions' | 'subscriptionsPerCaller'>) {
    this.#limits = limits
  }

  /** Opens one, and returns what ends it, once; or returns why it is refused. A caller that cannot be told from others has no limit of its own. */
  open(caller: string | undefined): (() => void) | GraphQLError {
    const { subscriptions, subscriptionsPerCaller } = this.#limits
    if (this.#open >= subscriptions) return tooManySubscriptions()
    if (caller !== undefined && (this.#ofCallers.get(caller) ?? 0) >= subscriptionsPerCaller) return tooManyOfCaller(subscriptionsPerCaller)
    this.#count(caller, 1)
    let isOpen = true
    return () => {
      if (isOpen) this.#count(caller, -1)
      isOpen = false
    }
  }

  #count(caller: string | undefined, difference: 1 | -1): void {
    this.#open += difference
    if (caller === undefined) return
    const many = (this.#ofCallers.get(caller) ?? 0) + difference
    if (many === 0) this.#ofCallers.delete(caller)
    else this.#ofCallers.set(caller, many)
  }
}
