// What a piece of work is done for: one operation of one request, how long it may take, and whether anybody
// still waits for it. It travels beside the work in async context, so that whoever is about to ask the store
// can look whether that is still wanted, and whoever comes upon an error knows whose it was.
//
// Time ends an operationContext only as long as nothing of it is written. From the moment a write begins it is answered
// for: the write is waited for, and what its answer shows is read, late or not. Only the next write is refused.

import { AsyncLocalStorage } from 'node:async_hooks'
import { ToldError } from '../errors.ts'
import type { Deadlines } from './deadlines.ts'
import type { MaybePromise } from './maybe-promise.ts'

export interface OperationContextOptions {
  /** The request, as logs name it. */
  readonly id: string
  /** How long it may take; as long as it likes where nobody says. */
  readonly deadlines?: Deadlines
  /** Whether whoever asked has hung up; nobody is asked that where it makes no difference. */
  readonly isGone?: (() => boolean) | undefined
}

export class OperationContext {
  readonly id: string
  readonly #deadlines: Deadlines | undefined
  #untilMs: number
  readonly #isGone: (() => boolean) | undefined
  #over: Error | undefined
  #isLate = false
  #writing: 'not yet' | 'begun' | 'done' = 'not yet'
  #reject: ((error: Error) => void) | undefined

  constructor({ id, deadlines, isGone }: OperationContextOptions) {
    this.id = id
    this.#deadlines = deadlines
    this.#untilMs = deadlines ? performance.now() + deadlines.ms : Infinity
    this.#isGone = isGone
  }

  /** Runs the work as part of this operationContext. When the time is over it fails, whatever the work is waiting for. */
  run<T>(work: () => Promise<T>): Promise<T>
  run<T>(work: () => MaybePromise<T>): MaybePromise<T>
  run<T>(work: () => MaybePromise<T>): MaybePromise<T> {
    if (this.#over) return Promise.reject(this.#over)
    try {
      const answer = current.run(this, work)
      // Time is over between turns, and what is there at once has taken none.
      return answer instanceof Promise ? this.#inTime(answer) : answer
    } catch (error) {
      return Promise.reject(error)
    }
  }

  #inTime<T>(answer: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#reject = reject
      this.#deadlines?.add(this)
      // By hand: every request comes here, and each promise more is time.
      const end = (): void => this.#deadlines?.delete(this)
      answer.then(
        (answered) => {
          end()
          return resolve(answered)
        },
        (error: Error) => {
          end()
          return reject(error)
        },
      )
    })
  }

  /** Runs the work as part of this operationContext, however long it takes. */
  enter<T>(work: () => T): T {
    return current.run(this, work)
  }

  /** Before the store is asked: throws when nobody needs the answer any more. */
  check(): void {
    if (!this.#over && this.#writing === 'not yet' && this.#isGone?.()) this.#over = new HungUpError('Whoever asked has hung up.')
    if (this.#over) throw this.#over
  }

  get untilMs(): number {
    return this.#untilMs
  }

  /** How long a call of the store may still take. What a write has to wait for is not in a hurry any more. */
  get leftMs(): number {
    return this.#writing === 'not yet' ? Math.max(0, this.#untilMs - performance.now()) : Infinity
  }

  /** The last moment at which time can stop a write: from here on it is made. */
  beginWrite(): void {
    this.check()
    if (this.#isLate) throw this.#tooLate(false)
    if (this.#writing === 'not yet') this.#writing = 'begun'
  }

  /** It has been made, or nothing of it was: then time counts again. */
  endWrite(made: boolean): void {
    if (made) this.#writing = 'done'
    else if (this.#writing === 'begun') {
      this.#writing = 'not yet'
      if (this.#isLate) this.#end(this.#tooLate(false))
    }
  }

  /** Its time is over, which only its deadlines say. */
  expire(): void {
    if (this.#writing === 'not yet') return this.#end(this.#tooLate(false))
    if (this.#isLate && this.#writing === 'done') return this.#end(this.#tooLate(true))
    // As long again for what its answer shows, and then whoever waits is told that it was written.
    this.#isLate = true
    this.#untilMs = performance.now() + this.#deadlines!.ms
    this.#deadlines!.add(this)
  }

  #tooLate(written: boolean): DeadlineError {
    const { ms } = this.#deadlines!
    return new DeadlineError(written ? 2 * ms : ms, written)
  }

  #end(over: Error): void {
    this.#over ??= over
    this.#reject?.(this.#over)
  }
}

const current = new AsyncLocalStorage<OperationContext | undefined>()

/** The operationContext that the running code is part of. */
export function currentOperation(): OperationContext | undefined {
  return current.getStore()
}

/** Runs what serves everybody and must not end with the one who happened to need it first. */
export function outsideOperations<T>(work: () => T): T {
  return current.run(undefined, work)
}

/** An operation has taken longer than it may. */
export class DeadlineError extends ToldError {
  override readonly name = 'DeadlineError'
  override readonly code = 'DEADLINE_EXCEEDED'

  constructor(deadlineMs: number, written: boolean) {
    super(written ? `It was written, and what is selected of it could not be read within ${deadlineMs} ms.` : `This took longer than ${deadlineMs} ms and was stopped before it wrote anything. Ask for less at a time, or try again.`)
  }
}

/** Nobody sees this one: whoever asked is gone. */
export class HungUpError extends Error {
  override readonly name = 'HungUpError'
}
