// The documents that the open transaction has written. Until the commit, only the writers that share it may see them.

import { AddressMap, type Key } from '../../../model/keys/key.ts'
import type { StoredDocument } from '../../store.ts'

export interface UncommittedDocument {
  readonly container: string
  readonly key: Key
  /** The key as text. */
  readonly text: string
  /** As it was written. 'unknown' if that write was undone, since earlier writes of the transaction may remain. */
  readonly now: StoredDocument | 'deleted' | 'unknown'
  /** Whether the document existed before. */
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

  /** How many documents were stored. */
  get size(): number {
    return this.#byEtag.size
  }

  touches(container: string): boolean {
    return this.#documents.touches(container)
  }

  at(container: string, key: Key): UncommittedDocument | undefined {
    return this.#documents.get(container, key)
  }

  /** The document of a row with this key and etag. */
  withEtag(container: string, text: string, etag: string): StoredDocument | undefined {
    const written = this.#byEtag.get(etag)
    return written?.text === text && written.container === container && typeof written.now === 'object' ? written.now : undefined
  }

  /** Removes and returns all of them. */
  *drain(): Generator<UncommittedDocument> {
    yield* this.#documents.values()
    this.#documents.clear()
    this.#byEtag.clear()
  }
}
