// Documents that were parsed, and texts that could not be, within a number of bytes: Yoga would keep a number of
// documents, whatever their size. Verdicts of validation stay with their document.

import { LRUCache } from 'lru-cache'
import type { DocumentNode } from 'graphql'
import { bytesOf } from '../../execute/document-bytes.ts'

export class DocumentCaches {
  readonly documentCache: LRUCache<string, DocumentNode>
  readonly errorCache: LRUCache<string, Error>

  /** A quarter is for what is wrong, so that mistakes do not drive out what is right. */
  constructor(bytes: number) {
    this.documentCache = new LRUCache({ maxSize: Math.ceil((bytes * 3) / 4), sizeCalculation: (document) => bytesOf(document) })
    this.errorCache = new LRUCache({ maxSize: Math.ceil(bytes / 4), sizeCalculation: (_, text) => 2000 + 4 * text.length })
  }

  get bytes(): number {
    return this.documentCache.calculatedSize + this.errorCache.calculatedSize
  }
}
