// The service's clock, from the Date header of its answers. That says whole seconds, and the answer
// was under way for a while, so what is known is an interval; every answer that agrees narrows it.

import type { Moment } from '../../store.ts'

/** Machines of the service need not agree to the millisecond, and neither need replicas be that quick. */
const skewMs = 500
/** What was heard longer ago says little: clocks drift. */
const memoryMs = 60_000

const best = (some: readonly Heard[], value: (heard: Heard) => number): Heard => some.reduce((first, each) => (value(each) > value(first) ? each : first))

/** The two that bound the interval, and some that would if those were forgotten. */
function bounding(all: readonly Heard[]): Heard[] {
  return [...new Set([best(all, ({ least }) => least), best(all, ({ most }) => -most), ...all.slice(-14)])]
}

interface Heard {
  readonly at: number
  /** The service's clock less ours, at least and at most. */
  readonly least: number
  readonly most: number
}

export class Clock {
  readonly #now: () => number
  #heard: Heard[] = []

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** An answer to what was sent and received at these moments of our clock. */
  heard(date: string | undefined, sentAt: number, receivedAt: number): void {
    const second = date === undefined ? Number.NaN : Date.parse(date)
    if (Number.isNaN(second)) return
    const heard = { at: receivedAt, least: second - receivedAt, most: second + 1000 - sentAt }
    const agreeing = this.#heard.filter(({ at, least, most }) => at > receivedAt - memoryMs && least <= heard.most && most >= heard.least)
    // Answers come by the thousand, and only those that narrow the interval are worth keeping.
    const narrows = agreeing.length === 0 || heard.least > Math.max(...agreeing.map(({ least }) => least)) || heard.most < Math.min(...agreeing.map(({ most }) => most))
    this.#heard = narrows ? bounding([...agreeing, heard]) : agreeing
  }

  get moment(): Moment {
    const now = this.#now()
    if (this.#heard.length === 0) return { earliest: now - 60_000, latest: now + 60_000 }
    return {
      earliest: now + Math.max(...this.#heard.map(({ least }) => least)) - skewMs,
      latest: now + Math.min(...this.#heard.map(({ most }) => most)) + skewMs,
    }
  }
}
