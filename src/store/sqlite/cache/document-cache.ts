// Documents that were read from SQLite, parsed and frozen, and keys that it has no document for: true because sqlite-engine.ts
// asks SQLite before each use whether another connection has committed, and drops what others have written (external-writes.ts)
// and what this store writes itself. Nothing else decides that, and nothing expires.
//
// Its size is in bytes, estimated from the length of the JSON, and it keeps what is used again rather than what came last. A
// document that is read for the first time is among the recent ones, a fifth of the cache. If it is used again while it is
// there, it moves to the used ones. So a client that reads everything once, page after page, replaces recent documents only, and
// those that others come back to stay.
//
// Both parts have two generations: a document that is used moves to the young one, and when that reaches half of the part, the
// old generation is dropped and the young one becomes the old. So a hit costs one lookup, and no list has to be kept in
// order. Results of queries refer to documents and would keep them alive, so their documents count as used, and the old
// generation of results is dropped with that of the used documents.

import { KeyMap, keyText, type Key } from '../../../model/keys/key.ts'
import type { StoredDocument } from '../../store.ts'
import { AbsentKeys } from './absent-keys.ts'
import { heapBytes } from './document-bytes.ts'
import { QueryResults } from './query-results.ts'

interface CachedDocument {
  readonly container: string
  /** The key as text. */
  readonly text: string
  readonly document: StoredDocument
  /** The epoch in which it was last known to be what is stored. */
  epoch: number
}

export class DocumentCache {
  /** The documents of a result must be added before it. */
  readonly results: QueryResults
  readonly #used: Part
  readonly #recent: Part
  readonly #absent: AbsentKeys
  #epoch = 0
  #version = 0
  /** How often an old generation of used documents was dropped. */
  #drops = 0

  /** A quarter of the bytes is for results, and one percent for absent keys. */
  constructor(bytes: number) {
    this.#used = new Part(bytes * 0.74 * 0.8, () => {
      this.#drops++
      this.results.dropOld()
    })
    this.#recent = new Part(bytes * 0.74 * 0.2, () => undefined)
    this.#absent = new AbsentKeys(bytes * 0.01)
    // Less than a generation of the used ones, so that all documents of a result fit into one.
    this.results = new QueryResults(bytes * 0.25, (container, documents) => this.#useAll(container, documents))
  }

  /** The approximate size of everything in it. */
  get bytes(): number {
    return this.#used.bytes + this.#recent.bytes + this.#absent.bytes + this.results.bytes
  }

  /** A number that changes whenever something may have been written. */
  get version(): number {
    return this.#version
  }

  /** The document with this key, if it is cached and known to be what is stored. */
  document(container: string, key: Key): StoredDocument | undefined {
    const cached = this.#used.at(container, key) ?? this.#usedAgain(this.#recent.at(container, key))
    return cached?.epoch === this.#epoch ? cached.document : undefined
  }

  /** The document of a row with this key and etag, so that the row need not be parsed. `isCurrent` if the row is what is stored now. */
  withEtag(container: string, text: string, etag: string, isCurrent: boolean): StoredDocument | undefined {
    const cached = this.#used.withEtag(etag) ?? this.#usedAgain(this.#recent.withEtag(etag))
    if (cached?.text !== text || cached.container !== container) return undefined
    if (isCurrent) cached.epoch = this.#epoch
    return cached.document
  }

  /** Whether the store is known to have no document with this key, as text. */
  isAbsent(container: string, text: string): boolean {
    return this.#absent.has(container, text)
  }

  addAbsent(container: string, text: string): void {
    this.#absent.add(container, text)
  }

  add(container: string, text: string, document: StoredDocument): void {
    const wasUsed = this.#drop(container, document.key)
    const part = wasUsed ? this.#used : this.#recent
    part.add({ container, text, document, epoch: this.#epoch })
  }

  /** The document has been written or deleted, here or by another connection. */
  invalidate(container: string, key: Key): void {
    this.#version++
    this.#drop(container, key)
    this.#absent.delete(container, keyText(key))
    this.results.drop(container)
  }

  /** Anything may have been written. A document is used again once a row with its etag has been read. */
  invalidateAll(): void {
    this.#version++
    this.#epoch++
    this.#absent.clear()
    this.results.dropAll()
  }

  /** Whether it was among the used ones. */
  #drop(container: string, key: Key): boolean {
    this.#recent.remove(container, key)
    return this.#used.remove(container, key)
  }

  /** Moves the documents of a result to the young generation of the used ones, all of them to the same. */
  #useAll(container: string, documents: readonly StoredDocument[]): void {
    const drops = this.#drops
    for (const { key } of documents) this.document(container, key)
    if (this.#drops !== drops) for (const { key } of documents) this.document(container, key)
  }

  #usedAgain(cached: CachedDocument | undefined): CachedDocument | undefined {
    if (cached) {
      this.#recent.remove(cached.container, cached.document.key)
      this.#used.add(cached)
    }
    return cached
  }
}

/** Two generations of documents. */
class Part {
  readonly #maxBytes: number
  readonly #onDrop: () => void
  #young = new Generation()
  #old = new Generation()

  constructor(maxBytes: number, onDrop: () => void) {
    this.#maxBytes = maxBytes
    this.#onDrop = onDrop
  }

  get bytes(): number {
    return this.#young.bytes + this.#old.bytes
  }

  at(container: string, key: Key): CachedDocument | undefined {
    return this.#young.at(container, key) ?? this.#rejuvenate(this.#old.at(container, key))
  }

  withEtag(etag: string): CachedDocument | undefined {
    return this.#young.byEtag.get(etag) ?? this.#rejuvenate(this.#old.byEtag.get(etag))
  }

  add(cached: CachedDocument): void {
    this.#young.add(cached)
    if (this.#young.bytes <= this.#maxBytes / 2) return
    this.#old = this.#young
    this.#young = new Generation()
    this.#onDrop()
  }

  /** Whether it was there. */
  remove(container: string, key: Key): boolean {
    const wasYoung = this.#young.remove(container, key)
    return this.#old.remove(container, key) || wasYoung
  }

  #rejuvenate(cached: CachedDocument | undefined): CachedDocument | undefined {
    if (cached) {
      this.#old.remove(cached.container, cached.document.key)
      this.add(cached)
    }
    return cached
  }
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

  remove(container: string, key: Key): boolean {
    const cached = this.at(container, key)
    if (!cached) return false
    this.#byKey.get(container)!.delete(key)
    this.byEtag.delete(cached.document.etag)
    this.bytes -= heapBytes(cached.document)
    return true
  }
}
