// The change feed of the memory store: the last change of each document, in the order of changing.
// Which containers are followed is the store's to know.

import { keyText } from '../../model/keys/key.ts'
import { feedParts, partOf, type FeedEntry } from '../in-process/feed-points.ts'
import type { StoredDocument } from '../store.ts'

/** The document as the write left it, or as it was before it was deleted. */
export interface MemoryChange {
  readonly container: string
  readonly document: StoredDocument
  readonly deleted: boolean
}

export class MemoryFeed {
  readonly #parts: ReadonlyMap<string, Map<string, FeedEntry>> = new Map(feedParts.map((part) => [part, new Map()]))
  #sequence = 0
  #at = 0

  /** The changes of one write, made and visible together. */
  add(changes: readonly MemoryChange[]): void {
    // Never earlier than before, even when the clock is set back: an entry's time holds for all in front of it.
    this.#at = Math.max(this.#at, Date.now())
    for (const { container, document, deleted } of changes) {
      const { key, body, bytes } = document
      const entries = this.#parts.get(partOf(key.partition))!
      const name = JSON.stringify([container, keyText(key)])
      // Taken out first: a map keeps the order in which its names came, and this one comes anew.
      entries.delete(name)
      entries.set(name, { sequence: ++this.#sequence, bytes, change: Object.freeze({ container, key, deleted, body, at: this.#at }) })
    }
  }

  /** The sequence that was handed out last. */
  get last(): number {
    return this.#sequence
  }

  behind(part: string, sequence: number, limit: number): FeedEntry[] {
    const entries = this.#parts.get(part)!.values()
    return entries.filter((entry) => entry.sequence > sequence).take(limit).toArray()
  }
}
