// How stale snapshots can be at most, as this gateway knows it. Its knowledge may lag behind the store, which makes the
// bound larger than necessary, never smaller.

import type { Freshness } from '../plan/freshness.ts'
import type { Store } from '../store/store.ts'
import { changeOf, listDeadLetters } from './dead-letters.ts'
import { readLeases } from './leases.ts'

/** Where effects are written together with their source, no snapshot is ever stale. */
export const neverStale: Freshness = { boundMs: 0, watermark: Infinity }

/** Watermarks by part of the feed. */
type PartWatermarks = ReadonlyMap<string, number>

export class Watermark {
  readonly #store: Store
  #stored: StoredProgress = { parts: new Map(), letters: [] }
  #watermark = 0
  /** The store's clock minus this process's. */
  #offsetMs = 0
  #youngestMs = 0

  constructor(store: Store) {
    this.#store = store
  }

  /** Reads what all propagators have stored. */
  async refresh(own: PartWatermarks = new Map()): Promise<void> {
    this.#stored = await readStored(this.#store)
    await this.advance(own)
  }

  /** Without a request: only what this gateway's own propagator has proved since, and nothing was set aside meanwhile. */
  async advance(own: PartWatermarks): Promise<void> {
    // The latest time that it can be on the store: snapshots must not look younger than they are.
    const { latest } = await this.#store.now()
    this.#offsetMs = latest - Date.now()
    this.#watermark = oldest(this.#stored, own)
    this.#youngestMs = this.freshness.boundMs
  }

  get freshness(): Freshness {
    const watermark = this.#watermark
    // A clock that was set back must not give a negative bound.
    return { boundMs: Math.max(0, Date.now() + this.#offsetMs - watermark), watermark }
  }

  /** The bound right after the last look. The next look proves no more. */
  get youngestMs(): number {
    return this.#youngestMs
  }

  /** How many dead letters there were at the last refresh. */
  get deadLetters(): number {
    return this.#stored.letters.length
  }
}

interface StoredProgress {
  readonly parts: PartWatermarks
  /** The times of dead letters. */
  readonly letters: readonly number[]
}

/** As stored: the same for every gateway, whichever propagator follows the feed. */
export async function readProgress(store: Store): Promise<{ readonly watermark: number; readonly deadLetters: number }> {
  const stored = await readStored(store)
  return { watermark: oldest(stored, new Map()), deadLetters: stored.letters.length }
}

/** Leases before letters: a propagator stores a letter before it moves the watermark over it. */
async function readStored(store: Store): Promise<StoredProgress> {
  const leases = await readLeases(store)
  const letters = await listDeadLetters(store)
  return { parts: new Map(leases.map(({ part, lease }) => [part, lease?.watermark ?? 0])), letters: letters.map((letter) => changeOf(letter).at) }
}

/** The oldest watermark of all parts, or the time of the oldest dead letter: that change has reached no snapshot, so nothing after it is proved. */
function oldest({ parts, letters }: StoredProgress, own: PartWatermarks): number {
  return Math.min(...[...parts].map(([part, watermark]) => Math.max(watermark, own.get(part) ?? 0)), ...letters)
}
