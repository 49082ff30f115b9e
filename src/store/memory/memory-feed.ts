// The change feed of the memory store: the last change of each document, in the order of changes.

import { keyText } from '../../model/keys/key.ts'
import { feedParts, partOf, type FeedEntry } from '../in-process/feed-parts.ts'
import type { StoredDocument } from '../store.ts'

/** The document as it was written, or as it was before it was deleted. */
export interface MemoryChange {
  readonly container: string
  readonly document: StoredDocument
  readonly deleted: boolean
  /** Of its write. */
  readonly settled: number | undefined
}

interface Part {
  readonly entries: Map<string, FeedEntry>
  /** Those of deleted documents, oldest first. */
  readonly deleted: Map<string, FeedEntry>
}

/** A change with its place in the feed, which takes more time to find than to fill. */
export interface PlacedChange {
  readonly change: MemoryChange
  readonly part: Part
  readonly name: string
}

export class MemoryFeed {
  readonly #parts: ReadonlyMap<string, Part> = new Map(feedParts.map((part) => [part, { entries: new Map(), deleted: new Map() }]))
  #sequence = 0
  #at = 0

  place(change: MemoryChange): PlacedChange {
    const { container, document: { key } } = change
    return { change, part: this.#parts.get(partOf(key.partition))!, name: JSON.stringify([container, keyText(key)]) }
  }

  /** Adds the changes of one write, which become visible together. */
  add(changes: readonly PlacedChange[], wallMs: number): void {
    // Never earlier than the last entry, even if the clock is set back: an entry's time is a bound for all entries before it.
    this.#at = Math.max(this.#at, wallMs)
    for (const { change: { container, document: { key, body, bytes }, deleted, settled }, part, name } of changes) {
      const sequence = ++this.#sequence
      const before = part.entries.get(name)
      const isSettled = settled !== undefined && before !== undefined && (before.change.settled === true || before.sequence <= settled)
      const entry = { sequence, bytes, change: Object.freeze({ container, key, deleted, body, at: this.#at, position: sequence, ...(isSettled ? { settled: true } : {}) }) }
      // Deleted first, so that the entry moves to the end of the map.
      part.entries.delete(name)
      part.entries.set(name, entry)
      part.deleted.delete(name)
      if (deleted) part.deleted.set(name, entry)
    }
  }

  /** The sequence of the newest entry. */
  get last(): number {
    return this.#sequence
  }

  after(part: string, sequence: number, limit: number): FeedEntry[] {
    const entries = this.#parts.get(part)!.entries.values()
    return entries.filter((entry) => entry.sequence > sequence).take(limit).toArray()
  }

  canSweep(part: string, upTo: number): boolean {
    const [oldest] = this.#parts.get(part)!.deleted.values()
    return oldest !== undefined && oldest.sequence <= upTo
  }

  sweep(part: string, upTo: number, limit: number): number {
    const { entries, deleted } = this.#parts.get(part)!
    const swept = deleted.entries().take(limit).filter(([, { sequence }]) => sequence <= upTo).toArray()
    for (const [name] of swept) {
      entries.delete(name)
      deleted.delete(name)
    }
    return swept.length
  }
}
