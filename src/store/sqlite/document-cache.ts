// Documents that were read from SQLite, parsed and frozen, and keys that it has no document for: true because sqlite-engine.ts
// asks SQLite before each use whether another connection has committed, and drops what this store writes itself. Nothing else
// decides that, and nothing expires.
//
// Its size is in bytes, estimated from the length of the JSON. Documents live in two generations: a document that is used
// moves to the young one, and when that reaches half of the maximum, the old generation is dropped and the young one
// becomes the old. So a hit costs one lookup, and no list has to be kept in order. Results of queries refer to documents and
// would keep them alive, so they are dropped with the old generation.

import { KeyMap, keyText, type Key } from '../../model/keys/key.ts'
import type { StoredDocument } from '../store.ts'
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
  readonly #maxDocumentBytes: number
  /** The documents of a result must be added before it. */
  readonly results: QueryResults
  #young = new Generation()
  #old = new Generation()
  readonly #absent: AbsentKeys
  #epoch = 0
  #version = 0

  /** A quarter of the bytes is for results, and one percent for absent keys. */
  constructor(bytes: number) {
    this.#maxDocumentBytes = bytes * 0.74
    this.#absent = new AbsentKeys(bytes * 0.01)
    // Less than a generation, so that all documents of a result are in one of the two.
    this.results = new QueryResults(bytes * 0.25)
  }

  /** The approximate size of everything in it. */
  get bytes(): number {
    return this.#young.bytes + this.#old.bytes + this.#absent.bytes + this.results.bytes
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

  /** Whether the store is known to have no document with this key, as text. */
  isAbsent(container: string, text: string): boolean {
    return this.#absent.has(container, text)
  }

  addAbsent(container: string, text: string): void {
    this.#absent.add(container, text)
  }

  add(container: string, text: string, document: StoredDocument): void {
    this.#drop(container, document.key)
    this.#addYoung({ container, text, document, epoch: this.#epoch })
  }

  /** The document has been written or deleted. */
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
    this.results.dropAll()
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

  remove(container: string, key: Key): void {
    const cached = this.at(container, key)
    if (!cached) return
    this.#byKey.get(container)!.delete(key)
    this.byEtag.delete(cached.document.etag)
    this.bytes -= heapBytes(cached.document)
  }
}
