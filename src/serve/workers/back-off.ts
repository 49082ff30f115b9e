// How long to wait before a worker that has ended is replaced: not at all for the first time, and longer and longer for one
// that ends again soon after its start.

/** A worker that lived for this long has started well, and the next wait is the shortest again. */
const steadyMs = 60_000

const firstMs = 500
const maxMs = 30_000

export class BackOff {
  #failures = 0

  /** The pause before the next start, after a worker that lived for so long. */
  after(livedMs: number): number {
    if (livedMs >= steadyMs) this.#failures = 0
    return this.#failures++ === 0 ? 0 : Math.min(maxMs, firstMs * 2 ** (this.#failures - 2))
  }
}
