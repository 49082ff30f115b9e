// How many operations are under way at once, and who is sent away. As many again wait in line, for a moment; everybody else is told at once to come again, which costs next to nothing and keeps memory and
// latency of those who are served what they were.
//
// Where the store is in this process operations hardly overlap: what waits then are requests that have arrived
// and that nobody has looked at yet. All of those are looked at in one turn of the event loop, so whoever is
// looked at late in a long turn has waited for at least as long, and is sent away too. Requests at the
// beginning of a turn are always served: there is no state in which nobody is.

export interface AdmissionOptions {
  /** How many may be under way. */
  readonly most: number
  /** How many may wait for that. */
  readonly mostWaiting?: number
  readonly mostWaitMs?: number
  /** For how long of one turn of the event loop requests are let in. */
  readonly mostTurnMs?: number
}

interface Waiting {
  readonly admit: (admitted: boolean) => void
  readonly timer: NodeJS.Timeout
}

export class Admission {
  readonly #most: number
  readonly #mostWaiting: number
  readonly #mostWaitMs: number
  readonly #mostTurnMs: number
  readonly #waiting = new Set<Waiting>()
  #underWay = 0
  #turnBeganMs: number | undefined

  constructor({ most, mostWaiting = most, mostWaitMs = 1000, mostTurnMs = 500 }: AdmissionOptions) {
    this.#most = most
    this.#mostWaiting = mostWaiting
    this.#mostWaitMs = mostWaitMs
    this.#mostTurnMs = mostTurnMs
  }

  get underWay(): number {
    return this.#underWay
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Does the work, now or after a moment, or refuses it. What comes from a socket may have waited there for long. */
  async within<T>(work: () => Promise<T>, refuse: () => T, fromSocket: boolean): Promise<T> {
    const entered = this.enter(fromSocket)
    if (entered !== true && !(await entered)) return refuse()
    try {
      return await work()
    } finally {
      this.leave()
    }
  }

  /** Whether this one may go on, now or after a moment; whoever may has to leave in the end. */
  enter(fromSocket: boolean): boolean | Promise<boolean> {
    if (fromSocket && this.#isLongTurn()) return false
    if (this.#underWay < this.#most) {
      this.#underWay++
      return true
    }
    return this.#waiting.size < this.#mostWaiting && this.#wait()
  }

  leave(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#underWay--
      return
    }
    // Its place is taken over.
    this.#waiting.delete(next)
    clearTimeout(next.timer)
    next.admit(true)
  }

  #wait(): Promise<boolean> {
    const { promise, resolve: admit } = Promise.withResolvers<boolean>()
    const waiting: Waiting = {
      admit,
      timer: setTimeout(() => {
        this.#waiting.delete(waiting)
        admit(false)
      }, this.#mostWaitMs),
    }
    this.#waiting.add(waiting)
    return promise
  }

  #isLongTurn(): boolean {
    const nowMs = performance.now()
    if (this.#turnBeganMs === undefined) {
      this.#turnBeganMs = nowMs
      // Comes when everything that had arrived has been looked at.
      setImmediate(() => (this.#turnBeganMs = undefined))
    }
    return nowMs - this.#turnBeganMs > this.#mostTurnMs
  }
}
