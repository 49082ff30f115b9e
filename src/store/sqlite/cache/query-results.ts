// Results of queries and counts: true as long as nothing is written to their container, since every write to it, here or by
// another connection, drops all of them.
//
// They have two generations, as documents do: a result that is used moves to the young one, and its documents with it. So what
// is asked again and again stays, and no result outlives its documents.

import type { Scalar } from '../../query.ts'
import type { StoredDocument } from '../../store.ts'
import { heapBytes } from './document-bytes.ts'

/** The result of a query for one value, and the documents in it. */
export interface ValueResult {
  readonly value: Scalar
  readonly result: unknown
  readonly documents: readonly StoredDocument[]
}

/** The results of a query that is made for many values at once. */
export interface ResultsByValue {
  readonly get: (value: Scalar) => unknown
}

export class QueryResults {
  readonly #maxBytes: number
  readonly #use: (container: string, documents: readonly StoredDocument[]) => void
  #young = new Generation()
  #old = new Generation()

  /** `use` moves documents to the young generation of theirs. The documents of one result may take as many bytes again. */
  constructor(maxBytes: number, use: (container: string, documents: readonly StoredDocument[]) => void) {
    this.#maxBytes = maxBytes
    this.#use = use
  }

  /** Without the documents, which the document cache counts. */
  get bytes(): number {
    return this.#young.bytes + this.#old.bytes
  }

  get(container: string, query: string): unknown {
    return this.#find(container, query, undefined)
  }

  byValue(container: string, query: string): ResultsByValue | undefined {
    if (!this.#young.has(container, query) && !this.#old.has(container, query)) return undefined
    return { get: (value) => this.#find(container, query, value) }
  }

  add(container: string, query: string, result: unknown, documents: readonly StoredDocument[]): void {
    this.#keep(container, query, undefined, { result, documents })
  }

  /** Kept value by value: the next query may ask for some of them and others, and there is no end of combinations. */
  addByValue(container: string, query: string, results: readonly ValueResult[]): void {
    for (const { value, result, documents } of results) this.#keep(container, query, value, { result, documents })
  }

  drop(container: string): void {
    this.#young.drop(container)
    this.#old.drop(container)
  }

  dropAll(): void {
    this.#young = new Generation()
    this.#old = new Generation()
  }

  /** With the old generation of the documents. */
  dropOld(): void {
    this.#old = this.#young
    this.#young = new Generation()
  }

  #find(container: string, query: string, value: Scalar | undefined): unknown {
    const young = this.#young.at(container, query, value)
    if (young) return young.result
    const old = this.#old.take(container, query, value)
    if (!old) return undefined
    this.#keep(container, query, value, old)
    return old.result
  }

  #keep(container: string, query: string, value: Scalar | undefined, kept: Kept): void {
    const { documents } = kept
    if (documents.reduce((sum, document) => sum + heapBytes(document), 0) > this.#maxBytes || bytesOf(query, value, kept) > this.#maxBytes / 4) return
    if (this.#young.bytes + bytesOf(query, value, kept) > this.#maxBytes / 2) this.dropOld()
    this.#use(container, documents)
    this.#young.add(container, query, value, kept)
  }
}

interface Kept {
  readonly result: unknown
  readonly documents: readonly StoredDocument[]
}

/** By query, and then by value; a query without values has one result, for `undefined`. */
type ContainerResults = Map<string, Map<Scalar | undefined, Kept>>

class Generation {
  readonly #byContainer = new Map<string, { bytes: number; readonly results: ContainerResults }>()
  bytes = 0

  has(container: string, query: string): boolean {
    return this.#byContainer.get(container)?.results.has(query) ?? false
  }

  at(container: string, query: string, value: Scalar | undefined): Kept | undefined {
    return this.#byContainer.get(container)?.results.get(query)?.get(value)
  }

  add(container: string, query: string, value: Scalar | undefined, kept: Kept): void {
    let inContainer = this.#byContainer.get(container)
    if (!inContainer) this.#byContainer.set(container, (inContainer = { bytes: 0, results: new Map() }))
    let byValue = inContainer.results.get(query)
    if (!byValue) inContainer.results.set(query, (byValue = new Map()))
    const bytes = byValue.has(value) ? 0 : bytesOf(query, value, kept)
    byValue.set(value, kept)
    inContainer.bytes += bytes
    this.bytes += bytes
  }

  /** Its bytes count until the generation is dropped. */
  take(container: string, query: string, value: Scalar | undefined): Kept | undefined {
    const byValue = this.#byContainer.get(container)?.results.get(query)
    const kept = byValue?.get(value)
    if (kept) byValue!.delete(value)
    return kept
  }

  drop(container: string): void {
    this.bytes -= this.#byContainer.get(container)?.bytes ?? 0
    this.#byContainer.delete(container)
  }
}

/** The texts of values are not shared, those of queries made for values are. */
function bytesOf(query: string, value: Scalar | undefined, { documents }: Kept): number {
  return (value === undefined ? 300 + 2 * query.length : 200 + 2 * String(value).length) + 16 * documents.length
}
