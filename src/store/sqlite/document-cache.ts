// A cache of what was read from a store: documents, parsed and frozen, and results of queries. Its
// owner says when something was written; nothing here expires by itself.
//
// Its size is in bytes, estimated from the length of the JSON. Documents live in two generations: a document that is used
// moves to the young one, and when that reaches half of the maximum, the old generation is dropped and the young one
// becomes the old. So a hit costs one lookup, and no list has to be kept in order. Results refer to documents and would
// keep them alive, so they are dropped with the old generation.

import { KeyMap, type Key } from '../../model/keys/key.ts'
import type { Scalar } from '../query.ts'
import type { StoredDocument } from '../store.ts'

interface CachedDocument {
  readonly container: string
  /** The key as text. */
  readonly text: string
  readonly document: StoredDocument
  /** The epoch in which it was last known to be what is stored. */
  epoch: number
}

/** The result of a query for one value, and the documents in it. */
export interface ValueResult {
  readonly value: Scalar
  readonly result: unknown
  readonly documents: readonly StoredDocument[]
}

export class DocumentCache {
  readonly #maxDocumentBytes: number
  readonly #maxResultBytes: number
  readonly #maxBytesInResult: number
  #young = new Generation()
  #old = new Generation()
  readonly #results = new Map<string, ContainerResults>()
  #resultBytes = 0
  #epoch = 0
  #version = 0

  /** A quarter of the bytes is for results. */
  constructor(bytes: number) {
    this.#maxDocumentBytes = bytes * 0.75
    this.#maxResultBytes = bytes * 0.25
    // Less than a generation, so that all documents of a result are in one of the two.
    this.#maxBytesInResult = bytes * 0.25
  }

  /** The approximate size of everything in it. */
  get bytes(): number {
    return this.#young.bytes + this.#old.bytes + this.#resultBytes
  }

  /** A number that changes whenever something may have been written. */
  get version(): number {
    return this.#version
  }

  /** The document with this key, if it is cached and known to be what is stored. */
  document(container: string, key: Key): StoredDocument | undefined {
    const cached = this.#young.at(container, key) ?? this.#rejuvenate(this.#old.at(container, key))
    return cached?.epoch === this.#epoch ? cached.document : undefined
  }

  /** The document of a row with this key and etag, so that the row need not be parsed. `isCurrent` if the row is what is stored now. */
  withEtag(container: string, text: string, etag: string, isCurrent: boolean): StoredDocument | undefined {
    const cached = this.#young.byEtag.get(etag) ?? this.#rejuvenate(this.#old.byEtag.get(etag))
    if (cached?.text !== text || cached.container !== container) return undefined
    if (isCurrent) cached.epoch = this.#epoch
    return cached.document
  }

  add(container: string, text: string, document: StoredDocument): void {
    this.#drop(container, document.key)
    this.#addYoung({ container, text, document, epoch: this.#epoch })
  }

  result(container: string, query: string): unknown {
    return this.#results.get(container)?.byQuery.get(query)
  }

  /** The cached results of a query that is made for many values at once. */
  resultsByValue(container: string, query: string): ReadonlyMap<Scalar, unknown> | undefined {
    return this.#results.get(container)?.byValue.get(query)
  }

  /** The documents of the result must have been added before. */
  addResult(container: string, query: string, result: unknown, documents: readonly StoredDocument[]): void {
    this.#roomForResults(container, documents, () => 200 + 2 * query.length + 16 * documents.length)?.byQuery.set(query, result)
  }

  /** Kept value by value: the next query may ask for some of them and others, and there is no end of combinations. */
  addResultsByValue(container: string, query: string, results: readonly ValueResult[]): void {
    const documents = results.flatMap((each) => each.documents)
    const valueBytes = results.reduce((sum, { value }) => sum + 150 + 2 * String(value).length, 16 * documents.length)
    const room = this.#roomForResults(container, documents, () => valueBytes + (this.resultsByValue(container, query) ? 0 : 200 + 2 * query.length))
    if (!room) return
    let byValue = room.byValue.get(query)
    if (!byValue) room.byValue.set(query, (byValue = new Map()))
    for (const { value, result } of results) byValue.set(value, result)
  }

  /** The document has been written or deleted. */
  invalidate(container: string, key: Key): void {
    this.#version++
    this.#drop(container, key)
    this.#resultBytes -= this.#results.get(container)?.bytes ?? 0
    this.#results.delete(container)
  }

  /** Anything may have been written. A document is used again once a row with its etag has been read. */
  invalidateAll(): void {
    this.#version++
    this.#epoch++
    this.#dropResults()
  }

  /** Makes room for results with these documents; undefined if they are too large. */
  #roomForResults(container: string, documents: readonly StoredDocument[], bytes: () => number): ContainerResults | undefined {
    const documentBytes = documents.reduce((sum, document) => sum + heapBytes(document), 0)
    if (documentBytes > this.#maxBytesInResult || bytes() > this.#maxResultBytes / 4) return undefined
    if (this.#resultBytes + bytes() > this.#maxResultBytes) this.#dropResults()
    const more = bytes()
    let results = this.#results.get(container)
    if (!results) this.#results.set(container, (results = { bytes: 0, byQuery: new Map(), byValue: new Map() }))
    results.bytes += more
    this.#resultBytes += more
    return results
  }

  #dropResults(): void {
    this.#results.clear()
    this.#resultBytes = 0
  }

  #drop(container: string, key: Key): void {
    this.#young.remove(container, key)
    this.#old.remove(container, key)
  }

  #rejuvenate(cached: CachedDocument | undefined): CachedDocument | undefined {
    if (cached) {
      this.#old.remove(cached.container, cached.document.key)
      this.#addYoung(cached)
    }
    return cached
  }

  #addYoung(cached: CachedDocument): void {
    this.#young.add(cached)
    if (this.#young.bytes <= this.#maxDocumentBytes / 2) return
    this.#old = this.#young
    this.#young = new Generation()
    this.#dropResults()
  }
}

/** The results of queries of one container, all of which any write to it may change. */
interface ContainerResults {
  bytes: number
  readonly byQuery: Map<string, unknown>
  readonly byValue: Map<string, Map<Scalar, unknown>>
}

class Generation {
  readonly byEtag = new Map<string, CachedDocument>()
  readonly #byKey = new Map<string, KeyMap<CachedDocument>>()
  bytes = 0

  at(container: string, key: Key): CachedDocument | undefined {
    return this.#byKey.get(container)?.get(key)
  }

  add(cached: CachedDocument): void {
    let byKey = this.#byKey.get(cached.container)
    if (!byKey) this.#byKey.set(cached.container, (byKey = new KeyMap<CachedDocument>()))
    byKey.set(cached.document.key, cached)
    this.byEtag.set(cached.document.etag, cached)
    this.bytes += heapBytes(cached.document)
  }

  remove(container: string, key: Key): void {
    const cached = this.at(container, key)
    if (!cached) return
    this.#byKey.get(container)!.delete(key)
    this.byEtag.delete(cached.document.etag)
    this.bytes -= heapBytes(cached.document)
  }
}

/** Measured: documents of a few hundred bytes take a little more than twice their JSON on the heap; the rest is for the maps around them. */
function heapBytes({ bytes }: StoredDocument): number {
  return 400 + 3 * bytes
}
