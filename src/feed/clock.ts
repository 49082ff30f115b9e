// The time that followers of the change feed wait by, and by which they say how old snapshots are. Tests have their own.

import { processClock as machineClock, type Clock } from '../clock.ts'
import { steadyClock } from '../store/timing/steady-clock.ts'

export type { Clock }

/** Its time includes that for which the machine slept. */
export const processClock: Clock = { ...machineClock, now: steadyClock.now }
