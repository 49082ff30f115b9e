// Polls the change feed, at an interval that depends on what it finds. A change of this gateway wakes the loop, and so does the signal
// of another gateway.

import type { ChangeSignal } from './change-signal.ts'
import type { Clock } from '../clock.ts'
import { PollingInterval, type IntervalBounds } from './polling-interval.ts'

export interface PollingWork {
  /** Looks at the feed. Returns whether it found changes. */
  look(): Promise<boolean>
  /** Called between looks that are far apart. */
  rest?(): Promise<void>
}

export interface PollingOptions extends IntervalBounds {
  /** How often it rests, and reads the signal, between looks that are further apart. */
  readonly restMs: number
  readonly signal?: ChangeSignal | undefined
  readonly clock: Clock
}

export class PollingLoop {
  readonly #work: PollingWork
  readonly #options: PollingOptions
  readonly #pace: PollingInterval
  /** The signal before the last look. An older one than necessary causes a look too many, never one too few. */
  #signalled: string | undefined
  #wokenSince = false
  #endPause: (() => void) | undefined

  constructor(work: PollingWork, options: PollingOptions) {
    this.#work = work
    this.#options = options
    this.#pace = new PollingInterval(options, options.clock)
  }

  /** Something has changed, or a reader needs to know: the next look comes after the shortest interval. */
  wake(): void {
    const rested = !this.#pace.isShortest
    // A look under way may have missed it.
    this.#wokenSince = true
    this.#pace.wake()
    if (rested) this.#endPause?.()
  }

  /** Looks if it is time to, or rests. Returns which, and how long to pause before the next step. */
  async step(): Promise<{ readonly looked: boolean; readonly pauseMs: number }> {
    const signalled = await this.#isSignalled()
    const looked = signalled || this.#pace.dueInMs === 0
    if (looked) await this.#look(signalled)
    else await this.#work.rest?.()
    return { looked, pauseMs: Math.min(this.#pace.dueInMs, this.#options.restMs) }
  }

  /** Ends early when it is woken, or at once on stop. */
  async pause(ms: number, stopping: AbortSignal): Promise<void> {
    if (stopping.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = (): void => resolve()
    const cancel = this.#options.clock.after(ms, end)
    this.#endPause = end
    stopping.addEventListener('abort', end, { once: true })
    await promise
    cancel()
    this.#endPause = undefined
    stopping.removeEventListener('abort', end)
  }

  async #look(signalled: boolean): Promise<void> {
    this.#signalled = await this.#options.signal?.latest
    this.#wokenSince = signalled
    // After an error it tries again soon.
    let found = true
    try {
      found = await this.#work.look()
    } finally {
      this.#pace.looked(found || this.#wokenSince)
    }
  }

  async #isSignalled(): Promise<boolean> {
    const { signal } = this.#options
    return signal !== undefined && !this.#pace.isShortest && (await signal.read()) !== this.#signalled
  }
}
