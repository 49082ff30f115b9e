// Virtual time. It passes only when nothing can go on without it, so an hour takes as long as what happens in it, and the order
// of all events follows from the seed alone.

import { setImmediate as turn } from 'node:timers/promises'

interface Event {
  readonly atMs: number
  /** Events of the same time happen in the order in which they were planned. */
  readonly order: number
  readonly call: () => void
  isCancelled: boolean
}

const maxTurns = 1000
/** Several times as many, and as long, as the longest runs. */
const maxEvents = 2_000_000
const maxMs = 1_800_000

/** The work waits for something that will never happen, or goes on for ever. */
export class NeverEnds extends Error {}

export class Scheduler {
  readonly #turns: number
  #nowMs = 0
  #planned = 0
  readonly #events: Event[] = []

  /** Between two events, the event loop turns so often: a store in memory needs one turn, real files some more. */
  constructor(turns = 1) {
    this.#turns = turns
  }

  get nowMs(): number {
    return this.#nowMs
  }

  /** Calls once that much time has passed, unless it is cancelled with the returned function. */
  after(ms: number, call: () => void): () => void {
    const event = { atMs: this.#nowMs + Math.max(0, ms), order: this.#planned++, call, isCancelled: false }
    this.#add(event)
    return () => void (event.isCancelled = true)
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  /** Lets time pass until the work is done. Throws NeverEnds if that is not to be expected. */
  async run<T>(work: Promise<T>): Promise<T> {
    const ended = new AbortController()
    const end = (): void => ended.abort()
    work.then(end, end)
    let events = 0
    for (await this.#settled(); !ended.signal.aborted; await this.#settled()) {
      if (++events > maxEvents || this.#nowMs > maxMs) throw new NeverEnds(`It still goes on after ${events} events in ${(this.#nowMs / 60_000).toFixed(0)} virtual minutes.`)
      const next = this.#take() ?? (await this.#takeLater())
      this.#nowMs = next.atMs
      next.call()
    }
    return work
  }

  /** All promises that could go on have done so: an immediate comes after every microtask. */
  async #settled(): Promise<void> {
    for (let turns = 0; turns < this.#turns; turns++) await turn()
  }

  /** Work on real files can take longer than everything else that is planned. */
  async #takeLater(): Promise<Event> {
    for (let turns = 0; turns < maxTurns; turns++) {
      await turn()
      const next = this.#take()
      if (next) return next
    }
    throw new NeverEnds('It waits for something that will never happen.')
  }

  // A heap, with the next event first.

  #add(event: Event): void {
    const events = this.#events
    let at = events.push(event) - 1
    for (let above = (at - 1) >> 1; at > 0 && isBefore(event, events[above]!); above = (at - 1) >> 1) {
      events[at] = events[above]!
      events[(at = above)] = event
    }
  }

  #take(): Event | undefined {
    for (;;) {
      const first = this.#events[0]
      const last = this.#events.pop()
      if (!first || !last) return undefined
      if (first !== last) this.#sink(last)
      if (!first.isCancelled) return first
    }
  }

  #sink(event: Event): void {
    const events = this.#events
    for (let at = 0; ;) {
      let below = 2 * at + 1
      if (below + 1 < events.length && isBefore(events[below + 1]!, events[below]!)) below++
      events[at] = event
      if (below >= events.length || !isBefore(events[below]!, event)) return
      events[at] = events[below]!
      at = below
    }
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order)
}
