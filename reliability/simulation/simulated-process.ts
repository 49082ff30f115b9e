// One process on one machine: a clock of its own, which may be wrong and may jump, and work that can freeze for a while or end at
// any moment. A process that has crashed goes on with nothing: its timers do not fire, and what it waits for never comes.

import type { Clock } from '../../src/clock.ts'
import type { Random } from '../hostile/random.ts'
import type { Scheduler } from './scheduler.ts'

/** Virtual time begins here, so that clocks look like clocks. */
export const epochMs = Date.UTC(2030, 0, 1)

export class SimulatedProcess {
  readonly name: string
  readonly clock: Clock
  readonly #scheduler: Scheduler
  #isDead = false
  #frozenUntilMs = 0
  /** How far its clock is ahead of the true time. */
  #aheadMs: number

  constructor(name: string, scheduler: Scheduler, random: Random, aheadMs: number) {
    this.name = name
    this.#scheduler = scheduler
    this.#aheadMs = aheadMs
    this.clock = {
      now: () => scheduler.nowMs,
      wallMs: () => Math.floor(epochMs + scheduler.nowMs + this.#aheadMs),
      after: (ms, call) => this.after(ms, call),
      pause: (ms) => this.wait(ms),
      random: () => random.next(),
    }
  }

  get isDead(): boolean {
    return this.#isDead
  }

  crash(): void {
    this.#isDead = true
  }

  freeze(ms: number): void {
    this.#frozenUntilMs = Math.max(this.#frozenUntilMs, this.#scheduler.nowMs + ms)
  }

  thaw(): void {
    this.#frozenUntilMs = 0
  }

  setClock(aheadMs: number): void {
    this.#aheadMs = aheadMs
  }

  /** Calls in this process: later if it is frozen then, and never if it has crashed. */
  after(ms: number, call: () => void): () => void {
    let cancel = this.#scheduler.after(ms, () => {
      if (this.#isDead) return
      const frozenMs = this.#frozenUntilMs - this.#scheduler.nowMs
      if (frozenMs > 0) cancel = this.after(frozenMs, call)
      else call()
    })
    return () => cancel()
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }
}
