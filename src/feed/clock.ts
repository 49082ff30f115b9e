// The time that followers of the change feed wait by, and by which they say how old snapshots are. Tests have their own.

import { steadyClock } from '../store/timing/steady-clock.ts'

export interface Clock {
  /** Never falls. */
  now(): number
  /** Calls once that much time has passed, unless it is cancelled with the returned function. */
  after(ms: number, call: () => void): () => void
}

/** Its timers keep no process alive. */
export const processClock: Clock = {
  now: () => steadyClock.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
