// The deadlines of all operations of a gateway. All have the same duration, so operations expire in the order in which
// they began and one timer serves them all: nothing is set or cleared for an operation that ends in time.

export interface Expiring {
  /** On the clock of `performance.now()`. */
  readonly untilMs: number
  expire(): void
}

export class Deadlines {
  readonly ms: number
  /** In the order in which they expire. */
  readonly #running = new Set<Expiring>()
  #isTimerSet = false

  constructor(ms: number) {
    this.ms = ms
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
    setTimeout(() => this.#expireDue(), ms).unref()
  }

  #expireDue(): void {
    const nowMs = performance.now()
    for (const operation of this.#running) {
      if (operation.untilMs > nowMs) return this.#setTimer(Math.ceil(operation.untilMs - nowMs))
      this.#running.delete(operation)
      operation.expire()
    }
    this.#isTimerSet = false
  }
}
