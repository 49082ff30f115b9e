// The change feed of the memory store: the last change of each document, in the order of changes.

import { keyText } from '../../model/keys/key.ts'
import { feedParts, partOf, type FeedEntry } from '../in-process/feed-parts.ts'
import type { StoredDocument } from '../store.ts'

/** The document as it was written, or as it was before it was deleted. */
export interface MemoryChange {
  readonly container: string
  readonly document: StoredDocument
  readonly deleted: boolean
}

/** A change with its place in the feed, which takes more time to find than to fill. */
export interface PlacedChange {
  readonly change: MemoryChange
  readonly entries: Map<string, FeedEntry>
  readonly name: string
}

export class MemoryFeed {
  readonly #parts: ReadonlyMap<string, Map<string, FeedEntry>> = new Map(feedParts.map((part) => [part, new Map()]))
  #sequence = 0
  #at = 0

  place(change: MemoryChange): PlacedChange {
    const { container, document: { key } } = change
    return { change, entries: this.#parts.get(partOf(key.partition))!, name: JSON.stringify([container, keyText(key)]) }
  }

  /** Adds the changes of one write, which become visible together. */
  add(changes: readonly PlacedChange[]): void {
    // Never earlier than the last entry, even if the clock is set back: an entry's time is a bound for all entries before it.
    this.#at = Math.max(this.#at, Date.now())
    for (const { change: { container, document: { key, body, bytes }, deleted }, entries, name } of changes) {
      // Deleted first, so that the entry moves to the end of the map.
      entries.delete(name)
      entries.set(name, { sequence: ++this.#sequence, bytes, change: Object.freeze({ container, key, deleted, body, at: this.#at }) })
    }
  }

  /** The sequence of the newest entry. */
  get last(): number {
    return this.#sequence
  }

  after(part: string, sequence: number, limit: number): FeedEntry[] {
    const entries = this.#parts.get(part)!.values()
    return entries.filter((entry) => entry.sequence > sequence).take(limit).toArray()
  }
}
