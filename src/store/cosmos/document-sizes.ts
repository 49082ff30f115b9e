// The typical size of the documents of each container, averaged over some of those that were read. It decides between point
// reads and a query, and the cost report uses it for documents that were not read.

import type { StoredDocument } from '../store.ts'

/** The weight of the newest document in the average, so that recent documents count more. */
const weight = 0.02

/** The first documents of a container are all measured, of those after them one in so many: measuring takes longer than reading. */
const measuredFirst = 50
const measuredOneIn = 17

interface Sizes {
  average: number
  seen: number
}

export class DocumentSizes {
  readonly #sizes = new Map<string, Sizes>()

  add(container: string, document: StoredDocument): void {
    const sizes = this.#sizes.get(container)
    if (!sizes) this.#sizes.set(container, { average: document.bytes, seen: 1 })
    else if (++sizes.seen <= measuredFirst || sizes.seen % measuredOneIn === 0) sizes.average += weight * (document.bytes - sizes.average)
  }

  /** One kilobyte until a document has been read. */
  typical(container: string): number {
    return Math.round(this.#sizes.get(container)?.average ?? 1024)
  }
}
