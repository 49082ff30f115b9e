// What a gateway takes from its machine beside the network and the disk: the time, timers and chance. Everything that decides
// by them is handed a clock, so that a simulation can run many gateways, each with a clock of its own, and repeat a run.

import { setTimeout as pause } from 'node:timers/promises'

export interface Clock {
  /** Milliseconds that only pass, for durations. */
  now(): number
  /** Milliseconds since 1970, as this machine believes. Machines differ, and this may jump. */
  wallMs(): number
  /** Calls once that much time has passed, unless it is cancelled with the returned function. The process may end before, unless it `keepsAlive`. */
  after(ms: number, call: () => void, keepsAlive?: boolean): () => void
  /** Resolves once that much time has passed. */
  pause(ms: number): Promise<void>
  /** From 0 up to 1. */
  random(): number
}

export const processClock: Clock = {
  now: () => performance.now(),
  wallMs: () => Date.now(),
  after(ms, call, keepsAlive = false) {
    const timer = setTimeout(call, ms)
    if (!keepsAlive) timer.unref()
    return () => clearTimeout(timer)
  },
  pause: (ms) => pause(ms),
  random: () => Math.random(),
}
