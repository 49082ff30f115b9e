// Which documents have been written since the last commit, and what they are then. Until it is made, or not,
// only those who will be committed with them may know.

import { KeyMap } from '../keys/key-map.ts'
import type { Key } from '../keys/key.ts'
import type { StoredDocument } from './store.ts'

export interface UnsettledDocument {
  readonly container: string
  readonly key: Key
  /** The key as text. */
  readonly text: string
  /** As it was written; 'gone' when it was deleted, 'unknown' when that write was undone and others may have come before it. */
  readonly now: StoredDocument | 'gone' | 'unknown'
  /** Whether there was another one before. */
  readonly replaces: boolean
}

export class Unsettled {
  readonly #byContainer = new Map<string, KeyMap<UnsettledDocument>>()
  readonly #byEtag = new Map<string, UnsettledDocument>()

  add(written: UnsettledDocument): void {
    const { container, key, now } = written
    let documents = this.#byContainer.get(container)
    if (!documents) this.#byContainer.set(container, (documents = new KeyMap<UnsettledDocument>()))
    documents.set(key, written)
    if (typeof now === 'object') this.#byEtag.set(now.etag, written)
  }

  touches(container: string): boolean {
    return this.#byContainer.has(container)
  }

  at(container: string, key: Key): UnsettledDocument | undefined {
    return this.#byContainer.get(container)?.get(key)
  }

  /** The document that a row holds, if it was written with this etag. */
  withEtag(container: string, text: string, etag: string): StoredDocument | undefined {
    const written = this.#byEtag.get(etag)
    return written?.text === text && written.container === container && typeof written.now === 'object' ? written.now : undefined
  }

  /** All of them, and none from now on. */
  *settle(): Generator<UnsettledDocument> {
    for (const documents of this.#byContainer.values()) yield* documents.values()
    this.#byContainer.clear()
    this.#byEtag.clear()
  }
}
