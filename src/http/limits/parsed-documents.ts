// Yoga's caches of parsed documents and of parse errors, limited in bytes: Yoga itself would limit only their number,
// whatever their size. A text is kept when it is sent for the second time. The result of validation is kept with the document.

import { LRUCache } from 'lru-cache'
import type { DocumentNode } from 'graphql'
import { SeenBefore } from '../../store/running/seen-before.ts'
import { bytesOf } from '../../execute/document-bytes.ts'

export class ParsedDocuments {
  readonly documentCache: TextCache<DocumentNode>
  readonly errorCache: TextCache<Error>

  /** Errors get a quarter of their own, so that invalid documents cannot evict valid ones. */
  constructor(bytes: number) {
    this.documentCache = new TextCache(Math.ceil((bytes * 3) / 4), (document) => bytesOf(document))
    this.errorCache = new TextCache(Math.ceil(bytes / 4), (_, text) => 2000 + 4 * text.length)
  }

  get bytes(): number {
    return this.documentCache.bytes + this.errorCache.bytes
  }
}

/** As Yoga uses it. */
class TextCache<Value extends object> {
  readonly #asked = new SeenBefore()
  readonly #kept: LRUCache<string, Value>

  constructor(maxSize: number, sizeCalculation: (value: Value, text: string) => number) {
    this.#kept = new LRUCache({ maxSize, sizeCalculation })
  }

  get bytes(): number {
    return this.#kept.calculatedSize
  }

  get(text: string): Value | undefined {
    return this.#kept.get(text)
  }

  set(text: string, value: Value): void {
    if (!this.#asked.isFirst(text)) this.#kept.set(text, value)
  }
}
