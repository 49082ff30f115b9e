// Results of queries and counts: true as long as nothing is written to their container, since every write to it, here or by
// another connection, drops all of them.

import type { Scalar } from '../../query.ts'
import type { StoredDocument } from '../../store.ts'
import { heapBytes } from './document-bytes.ts'

/** The result of a query for one value, and the documents in it. */
export interface ValueResult {
  readonly value: Scalar
  readonly result: unknown
  readonly documents: readonly StoredDocument[]
}

export class QueryResults {
  readonly #maxBytes: number
  readonly #byContainer = new Map<string, ContainerResults>()
  #bytes = 0

  /** Beyond this size all results are dropped. The documents of one result may take as much again. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Without the documents, which the document cache counts. */
  get bytes(): number {
    return this.#bytes
  }

  get(container: string, query: string): unknown {
    return this.#byContainer.get(container)?.byQuery.get(query)
  }

  /** The cached results of a query that is made for many values at once. */
  byValue(container: string, query: string): ReadonlyMap<Scalar, unknown> | undefined {
    return this.#byContainer.get(container)?.byValue.get(query)
  }

  add(container: string, query: string, result: unknown, documents: readonly StoredDocument[]): void {
    this.#roomFor(container, documents, () => 200 + 2 * query.length + 16 * documents.length)?.byQuery.set(query, result)
  }

  /** Kept value by value: the next query may ask for some of them and others, and there is no end of combinations. */
  addByValue(container: string, query: string, results: readonly ValueResult[]): void {
    const documents = results.flatMap((each) => each.documents)
    const valueBytes = results.reduce((sum, { value }) => sum + 150 + 2 * String(value).length, 16 * documents.length)
    const room = this.#roomFor(container, documents, () => valueBytes + (this.byValue(container, query) ? 0 : 200 + 2 * query.length))
    if (!room) return
    let byValue = room.byValue.get(query)
    if (!byValue) room.byValue.set(query, (byValue = new Map()))
    for (const { value, result } of results) byValue.set(value, result)
  }

  drop(container: string): void {
    this.#bytes -= this.#byContainer.get(container)?.bytes ?? 0
    this.#byContainer.delete(container)
  }

  dropAll(): void {
    this.#byContainer.clear()
    this.#bytes = 0
  }

  /** Makes room for results with these documents; undefined if they are too large. */
  #roomFor(container: string, documents: readonly StoredDocument[], bytes: () => number): ContainerResults | undefined {
    const documentBytes = documents.reduce((sum, document) => sum + heapBytes(document), 0)
    if (documentBytes > this.#maxBytes || bytes() > this.#maxBytes / 4) return undefined
    if (this.#bytes + bytes() > this.#maxBytes) this.dropAll()
    const more = bytes()
    let results = this.#byContainer.get(container)
    if (!results) this.#byContainer.set(container, (results = { bytes: 0, byQuery: new Map(), byValue: new Map() }))
    results.bytes += more
    this.#bytes += more
    return results
  }
}

interface ContainerResults {
  bytes: number
  readonly byQuery: Map<string, unknown>
  readonly byValue: Map<string, Map<Scalar, unknown>>
}
