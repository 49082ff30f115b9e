// Limits how many operations run at once. Some more may wait for a second; all others are refused at once, which costs
// next to nothing and keeps memory and latency steady for the operations that run. Expensive ones have at most half of the places, so
// that light ones find one, and wait in a line of their own (fair-queue.ts). An operation that need
// not wait while nothing else runs counts as light, whatever it costs: to ask would take time.
//
// With a store in this process, operations hardly overlap and the processor is the limit. In one turn of the event loop
// Node reads every socket that has data, but accepts only one new connection. If one turn ran everything that waits, new
// connections (health probes among them) would be accepted one per long turn and wait for minutes. So operations start
// only during a slice of a few milliseconds per turn; the rest wait here, where they are counted, for later turns. Events of
// subscriptions take their turns in the same slices: one change may concern a thousand subscriptions.

import { setTimeout as pause } from 'node:timers/promises'
import { whenReady, type MaybePromise } from '../../store/maybe-promise.ts'
import { FairQueue, type CostClass } from './fair-queue.ts'

export interface AdmissionOptions<Asked> {
  readonly maxRunning: number
  readonly maxWaiting?: number
  readonly maxWaitMs?: number
  /** For how long in one turn of the event loop operations may start. */
  readonly sliceMs?: number
  /** Whether what is asked is known to cost little. */
  readonly isLight?: (asked: Asked) => boolean
}

/** How often to look whether operations still run. */
const drainPollMs = 10

/** How many waiting operations may start in one turn of the event loop. */
const maxSteps = 100

export class Admission<Asked = unknown> {
  readonly #maxRunning: number
  readonly #maxExpensive: number
  readonly #sliceMs: number
  readonly #isLight: (asked: Asked) => boolean
  readonly #waiting: FairQueue
  /** Events of subscriptions that wait, in order. */
  readonly #events: (() => void)[] = []
  #isEventNext = true
  #running = 0
  /** Those of them that are expensive. */
  #expensive = 0
  #sliceBeganMs = -Infinity
  /** Whether the slice began in this turn of the event loop. */
  #isInTurn = false
  /** How many starts are scheduled for this turn or the next. */
  #steps = 0

  constructor({ maxRunning, maxWaiting = 4 * maxRunning, maxWaitMs = 1000, sliceMs = 2, isLight = () => true }: AdmissionOptions<Asked>) {
    this.#maxRunning = maxRunning
    this.#maxExpensive = Math.ceil(maxRunning / 2)
    this.#sliceMs = sliceMs
    this.#isLight = isLight
    this.#waiting = new FairQueue({ maxWaiting, maxWaitMs })
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting.size + this.#events.length
  }

  /** Does the work, now or after waiting, or refuses it. Slices apply only to requests from a socket. */
  within<T>(work: () => MaybePromise<T>, refuse: () => T, fromSocket: boolean, asked: Asked): MaybePromise<T> {
    if (this.#running === 0 && this.waiting === 0 && !(fromSocket && this.#isSliceOver())) {
      this.#begin('light')
      return this.#work(work, 'light')
    }
    const costClass = this.#isLight(asked) ? 'light' : 'expensive'
    return whenReady(this.enter(fromSocket, costClass), (entered) => (entered ? this.#work(work, costClass) : refuse()))
  }

  /**
   * Does the work of an event in its turn, which it takes alternately with the operations that wait. It is never refused: there are
   * at most as many as subscriptions, and a subscriber that waits is told of the latest state of each document.
   */
  async withinTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#maxRunning || this.waiting > 0 || this.#isSliceOver()) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#events.push(resolve)
      this.#serveNextTurn()
      await promise
    } else this.#running++
    try {
      return await work()
    } finally {
      this.leave()
    }
  }

  #work<T>(work: () => MaybePromise<T>, costClass: CostClass): MaybePromise<T> {
    const sinceMs = this.#waiting.areBothWaiting ? performance.now() : undefined
    let answer: MaybePromise<T> | undefined
    try {
      return (answer = work())
    } finally {
      if (sinceMs !== undefined) this.#waiting.held(costClass, performance.now() - sinceMs)
      if (answer instanceof Promise) answer.then(() => this.leave(costClass), () => this.leave(costClass))
      else this.leave(costClass)
    }
  }

  /** Whether the operation may run, now or after waiting. If true, call `leave` when it ends. */
  enter(fromSocket: boolean, costClass: CostClass = 'light'): boolean | Promise<boolean> {
    const hasRoom = this.#hasRoom(costClass)
    if (hasRoom && this.#events.length + this.#waiting.before(costClass) === 0 && !(fromSocket && this.#isSliceOver())) {
      this.#begin(costClass)
      return true
    }
    if (this.#waiting.isFull(costClass)) return false
    const waiting = this.#waiting.join(costClass)
    if (hasRoom) this.#serveNextTurn()
    return waiting
  }

  leave(costClass: CostClass = 'light'): void {
    this.#running--
    if (costClass === 'expensive') this.#expensive--
    if (!this.#hasNext()) return
    if (this.#isSliceOver()) this.#serveNextTurn()
    else this.#admitFirst()
  }

  /** Waits until nothing runs, but not for longer than given. */
  async drain(maxMs: number): Promise<void> {
    for (const untilMs = performance.now() + maxMs; this.#running + this.waiting > 0 && performance.now() < untilMs;) await pause(drainPollMs)
  }

  #hasRoom(costClass: CostClass): boolean {
    return this.#running < this.#maxRunning && (costClass === 'light' || this.#expensive < this.#maxExpensive)
  }

  #begin(costClass: CostClass): void {
    this.#running++
    if (costClass === 'expensive') this.#expensive++
  }

  /** Whether one that waits may run. */
  #hasNext(): boolean {
    return this.#hasRoom('light') && (this.#events.length > 0 || this.#waiting.hasNext(this.#hasRoom('expensive')))
  }

  #admitFirst(): void {
    if (!this.#hasNext()) return
    const mayBeExpensive = this.#hasRoom('expensive')
    const event = this.#isEventNext || !this.#waiting.hasNext(mayBeExpensive) ? this.#events.shift() : undefined
    this.#isEventNext = event === undefined
    if (event) {
      this.#begin('light')
      return event()
    }
    const next = this.#waiting.shift(mayBeExpensive)
    if (!next) return
    this.#begin(next.costClass)
    next.admit(true)
  }

  /** One immediate per operation, so that each runs until it first waits before the next one starts. */
  #serveNextTurn(): void {
    if (this.#steps > 0) return
    this.#steps = Math.min(this.waiting, maxSteps)
    setImmediate(() => this.#beginSlice(performance.now()))
    for (let step = 0; step < this.#steps; step++) setImmediate(() => this.#step())
  }

  #step(): void {
    if (!this.#isSliceOver()) this.#admitFirst()
    if (--this.#steps === 0 && this.#hasNext()) this.#serveNextTurn()
  }

  /** An old slice says nothing of this turn, so a new one begins: idle turns cost nothing, and one operation of many busy ones sets an immediate. */
  #isSliceOver(): boolean {
    const nowMs = performance.now()
    if (nowMs - this.#sliceBeganMs <= this.#sliceMs) return false
    if (this.#isInTurn) return true
    this.#beginSlice(nowMs)
    return false
  }

  #beginSlice(nowMs: number): void {
    this.#sliceBeganMs = nowMs
    this.#isInTurn = true
    setImmediate(() => (this.#isInTurn = false))
  }
}
