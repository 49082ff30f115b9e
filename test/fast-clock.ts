// Clocks for tests of gateways and commands that wait for each other.

import { processClock, type Clock } from '../src/clock.ts'

/** Time that passes faster, for gateways and migrations that wait for each other. Requests over a socket take their time. */
export function fastClock(store: string): Clock {
  const speed = store === 'cosmos' ? 3 : 10
  return {
    ...processClock,
    now: () => processClock.now() * speed,
    after: (ms, call, keepsAlive) => processClock.after(ms / speed, call, keepsAlive),
    pause: (ms) => processClock.pause(ms / speed),
  }
}

/** Timers that fire early while deadlines are as long as ever: a gateway looks often whether it is asked, and answers soon. */
export const earlyTimers: Clock = { ...processClock, after: (ms, call, keepsAlive) => processClock.after(ms / 50, call, keepsAlive) }
