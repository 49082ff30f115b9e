// How stale snapshots can be at most, as this gateway knows it. Its knowledge may lag behind the store, which makes the
// bound larger than necessary, never smaller.

import type { Freshness } from '../plan/freshness.ts'
import type { Store } from '../store/store.ts'
import { changeOf, listDeadLetters } from './dead-letters.ts'
import { readLeases } from './leases.ts'

/** Where effects are written together with their source, no snapshot is ever stale. */
export const neverStale: Freshness = { boundMs: 0, watermark: Infinity }

export class Watermark {
  readonly #store: Store
  #progress: Progress = { watermark: 0, deadLetters: 0 }
  /** The store's clock minus this process's. */
  #offsetMs = 0

  constructor(store: Store) {
    this.#store = store
  }

  async refresh(): Promise<void> {
    // The latest time that it can be on the store: snapshots must not look younger than they are.
    const { latest } = await this.#store.now()
    this.#offsetMs = latest - Date.now()
    this.#progress = await readProgress(this.#store)
  }

  get freshness(): Freshness {
    const { watermark } = this.#progress
    // A clock that was set back must not give a negative bound.
    return { boundMs: Math.max(0, Date.now() + this.#offsetMs - watermark), watermark }
  }

  /** How many dead letters there were at the last refresh. */
  get deadLetters(): number {
    return this.#progress.deadLetters
  }
}

interface Progress {
  /**
   * The oldest watermark of all parts, or the time of the oldest dead letter: that change has reached no snapshot, so
   * nothing after it is proved. The same for every gateway, whichever propagator follows the feed.
   */
  readonly watermark: number
  readonly deadLetters: number
}

export async function readProgress(store: Store): Promise<Progress> {
  const leases = await readLeases(store)
  const letters = await listDeadLetters(store)
  const watermarks = leases.map(({ lease }) => lease?.watermark ?? 0)
  return { watermark: Math.min(...watermarks, ...letters.map((letter) => changeOf(letter).at)), deadLetters: letters.length }
}
