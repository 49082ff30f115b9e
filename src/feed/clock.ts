// The time that followers of the change feed wait by. Tests have their own.

export interface Clock {
  now(): number
  /** Calls once that much time has passed, unless it is cancelled with the returned function. */
  after(ms: number, call: () => void): () => void
}

/** Its timers keep no process alive. */
export const processClock: Clock = {
  now: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
