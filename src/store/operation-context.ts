// The state of one operation: the request it belongs to, its deadline, and whether the client is still connected. It
// travels in async context, so that code about to call the store can check whether the result is still wanted, and code
// that meets an error can name the request.
//
// The deadline stops an operation only until its first write begins. From then on the client must learn the outcome: the
// write is awaited, and the answer is read even if it is late. Only the next write is refused.

import { AsyncLocalStorage } from 'node:async_hooks'
import { ClientVisibleError } from '../errors.ts'
import type { Deadlines } from './timing/deadlines.ts'
import { eventLoop, type LoopTask } from './running/loop-watch.ts'
import type { MaybePromise } from './maybe-promise.ts'

export interface OperationContextOptions {
  /** The id of the request in logs. */
  readonly id: string
  /** Its type and name, where it is an operation of a client. */
  readonly task?: LoopTask
  /** Without it, the operation has no deadline. */
  readonly deadlines?: Deadlines
  /** Whether the client has disconnected. Omitted for operations that a disconnect does not cancel. */
  readonly isGone?: (() => boolean) | undefined
}

export class OperationContext {
  readonly id: string
  readonly #task: LoopTask | undefined
  readonly #deadlines: Deadlines | undefined
  #untilMs: number
  readonly #isGone: (() => boolean) | undefined
  /** Why the operation was stopped. */
  #stopped: Error | undefined
  #isLate = false
  #writing: 'not yet' | 'begun' | 'done' = 'not yet'
  #reject: ((error: Error) => void) | undefined

  constructor({ id, task, deadlines, isGone }: OperationContextOptions) {
    this.id = id
    this.#task = task
    this.#deadlines = deadlines
    this.#untilMs = deadlines ? deadlines.clock.now() + deadlines.ms : Infinity
    this.#isGone = isGone
  }

  /** Runs the work in this context. Fails at the deadline, whatever the work is waiting for. */
  run<T>(work: () => Promise<T>): Promise<T>
  run<T>(work: () => MaybePromise<T>): MaybePromise<T>
  run<T>(work: () => MaybePromise<T>): MaybePromise<T> {
    if (this.#stopped) return Promise.reject(this.#stopped)
    this.resume()
    try {
      const answer = current.run(this, work)
      // A synchronous answer cannot be late: the timer fires only between turns of the event loop.
      return answer instanceof Promise ? this.#inTime(answer) : answer
    } catch (error) {
      return Promise.reject(error)
    }
  }

  #inTime<T>(answer: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#stopped) return reject(this.#stopped)
      this.#reject = reject
      this.#deadlines?.add(this)
      // Plain callbacks: every request passes here, and each further promise would cost time.
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

  /** Runs the work in this context without applying the deadline. */
  enter<T>(work: () => T): T {
    return current.run(this, work)
  }

  /** It runs on the event loop from now on. */
  resume(): void {
    if (this.#task) eventLoop.mark(this.#task)
  }

  /** Called before the store is: throws if the operation was stopped or the client has disconnected. */
  check(): void {
    this.resume()
    const reason = this.stopReason()
    if (reason) throw reason
  }

  /** Why its result is not needed any more. */
  stopReason(): Error | undefined {
    if (!this.#stopped && this.#writing === 'not yet' && this.#isGone?.()) this.#stopped = new HungUpError('The client has disconnected.')
    return this.#stopped
  }

  get untilMs(): number {
    return this.#untilMs
  }

  /** How long a store call may still take. Unlimited once a write has begun. */
  get remainingMs(): number {
    return this.#writing === 'not yet' ? Math.max(0, this.#untilMs - (this.#deadlines?.clock.now() ?? 0)) : Infinity
  }

  /** Called just before a write: the last moment at which the deadline can stop it. */
  beginWrite(): void {
    this.check()
    if (this.#isLate) throw this.#tooLate(false)
    if (this.#writing === 'not yet') this.#writing = 'begun'
  }

  /** Called after a write. If nothing was written, the deadline applies again. */
  endWrite(made: boolean): void {
    if (made) this.#writing = 'done'
    else if (this.#writing === 'begun') {
      this.#writing = 'not yet'
      if (this.#isLate) this.#end(this.#tooLate(false))
    }
  }

  /** Ends the operation with this error, whatever it is waiting for. */
  stop(reason: Error): void {
    this.#end(reason)
  }

  /** Whether the operation has written something. */
  get hasWritten(): boolean {
    return this.#writing === 'done'
  }

  /** The store has refused it: nothing more is read for it. A mutation that has begun to write goes on. */
  refuse(reason: Error): void {
    if (this.#writing === 'not yet') this.#end(reason)
  }

  /** Called by `Deadlines` alone, when the time has passed. */
  expire(): void {
    if (this.#writing === 'not yet') return this.#end(this.#tooLate(false))
    if (this.#isLate && this.#writing === 'done') return this.#end(this.#tooLate(true))
    // The answer gets as much time again to be read; then the client is told that the write was made.
    this.#isLate = true
    this.#untilMs = this.#deadlines!.clock.now() + this.#deadlines!.ms
    this.#deadlines!.add(this)
  }

  #tooLate(written: boolean): DeadlineError {
    const { ms } = this.#deadlines!
    return new DeadlineError(written ? 2 * ms : ms, written)
  }

  #end(reason: Error): void {
    this.#stopped ??= reason
    // What it was doing may never end, and would be kept until the deadline.
    this.#deadlines?.delete(this)
    this.#reject?.(this.#stopped)
  }
}

const current = new AsyncLocalStorage<OperationContext | undefined>()

/** The context that the running code belongs to. */
export function currentOperation(): OperationContext | undefined {
  return current.getStore()
}

/** Runs work that serves all operations, and must not stop with the one that happened to need it first. */
export function outsideOperations<T>(work: () => T): T {
  return current.run(undefined, work)
}

/** The operation has exceeded its deadline. */
export class DeadlineError extends ClientVisibleError {
  override readonly name = 'DeadlineError'
  override readonly code = 'DEADLINE_EXCEEDED'

  constructor(deadlineMs: number, written: boolean) {
    super(written ? `The mutation was written, but its answer could not be read within ${deadlineMs} ms. Query the documents instead.` : `Deadline exceeded: this took longer than ${deadlineMs} ms and was stopped before it wrote anything. Ask for less at a time, or try again.`)
  }
}

/** The client has disconnected, so no client sees this error. */
export class HungUpError extends Error {
  override readonly name = 'HungUpError'
}
