// The deadlines of all operations of a gateway. All have the same duration, so operations expire in the order in which
// they began and one timer serves them all: nothing is set or cleared for an operation that ends in time.

import { processClock, type Clock } from '../../clock.ts'

export interface Expiring {
  /** On the clock of the deadlines. */
  readonly untilMs: number
  expire(): void
}

export class Deadlines {
  readonly ms: number
  readonly clock: Clock
  /** In the order in which they expire. */
  readonly #running = new Set<Expiring>()
  #isTimerSet = false

  constructor(ms: number, clock: Clock = processClock) {
    this.ms = ms
    this.clock = clock
  }

  add(operation: Expiring): void {
    this.#running.add(operation)
    if (!this.#isTimerSet) this.#setTimer(this.ms)
  }

  delete(operation: Expiring): void {
    this.#running.delete(operation)
  }

  #setTimer(ms: number): void {
    this.#isTimerSet = true
    // A deadline alone does not keep the process running; the work that it limits does.
    this.clock.after(ms, () => this.#expireDue())
  }

  #expireDue(): void {
    const nowMs = this.clock.now()
    for (const operation of this.#running) {
      if (operation.untilMs > nowMs) return this.#setTimer(Math.ceil(operation.untilMs - nowMs))
      this.#running.delete(operation)
      operation.expire()
    }
    this.#isTimerSet = false
  }
}
