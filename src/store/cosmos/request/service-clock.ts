// The clock of the service, from the Date header of its responses. The header has whole seconds and the response took a
// while to arrive, so the difference to our clock is known as an interval, which every consistent response may narrow.

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
  readonly #now: () => number
  #observations: Observation[] = []

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Adds the Date header of a response whose request was sent, and which was received, at these times of our clock. */
  observe(date: string | undefined, sentAt: number, receivedAt: number): void {
    const second = date === undefined ? Number.NaN : Date.parse(date)
    if (Number.isNaN(second)) return
    const observed = { at: receivedAt, min: second - receivedAt, max: second + 1000 - sentAt }
    const consistent = this.#observations.filter(({ at, min, max }) => at > receivedAt - maxAgeMs && min <= observed.max && max >= observed.min)
    // There are thousands of responses, and only those that narrow the interval are worth keeping.
    const narrows = consistent.length === 0 || observed.min > Math.max(...consistent.map(({ min }) => min)) || observed.max < Math.min(...consistent.map(({ max }) => max))
    this.#observations = narrows ? bounding([...consistent, observed]) : consistent
  }

  get moment(): Moment {
    const now = this.#now()
    if (this.#observations.length === 0) return { earliest: now - 60_000, latest: now + 60_000 }
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
