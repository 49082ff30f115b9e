// Sends the reads of one request in waves. The scheduler holds every read back until no resolver can run
// without an answer, then sends all of them at once, and sends the next wave only when the last answer
// of this one is in.
//
// Why hold back at all? A read becomes known when a resolver runs, and the resolvers of one level run
// in many small steps of the microtask queue. `process.nextTick`, queued from inside a microtask,
// runs when that queue is empty: by then, every read that needs no answer is known. A compiled plan needs no
// such trick: when its code returns, it has asked for everything that it can ask for, and the wave is sent at once.
// A store in this process answers at once as well, so a whole operation may run without a single promise.
//
// Why wait for the whole wave? Reads of the next level that come from a fast answer and from a slow
// one often need the same documents. Waiting batches them, so the number of round trips depends on
// the operation and not on timing. The price is that the slowest answer of a wave delays the next
// wave; the gain is that waves, and their cost, can be predicted.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { currentOperation } from '../store/operation-context.ts'
import { Pending, type MaybePending, type MaybePromise } from '../store/maybe-promise.ts'

/** Makes its call, and returns what passes on an answer that was there at once. */
type Send = () => (() => void) | undefined

/** How many calls are made, or answers passed on, in one turn of the event loop. Without batches a wave may have a hundred thousand. */
export const callsPerTurn = 1000

export class WaveScheduler {
  #waiting: Send[] = []
  #underway = 0
  #scheduled = false
  /** Whether code is running that sends its own waves. */
  #held = false
  #wave = 0
  #waits = 0

  /** The last wave that was sent, counted from 1. */
  get wave(): number {
    return this.#wave
  }

  /** How often an answer had to be waited for. */
  get waits(): number {
    return this.#waits
  }

  /** Counts a call that is not scheduled, as those of a write are not, as a wave of its own. */
  countWave(): number {
    return ++this.#wave
  }

  /** Makes a call with the next wave. The wave after it waits for its answer. */
  send<T>(call: () => MaybePromise<T>): Pending<T> {
    const answer = new Pending<T>()
    this.#waiting.push(() => {
      let answered: MaybePromise<T>
      try {
        // Between waves: a cancelled operation reads nothing more.
        currentOperation()?.check()
        answered = call()
      } catch (error) {
        return () => answer.reject(error)
      }
      if (!(answered instanceof Promise)) return () => answer.resolve(answered)
      void this.#delayNextUntil(answered).then((value) => answer.resolve(value), (error: unknown) => answer.reject(error))
      return undefined
    })
    this.#sendWhenIdle()
    return answer
  }

  /** Makes a call that is a wave by itself: it need not wait until the others of its wave are known. */
  sendAlone<T>(call: () => MaybePromise<T>): MaybePending<T> {
    currentOperation()?.check()
    this.#wave++
    const answered = call()
    if (!(answered instanceof Promise)) return answered
    const answer = new Pending<T>()
    void this.#delayNextUntil(answered).then((value) => answer.resolve(value), (error: unknown) => answer.reject(error))
    return answer
  }

  /** Sends no wave before some work has ended, which may ask for more. */
  hold(work: Promise<void>): void {
    void this.#delayNextUntil(work)
  }

  /**
   * Runs code that asks for all it can before it returns, and sends its waves as soon as the last one is answered. A promise
   * as its result means that a resolver of the schema's own is waiting, who may ask for more: then waves are sent when idle.
   */
  run<T>(work: () => MaybePending<T>): MaybePromise<T> {
    this.#held = true
    try {
      const result = work()
      if (!(result instanceof Pending)) return result
      while (!result.isSettled && this.#underway === 0 && this.#waiting.length > 0) this.#send()
      return result.outcome()
    } finally {
      this.#held = false
      this.#sendWhenIdle()
    }
  }

  async #delayNextUntil<T>(call: Promise<T>): Promise<T> {
    this.#underway++
    try {
      return await call
    } finally {
      currentOperation()?.resume()
      this.#waits++
      this.#underway--
      this.#sendWhenIdle()
    }
  }

  #sendWhenIdle(): void {
    if (this.#held || this.#scheduled || this.#underway > 0 || this.#waiting.length === 0) return
    this.#scheduled = true
    void Promise.resolve().then(() => process.nextTick(() => {
      this.#scheduled = false
      if (this.#underway === 0) this.#send()
    }))
  }

  #send(): void {
    this.#wave++
    const wave = this.#waiting
    this.#waiting = []
    if (wave.length > callsPerTurn && !this.#held) void this.#delayNextUntil(sendInTurns(wave))
    // All calls before the first answer: reads that depend on it belong to the next wave.
    else for (const pass of wave.map((send) => send())) pass?.()
  }
}

async function sendInTurns(wave: readonly Send[]): Promise<void> {
  const passes: ReturnType<Send>[] = []
  for (const [at, send] of wave.entries()) {
    if (at > 0 && at % callsPerTurn === 0) await turnOfOthers()
    passes.push(send())
  }
  for (const [at, pass] of passes.entries()) {
    if (at % callsPerTurn === 0) await turnOfOthers()
    pass?.()
  }
}

async function turnOfOthers(): Promise<void> {
  await nextTurn()
  currentOperation()?.resume()
}
