// Limits the RU per second of a migration: after every page it waits until the RU used so far are within the limit.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../../clock.ts'
import { hundredths } from '../../../store/cost-model.ts'
import type { Meter } from '../../../store/store.ts'

export class RequestBudget {
  readonly #ruPerSecond: number | undefined
  readonly #clock: Clock
  readonly #startMs: number
  #spent = 0

  constructor(ruPerSecond: number | undefined, clock: Clock) {
    this.#ruPerSecond = ruPerSecond
    this.#clock = clock
    this.#startMs = clock.now()
  }

  readonly meter: Meter = ({ requestCharge }) => {
    this.#spent += requestCharge
  }

  get spent(): number {
    return hundredths(this.#spent)
  }

  /** Throws when it is to stop. A store in this process answers at once, so timers and signals get their turn here. */
  async pause(signal: AbortSignal | undefined): Promise<void> {
    await nextTurn()
    signal?.throwIfAborted()
    if (this.#ruPerSecond === undefined) return
    const aheadMs = this.#startMs + (this.#spent / this.#ruPerSecond) * 1000 - this.#clock.now()
    if (aheadMs > 0) await this.#clock.pause(aheadMs)
    signal?.throwIfAborted()
  }
}
