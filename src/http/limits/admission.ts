// How many operations are under way at once, who waits for that, and who is sent away. Whoever has waited for a
// second, or finds too many waiting already, is told at once to come again: that costs next to nothing, and keeps
// memory and latency of those who are served what they were.
//
// Where the store is in this process operations hardly overlap, and the processor is the limit. Node looks at all
// sockets that have something to say in one turn of the event loop, and takes one new connection in each. If
// everything were done at once, a turn would take as long as everything that waits, and new connections, probes
// among them, would come in by one each time: those would wait for minutes. So a turn does as much as fits into a
// few milliseconds, and the rest waits here, where it can be counted, for the turns after it.

import { whenReady, type MaybePromise } from '../../store/maybe-promise.ts'

export interface AdmissionOptions {
  /** How many may be under way. */
  readonly most: number
  /** How many may wait for that. */
  readonly mostWaiting?: number
  readonly mostWaitMs?: number
  /** For how long of one turn of the event loop operations are begun. */
  readonly sliceMs?: number
}

interface Waiting {
  readonly admit: (admitted: boolean) => void
  readonly timer: NodeJS.Timeout
}

/** How many of those who wait may have their turn in one of the event loop. */
const mostSteps = 100

export class Admission {
  readonly #most: number
  readonly #mostWaiting: number
  readonly #mostWaitMs: number
  readonly #sliceMs: number
  readonly #waiting = new Set<Waiting>()
  #underWay = 0
  #sliceBeganMs = 0
  /** How many of those who wait will have their turn in this one or the next. */
  #steps = 0

  constructor({ most, mostWaiting = 4 * most, mostWaitMs = 1000, sliceMs = 2 }: AdmissionOptions) {
    this.#most = most
    this.#mostWaiting = mostWaiting
    this.#mostWaitMs = mostWaitMs
    this.#sliceMs = sliceMs
  }

  get underWay(): number {
    return this.#underWay
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Does the work, now or after a moment, or refuses it. Only what comes from a socket has to leave others their turn. */
  within<T>(work: () => MaybePromise<T>, refuse: () => T, fromSocket: boolean): MaybePromise<T> {
    return whenReady(this.enter(fromSocket), (entered) => (entered ? this.#work(work) : refuse()))
  }

  #work<T>(work: () => MaybePromise<T>): MaybePromise<T> {
    let answer: MaybePromise<T> | undefined
    try {
      return (answer = work())
    } finally {
      if (answer instanceof Promise) answer.then(() => this.leave(), () => this.leave())
      else this.leave()
    }
  }

  /** Whether this one may go on, now or after a moment; whoever may has to leave in the end. */
  enter(fromSocket: boolean): boolean | Promise<boolean> {
    const hasRoom = this.#underWay < this.#most
    if (hasRoom && this.#waiting.size === 0 && !(fromSocket && this.#isSliceOver())) {
      this.#underWay++
      return true
    }
    if (this.#waiting.size >= this.#mostWaiting) return false
    const waiting = this.#wait()
    if (hasRoom) this.#serveNextTurn()
    return waiting
  }

  leave(): void {
    this.#underWay--
    if (this.#waiting.size === 0) return
    if (this.#isSliceOver()) this.#serveNextTurn()
    else this.#admitFirst()
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

  #admitFirst(): void {
    const [first] = this.#waiting
    if (!first || this.#underWay >= this.#most) return
    this.#waiting.delete(first)
    clearTimeout(first.timer)
    this.#underWay++
    first.admit(true)
  }

  /** Each has a step of its own: what one does until it has to wait for something is done before the next. */
  #serveNextTurn(): void {
    if (this.#steps > 0) return
    this.#steps = Math.min(this.#waiting.size, mostSteps)
    setImmediate(() => (this.#sliceBeganMs = performance.now()))
    for (let step = 0; step < this.#steps; step++) setImmediate(() => this.#step())
  }

  #step(): void {
    if (!this.#isSliceOver()) this.#admitFirst()
    if (--this.#steps === 0 && this.#waiting.size > 0 && this.#underWay < this.#most) this.#serveNextTurn()
  }

  /** A slice begins in the turn after the one that was over: whoever comes first then waits for that, and nobody has to look at every turn. */
  #isSliceOver(): boolean {
    return performance.now() - this.#sliceBeganMs > this.#sliceMs
  }
}
