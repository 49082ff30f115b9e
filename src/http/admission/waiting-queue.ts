// Operations that wait to be admitted, first come first served. A thousand clients with light reads all wait here most of the
// time, so waiting has to cost next to nothing: one timer serves all of them, because the first to come is the first to be overdue.

/** Tells an operation whether it may run. */
export type Admit = (admitted: boolean) => void

interface Waiting {
  readonly admit: Admit
  /** By the clock of the line, and by that of the process. */
  readonly sinceMs: number
  readonly enteredMs: number
}

/** How often to look who is overdue while some wait. A look that is later than half of this shows that the process stood still. */
const lookEveryMs = 100

/** How many places at the front may be empty. */
const maxEmptied = 1000

export class WaitingQueue {
  readonly #maxWaitMs: number
  /** Those before `#first` have left. */
  #queue: (Waiting | undefined)[] = []
  #first = 0
  #isWatching = false
  /** Time in which nothing could be served, because the machine was busy or memory was collected. It does not count as waiting. */
  #stoodStillMs = 0

  constructor(maxWaitMs: number) {
    this.#maxWaitMs = maxWaitMs
  }

  get size(): number {
    return this.#queue.length - this.#first
  }

  /** Resolves to false after the max wait. */
  join(): Promise<boolean> {
    const { promise, resolve: admit } = Promise.withResolvers<boolean>()
    const enteredMs = performance.now()
    this.#queue.push({ admit, sinceMs: enteredMs - this.#stoodStillMs, enteredMs })
    if (!this.#isWatching) this.#watch(this.#maxWaitMs)
    return promise
  }

  /** The first in the line leaves it. */
  shift(): Admit | undefined {
    const next = this.#queue[this.#first]
    if (!next) return undefined
    this.#queue[this.#first++] = undefined
    if (this.#first === this.#queue.length) [this.#queue, this.#first] = [[], 0]
    else if (this.#first >= maxEmptied) [this.#queue, this.#first] = [this.#queue.slice(this.#first), 0]
    return next.admit
  }

  #watch(leftMs: number): void {
    this.#isWatching = true
    const ms = Math.min(leftMs, lookEveryMs)
    const dueMs = performance.now() + ms
    setTimeout(() => this.#look(dueMs), ms).unref()
  }

  #look(dueMs: number): void {
    const nowMs = performance.now()
    if (nowMs - dueMs > lookEveryMs / 2) this.#stoodStillMs += nowMs - dueMs
    const leftMs = this.#refuseOverdue(nowMs)
    if (leftMs === undefined) this.#isWatching = false
    else this.#watch(leftMs)
  }

  /** Returns how long the next one may still wait; undefined if none does. */
  #refuseOverdue(nowMs: number): number | undefined {
    for (let next = this.#queue[this.#first]; next; next = this.#queue[this.#first]) {
      // Where every turn takes long, those that wait are refused nevertheless, after twice the time.
      const leftMs = Math.min(next.sinceMs + this.#stoodStillMs + this.#maxWaitMs, next.enteredMs + 2 * this.#maxWaitMs) - nowMs
      // Timers may be a moment early.
      if (leftMs >= 1) return leftMs
      this.shift()!(false)
    }
    return undefined
  }
}
