// How long documents have not been renewed, by this process's own clock. What a document says about time depends on the clock of the
// process that wrote it, which may have been wrong; that its etag has not changed for so long does not.

import type { Clock } from './clock.ts'

export class Renewals {
  readonly #clock: Clock
  #seen = new Map<string, { readonly etag: string; readonly sinceMs: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The documents as they are now; the others are forgotten. */
  see(documents: Iterable<{ readonly name: string; readonly etag: string }>): void {
    const before = this.#seen
    this.#seen = new Map()
    for (const { name, etag } of documents) {
      const known = before.get(name)
      this.#seen.set(name, known?.etag === etag ? known : { etag, sinceMs: this.#clock.now() })
    }
  }

  /** 0 for a document that was not seen before. */
  unrenewedMs(name: string): number {
    const known = this.#seen.get(name)
    return known ? this.#clock.now() - known.sinceMs : 0
  }
}
