// How large the documents of a container typically are, from those that were seen: what decides
// between reading and querying, and what the account goes by for documents that nobody read.

/** The weight of one more document: recent ones count more than old ones. */
const weight = 0.02

export class Sizes {
  readonly #averages = new Map<string, number>()

  saw(container: string, bytes: number): void {
    const average = this.#averages.get(container)
    this.#averages.set(container, average === undefined ? bytes : average + weight * (bytes - average))
  }

  /** A kilobyte until one has been seen. */
  typical(container: string): number {
    return Math.round(this.#averages.get(container) ?? 1024)
  }
}
