// Limits how many operations run at once. Some more may wait for a second; all others are refused at once, which costs
// next to nothing and keeps memory and latency steady for the operations that run.
//
// With a store in this process, operations hardly overlap and the processor is the limit. In one turn of the event loop
// Node reads every socket that has data, but accepts only one new connection. If one turn ran everything that waits, new
// connections (health probes among them) would be accepted one per long turn and wait for minutes. So operations start
// only during a slice of a few milliseconds per turn; the rest wait here, where they are counted, for later turns.
//
// A thousand clients with light reads all wait here most of the time, so waiting has to cost next to nothing: one timer serves
// all that wait, because the first to come is the first to be overdue.

import { setTimeout as pause } from 'node:timers/promises'
import { whenReady, type MaybePromise } from '../../store/maybe-promise.ts'

export interface AdmissionOptions {
  readonly maxRunning: number
  readonly maxWaiting?: number
  readonly maxWaitMs?: number
  /** For how long in one turn of the event loop operations may start. */
  readonly sliceMs?: number
}

interface Waiting {
  readonly admit: (admitted: boolean) => void
  /** By the clock of the admission, and by that of the process. */
  readonly sinceMs: number
  readonly enteredMs: number
}

/** How often to look who is overdue while some wait. A look that is later than half of this shows that the process stood still. */
const lookEveryMs = 100

/** How many places at the front of the queue may be empty. */
const maxEmptied = 1000

/** How often to look whether operations still run. */
const drainPollMs = 10

/** How many waiting operations may start in one turn of the event loop. */
const maxSteps = 100

export class Admission {
  readonly #maxRunning: number
  readonly #maxWaiting: number
  readonly #maxWaitMs: number
  readonly #sliceMs: number
  /** Those before `#first` have left. */
  #queue: (Waiting | undefined)[] = []
  #first = 0
  #isWatching = false
  /** Time in which nobody could be served, because the machine was busy or memory was collected. It does not count as waiting. */
  #stoodStillMs = 0
  #running = 0
  #sliceBeganMs = -Infinity
  /** Whether the slice began in this turn of the event loop. */
  #isInTurn = false
  /** How many starts are scheduled for this turn or the next. */
  #steps = 0

  constructor({ maxRunning, maxWaiting = 4 * maxRunning, maxWaitMs = 1000, sliceMs = 2 }: AdmissionOptions) {
    this.#maxRunning = maxRunning
    this.#maxWaiting = maxWaiting
    this.#maxWaitMs = maxWaitMs
    this.#sliceMs = sliceMs
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#queue.length - this.#first
  }

  /** Does the work, now or after waiting, or refuses it. Slices apply only to requests from a socket. */
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

  /** Whether the operation may run, now or after waiting. If true, call `leave` when it ends. */
  enter(fromSocket: boolean): boolean | Promise<boolean> {
    const hasRoom = this.#running < this.#maxRunning
    if (hasRoom && this.waiting === 0 && !(fromSocket && this.#isSliceOver())) {
      this.#running++
      return true
    }
    if (this.waiting >= this.#maxWaiting) return false
    const waiting = this.#wait()
    if (hasRoom) this.#serveNextTurn()
    return waiting
  }

  leave(): void {
    this.#running--
    if (this.waiting === 0) return
    if (this.#isSliceOver()) this.#serveNextTurn()
    else this.#admitFirst()
  }

  #wait(): Promise<boolean> {
    const { promise, resolve: admit } = Promise.withResolvers<boolean>()
    const enteredMs = performance.now()
    this.#queue.push({ admit, sinceMs: enteredMs - this.#stoodStillMs, enteredMs })
    if (!this.#isWatching) this.#watch(this.#maxWaitMs)
    return promise
  }

  #watch(leftMs: number): void {
    this.#isWatching = true
    const ms = Math.min(leftMs, lookEveryMs)
    const dueMs = performance.now() + ms
    setTimeout(() => this.#look(dueMs), ms).unref()
  }

  #look(dueMs: number): void {
    const lateMs = performance.now() - dueMs
    if (lateMs > lookEveryMs / 2) this.#stoodStillMs += lateMs
    const leftMs = this.#refuseOverdue(performance.now())
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
      this.#shift()!.admit(false)
    }
    return undefined
  }

  #shift(): Waiting | undefined {
    const next = this.#queue[this.#first]
    if (!next) return undefined
    this.#queue[this.#first++] = undefined
    if (this.#first === this.#queue.length) [this.#queue, this.#first] = [[], 0]
    else if (this.#first >= maxEmptied) [this.#queue, this.#first] = [this.#queue.slice(this.#first), 0]
    return next
  }

  /** Waits until nothing runs, but not for longer than given. */
  async drain(maxMs: number): Promise<void> {
    for (const untilMs = performance.now() + maxMs; this.#running + this.waiting > 0 && performance.now() < untilMs;) await pause(drainPollMs)
  }

  #admitFirst(): void {
    if (this.#running >= this.#maxRunning) return
    const next = this.#shift()
    if (!next) return
    this.#running++
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
    if (--this.#steps === 0 && this.waiting > 0 && this.#running < this.#maxRunning) this.#serveNextTurn()
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
