// Milliseconds that measure how long ago something was: those of the machine's clock when the process began, and from then on
// they never fall, whatever that clock is set to. They include the time for which the machine slept, which a monotonic clock
// leaves out. No order of events is ever read from them.

/** Differences below this are drift, and two clocks that are not read at the same instant. */
const maxDriftMs = 100

export interface SteadyClock {
  readonly now: () => number
  /** How often the clock of the machine ran ahead of the monotonic one: it was set, or the machine slept. */
  readonly jumps: number
}

export function createSteadyClock(monotonicMs = (): number => performance.now(), wallMs: () => number = Date.now): SteadyClock {
  const begun = wallMs() - monotonicMs()
  let aheadMs = 0
  let jumps = 0
  return {
    now() {
      // The wall clock first: a pause between the two readings must not look like a jump.
      const wall = wallMs()
      const monotonic = monotonicMs()
      const ahead = wall - monotonic - begun
      if (ahead > aheadMs + maxDriftMs) {
        aheadMs = ahead
        jumps++
      }
      return begun + monotonic + aheadMs
    },
    get jumps() {
      return jumps
    },
  }
}

/** The clock of this process. */
export const steadyClock: SteadyClock = createSteadyClock()
