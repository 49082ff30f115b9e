// Yoga's caches of parsed documents and of parse errors, limited in bytes: Yoga itself would limit only their number,
// whatever their size. The result of validation is kept with the document.

import { LRUCache } from 'lru-cache'
import type { DocumentNode } from 'graphql'
import { bytesOf } from '../../execute/document-bytes.ts'

export class ParsedDocuments {
  readonly documentCache: LRUCache<string, DocumentNode>
  readonly errorCache: LRUCache<string, Error>

  /** Errors get a quarter of their own, so that invalid documents cannot evict valid ones. */
  constructor(bytes: number) {
    this.documentCache = new LRUCache({ maxSize: Math.ceil((bytes * 3) / 4), sizeCalculation: (document) => bytesOf(document) })
    this.errorCache = new LRUCache({ maxSize: Math.ceil(bytes / 4), sizeCalculation: (_, text) => 2000 + 4 * text.length })
  }

  get bytes(): number {
    return this.documentCache.calculatedSize + this.errorCache.calculatedSize
  }
}
