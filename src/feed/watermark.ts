// How stale snapshots can be at most, as this gateway knows it. Its knowledge may lag behind the store, which makes the
// bound larger than necessary, never smaller.
//
// Propagators say up to which position they have carried all changes. How long ago that was is measured here: at each look the
// gateway notes, by its own clock, how far the writes of the store have come. No time of another process is ever compared.

import type { Freshness } from '../plan/freshness.ts'
import type { Store } from '../store/store.ts'
import { processClock, type Clock } from './clock.ts'
import { changeOf, listDeadLetters } from './dead-letters.ts'
import { readLeases } from './lease-document.ts'

/** Where effects are written together with their source, no snapshot is ever stale. */
export const neverStale: Freshness = { boundMs: 0, watermark: Infinity }

/** Nothing is known about the age of snapshots. */
export const unproved: Freshness = { boundMs: Infinity, watermark: -Infinity }

/** Positions by part of the feed: every change up to there has been propagated. */
type ReachedByPart = ReadonlyMap<string, number>

/** Every write before this moment of the gateway's clock is at or before the position. */
interface Mark {
  readonly atMs: number
  readonly position: number
}

/** While the feed is behind, every second mark is dropped beyond this many: the bound gets coarser, never too small. */
const maxMarks = 64

export class Watermark {
  readonly #store: Store
  readonly #clock: Clock
  #stored: StoredProgress = { parts: new Map(), letters: [] }
  /** Oldest first, with growing positions. */
  #marks: Mark[] = []
  #reached = -Infinity
  /** Every change before this moment of the gateway's clock is in every snapshot. */
  #provenAtMs = -Infinity
  #youngestMs = Infinity

  constructor(store: Store, clock: Clock = processClock) {
    this.#store = store
    this.#clock = clock
  }

  /** To be called before a look. What the look proves, it proves for this moment. */
  async mark(): Promise<void> {
    const atMs = this.#clock.now()
    const { latest: position } = await this.#store.position()
    const last = this.#marks.at(-1)
    // An older position than before is another history of the store, such as a restored file.
    if (last && position < last.position) this.#marks = []
    else if (last?.position === position) this.#marks.pop()
    this.#marks.push({ atMs, position })
    if (this.#marks.length > maxMarks) this.#marks = this.#marks.filter((_, at) => at % 2 === 0 || at === this.#marks.length - 1)
  }

  /** Reads what all propagators have stored. */
  async refresh(own: ReachedByPart = new Map()): Promise<void> {
    this.#stored = await readStored(this.#store)
    this.advance(own)
  }

  /** Without a request: only what this gateway's own propagator has proved since, and nothing was set aside meanwhile. */
  advance(own: ReachedByPart): void {
    this.#reached = reachedBy(this.#stored, own)
    this.#provenAtMs = this.#store.supports.positions === 'milliseconds' ? this.#provenByTime() : this.#provenByMark()
    this.#youngestMs = this.freshness.boundMs
  }

  get freshness(): Freshness {
    return { boundMs: Math.max(0, Math.ceil(this.#clock.now() - this.#provenAtMs)), watermark: this.#reached }
  }

  /** The bound right after the last look. The next look proves no more, unless it is infinite. */
  get youngestMs(): number {
    return this.#youngestMs
  }

  /** How many dead letters there were at the last refresh. */
  get deadLetters(): number {
    return this.#stored.letters.length
  }

  /** Positions are times of one clock, so they also say how far apart they are. */
  #provenByTime(): number {
    const last = this.#marks.at(-1)
    return last ? last.atMs - (last.position - this.#reached) : -Infinity
  }

  #provenByMark(): number {
    const at = this.#marks.findLastIndex(({ position }) => position <= this.#reached)
    if (at < 0) return -Infinity
    this.#marks = this.#marks.slice(at)
    return this.#marks[0]!.atMs
  }
}

interface StoredProgress {
  readonly parts: ReachedByPart
  /** The positions of dead letters. */
  readonly letters: readonly number[]
}

/** As stored: the same for every gateway, whichever propagator follows the feed. With what an own propagator has not stored yet. */
export async function readProgress(store: Store, own: ReachedByPart = new Map()): Promise<{ readonly watermark: number; readonly deadLetters: number }> {
  const stored = await readStored(store)
  return { watermark: reachedBy(stored, own), deadLetters: stored.letters.length }
}

/** Leases before letters: a propagator stores a letter before it moves the watermark over it. */
async function readStored(store: Store): Promise<StoredProgress> {
  const leases = await readLeases(store)
  const letters = await listDeadLetters(store)
  return { parts: new Map(leases.map(({ part, lease }) => [part, lease?.reached ?? -Infinity])), letters: letters.map((letter) => changeOf(letter).position) }
}

/** As far as the part that is furthest behind, and not as far as the oldest dead letter: that change has reached no snapshot, so nothing after it is proved. */
function reachedBy({ parts, letters }: StoredProgress, own: ReachedByPart): number {
  return Math.min(...[...parts].map(([part, reached]) => Math.max(reached, own.get(part) ?? -Infinity)), ...letters.map((position) => position - 1))
}
