// Time that passes only while every follower of the change feed waits for it, so that a test counts what happens in an hour
// without waiting for one.

import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../src/feed/clock.ts'
import type { Store } from '../../src/store/store.ts'

export class VirtualClock implements Clock {
  #ms: number
  readonly #timers = new Set<{ readonly at: number; readonly call: () => void }>()
  readonly #onMove: (ms: number) => void

  constructor(startMs = Date.now(), onMove: (ms: number) => void = () => undefined) {
    this.#ms = startMs
    this.#onMove = onMove
  }

  now(): number {
    return this.#ms
  }

  wallMs(): number {
    return this.#ms
  }

  random(): number {
    return 0.5
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  after(ms: number, call: () => void): () => void {
    const timer = { at: this.#ms + ms, call }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** Resolves when so many followers wait, and none is at work. */
  async idle(followers: number): Promise<void> {
    while (this.#timers.size < followers) await turn()
  }

  /** Lets time pass for so many followers. */
  async pass(ms: number, followers: number): Promise<void> {
    const until = this.#ms + ms
    for (;;) {
      await this.idle(followers)
      const next = [...this.#timers].toSorted((one, other) => one.at - other.at)[0]
      if (!next || next.at > until) break
      this.#moveTo(next.at)
      this.#timers.delete(next)
      next.call()
    }
    this.#moveTo(until)
  }

  #moveTo(ms: number): void {
    this.#ms = ms
    this.#onMove(ms)
  }
}

/** The store as its gateways see it: its own clock is the virtual one. */
export function timed(store: Store, clock: Clock): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      if (name === 'now') return async () => ({ earliest: clock.now(), latest: clock.now() })
      if (name === 'position' && target.supports.positions === 'milliseconds') return async () => ({ earliest: clock.now() - target.supports.maxWriteDelayMs, latest: clock.now() })
      const member = target[name]
      return typeof member === 'function' ? (member as (...args: unknown[]) => unknown).bind(target) : member
    },
  })
}
