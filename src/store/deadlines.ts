// When errands are over. All of a gateway have the same time, so the first that began is the first to be over, and
// one timer is enough for all of them: nothing is set or cleared for an operationContext that ends in time, as nearly all do.

export interface Timed {
  /** On the clock of `performance.now()`. */
  readonly untilMs: number
  expire(): void
}

export class Deadlines {
  readonly ms: number
  /** In the order in which they will be over. */
  readonly #running = new Set<Timed>()
  #isSet = false

  constructor(ms: number) {
    this.ms = ms
  }

  add(timed: Timed): void {
    this.#running.add(timed)
    if (!this.#isSet) this.#set(this.ms)
  }

  delete(timed: Timed): void {
    this.#running.delete(timed)
  }

  #set(ms: number): void {
    this.#isSet = true
    // Whoever waits for an answer keeps the process, not that it may be late.
    setTimeout(() => this.#look(), ms).unref()
  }

  #look(): void {
    const nowMs = performance.now()
    for (const timed of this.#running) {
      if (timed.untilMs > nowMs) return this.#set(Math.ceil(timed.untilMs - nowMs))
      this.#running.delete(timed)
      timed.expire()
    }
    this.#isSet = false
  }
}
