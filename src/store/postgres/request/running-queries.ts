// The reads that run or wait, each with its deadline. One timer looks after all of them: a read that
// ends in time sets and clears nothing.

import type { Clock } from '../../../clock.ts'

const everyMs = 100

interface Cancellable {
  cancel(): unknown
}

export class RunningQueries {
  readonly #clock: Clock
  readonly #untilMs = new Map<Cancellable, number>()
  #stopTimer: (() => void) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#untilMs.size
  }

  add(query: Cancellable, untilMs: number): void {
    this.#untilMs.set(query, untilMs)
    if (!this.#stopTimer) this.#setTimer()
  }

  delete(query: Cancellable): void {
    this.#untilMs.delete(query)
  }

  close(): void {
    this.#stopTimer?.()
  }

  #setTimer(): void {
    this.#stopTimer = this.#clock.after(everyMs, () => {
      this.#stopTimer = undefined
      const nowMs = this.#clock.now()
      for (const [query, untilMs] of this.#untilMs) {
        if (untilMs > nowMs) continue
        this.#untilMs.delete(query)
        query.cancel()
      }
      if (this.#untilMs.size > 0) this.#setTimer()
    })
  }
}
