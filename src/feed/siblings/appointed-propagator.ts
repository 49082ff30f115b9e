// A propagator that works only while its gateway is the one of several that carries changes. Without the appointment it reads
// nothing, and the gateway learns the watermark from what is stored.

import type { Propagator } from '../propagator.ts'

/** What a look at the feed needs of a propagator. */
export type LookedAtPropagator = Pick<Propagator, 'round' | 'rest' | 'progress' | 'lagsMs' | 'timesLeasesRead' | 'stop'>

export class AppointedPropagator implements LookedAtPropagator {
  readonly #create: (owner: string) => LookedAtPropagator
  #propagator: LookedAtPropagator | undefined
  #owner: string | undefined
  #appointed: string | undefined
  /** Grows with every look without the appointment: others may have written leases and dead letters since. */
  #looks = 0

  constructor(create: (owner: string) => LookedAtPropagator) {
    this.#create = create
  }

  /** Takes effect at the next look, so that no look under way loses its propagator. */
  appoint(owner: string | undefined): void {
    this.#appointed = owner
  }

  async round(): Promise<number> {
    await this.#settle()
    if (this.#propagator) return this.#propagator.round()
    this.#looks++
    return 0
  }

  async rest(): Promise<void> {
    await this.#settle()
    await this.#propagator?.rest()
  }

  get progress(): ReadonlyMap<string, number> {
    return this.#propagator?.progress ?? new Map()
  }

  get lagsMs(): ReadonlyMap<string, number> {
    return this.#propagator?.lagsMs ?? new Map()
  }

  get timesLeasesRead(): number {
    return this.#looks + (this.#propagator?.timesLeasesRead ?? 0)
  }

  async stop(): Promise<void> {
    this.#appointed = undefined
    await this.#settle()
  }

  async #settle(): Promise<void> {
    if (this.#owner === this.#appointed) return
    const former = this.#propagator
    this.#owner = this.#appointed
    this.#looks += (former?.timesLeasesRead ?? 0) + 1
    this.#propagator = this.#owner === undefined ? undefined : this.#create(this.#owner)
    await former?.stop()
  }
}
