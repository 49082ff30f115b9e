// How old copies can be at most, as this gateway knows it. What it knows may lag behind what is true,
// and then the bound is larger than it need be, never smaller.

import type { Freshness } from '../plan/freshness.ts'
import type { Store } from '../store/store.ts'
import { readProgress } from './leases.ts'

/** Copies that change together with what they copy have always seen everything. */
export const alwaysTrue: Freshness = { boundMs: 0, watermark: Infinity }

export class Watermark {
  readonly #store: Store
  #progress = { watermark: 0, deadLetters: 0 }
  /** The store's clock less this process's. */
  #offsetMs = 0

  constructor(store: Store) {
    this.#store = store
  }

  async refresh(): Promise<void> {
    // Rather too late than too early: copies are never called younger than they may be.
    const { latest } = await this.#store.now()
    this.#offsetMs = latest - Date.now()
    this.#progress = await readProgress(this.#store)
  }

  get freshness(): Freshness {
    const { watermark } = this.#progress
    // A clock that was set back must not make copies younger than new.
    return { boundMs: Math.max(0, Date.now() + this.#offsetMs - watermark), watermark }
  }
  /** How many changes were set aside when it was looked last. */
  get deadLetters(): number {
    return this.#progress.deadLetters
  }
}
