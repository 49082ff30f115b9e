// The typical size of the documents of each container, averaged over those that were read. It decides between point
// reads and a query, and the cost report uses it for documents that were not read.

/** The weight of the newest document in the average, so that recent documents count more. */
const weight = 0.02

export class DocumentSizes {
  readonly #averages = new Map<string, number>()

  add(container: string, bytes: number): void {
    const average = this.#averages.get(container)
    this.#averages.set(container, average === undefined ? bytes : average + weight * (bytes - average))
  }

  /** One kilobyte until a document has been read. */
  typical(container: string): number {
    return Math.round(this.#averages.get(container) ?? 1024)
  }
}
