// The clock of the service, from the Date header of its responses. The header has whole seconds and the response took a
// while to arrive, so the difference to our clock is known as an interval, which every consistent response may narrow.

import { steadyClock, type SteadyClock } from '../../timing/steady-clock.ts'
import type { Moment } from '../../store.ts'

/** Machines of the service may differ by some milliseconds, and replicas may be that late. */
const skewMs = 500
/** Older observations are dropped, since clocks drift. */
const maxAgeMs = 60_000

interface Observation {
  readonly at: number
  /** Bounds of the service's clock minus ours. */
  readonly min: number
  readonly max: number
}

export class ServiceClock {
  readonly #clock: SteadyClock
  #observations: Observation[] = []
  #jumps: number

  constructor(clock: SteadyClock = steadyClock) {
    this.#clock = clock
    this.#jumps = clock.jumps
  }

  /** Our clock. */
  now(): number {
    const now = this.#clock.now()
    // What was observed before a jump says nothing any more.
    if (this.#jumps !== this.#clock.jumps) this.#observations = []
    this.#jumps = this.#clock.jumps
    return now
  }

  /** Adds the Date header of a response that has just arrived, and whose request was sent at this time of our clock. */
  observe(date: string | undefined, sentAt: number): void {
    const receivedAt = this.now()
    const second = date === undefined ? Number.NaN : Date.parse(date)
    if (Number.isNaN(second)) return
    const observed = { at: receivedAt, min: second - receivedAt, max: second + 1000 - sentAt }
    const consistent = this.#observations.filter(({ at, min, max }) => at > receivedAt - maxAgeMs && min <= observed.max && max >= observed.min)
    // There are thousands of responses, and only those that narrow the interval are worth keeping.
    const narrows = consistent.length === 0 || observed.min > Math.max(...consistent.map(({ min }) => min)) || observed.max < Math.min(...consistent.map(({ max }) => max))
    this.#observations = narrows ? bounding([...consistent, observed]) : consistent
  }

  /** Undefined until the service has answered. */
  get known(): Moment | undefined {
    const now = this.now()
    return this.#observations.length === 0 ? undefined : this.#at(now)
  }

  /** A guess until the service has answered. */
  get moment(): Moment {
    const now = this.now()
    return this.known ?? { earliest: now - 60_000, latest: now + 60_000 }
  }

  #at(now: number): Moment {
    return {
      earliest: now + Math.max(...this.#observations.map(({ min }) => min)) - skewMs,
      latest: now + Math.min(...this.#observations.map(({ max }) => max)) + skewMs,
    }
  }
}

/** The two that bound the interval, and the latest ones, which bound it when those two have expired. */
function bounding(all: readonly Observation[]): Observation[] {
  return [...new Set([largest(all, ({ min }) => min), largest(all, ({ max }) => -max), ...all.slice(-14)])]
}

function largest(all: readonly Observation[], value: (observation: Observation) => number): Observation {
  return all.reduce((first, each) => (value(each) > value(first) ? each : first))
}
