// Which documents have been written since the last commit, and what they are then. Until it is made, or not,
// only those who will be committed with them may know.

import type { Key } from '../../model/keys/key.ts'
import { AddressMap } from '../../model/keys/address-map.ts'
import type { StoredDocument } from '../store.ts'

export interface UncommittedDocument {
  readonly container: string
  readonly key: Key
  /** The key as text. */
  readonly text: string
  /** As it was written; 'gone' when it was deleted, 'unknown' when that write was undone and others may have come before it. */
  readonly now: StoredDocument | 'gone' | 'unknown'
  /** Whether there was another one before. */
  readonly replaces: boolean
}

export class Uncommitted {
  readonly #documents = new AddressMap<UncommittedDocument>()
  readonly #byEtag = new Map<string, UncommittedDocument>()

  add(written: UncommittedDocument): void {
    const { container, key, now } = written
    this.#documents.set(container, key, written)
    if (typeof now === 'object') this.#byEtag.set(now.etag, written)
  }

  touches(container: string): boolean {
    return this.#documents.touches(container)
  }

  at(container: string, key: Key): UncommittedDocument | undefined {
    return this.#documents.get(container, key)
  }

  /** The document that a row holds, if it was written with this etag. */
  withEtag(container: string, text: string, etag: string): StoredDocument | undefined {
    const written = this.#byEtag.get(etag)
    return written?.text === text && written.container === container && typeof written.now === 'object' ? written.now : undefined
  }

  /** All of them, and none from now on. */
  *settle(): Generator<UncommittedDocument> {
    yield* this.#documents.values()
    this.#documents.clear()
    this.#byEtag.clear()
  }
}
