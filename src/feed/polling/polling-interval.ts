// When a follower of the change feed polls next. The interval is short while there are changes, and doubles while there are none.

import type { Clock } from '../clock.ts'

/** Looks without a change before the interval grows. A store proves a change only some time after it, so the first few looks are not wasted. */
const steadyLooks = 4

export interface IntervalBounds {
  readonly shortestMs: number
  readonly longestMs: number
}

export class PollingInterval {
  readonly #intervals: IntervalBounds
  readonly #clock: Clock
  #lookedAt = -Infinity
  /** Looks in a row that found nothing. */
  #quiet = 0

  constructor(intervals: IntervalBounds, clock: Clock) {
    this.#intervals = intervals
    this.#clock = clock
  }

  /** Doubles with every look that finds nothing, up to the longest. */
  get intervalMs(): number {
    const { shortestMs, longestMs } = this.#intervals
    return Math.min(Math.max(shortestMs, longestMs), shortestMs * 2 ** Math.max(0, this.#quiet - steadyLooks))
  }

  get isShortest(): boolean {
    return this.#quiet <= steadyLooks
  }

  /** 0 when a look is due. Never sooner than the shortest interval after the last one. */
  get dueInMs(): number {
    return Math.max(0, this.#lookedAt + this.intervalMs - this.#clock.now())
  }

  looked(found: boolean): void {
    this.#lookedAt = this.#clock.now()
    this.#quiet = found ? 0 : this.#quiet + 1
  }

  /** Back to the shortest interval. */
  wake(): void {
    this.#quiet = 0
  }
}
