// What a write has read so far, so that nothing is read twice: documents by their keys, keys at which there was none, and the keys of
// documents whose id alone does not tell their partition. Pending changes are the changeset's part.

import { AddressMap, type Key } from '../../model/keys/key.ts'
import { keyById } from '../../model/keys/partition.ts'
import type { DocumentType } from '../../model/model.ts'
import type { StoredDocument } from '../../store/store.ts'

/** As much of a document as writes look at. */
export type KnownDocument = Pick<StoredDocument, 'key' | 'etag' | 'body'>

export class KnownDocuments {
  /** When the first of them may have been read. */
  readonly sinceMs: number
  readonly #found = new AddressMap<KnownDocument>()
  readonly #absent = new AddressMap<Key>()
  /** By id; null where there was none. */
  readonly #keys = new Map<DocumentType, Map<string, Key | null>>()

  constructor(sinceMs: number) {
    this.sinceMs = sinceMs
  }

  at(container: string, key: Key): KnownDocument | undefined {
    return this.#found.get(container, key)
  }

  isAbsentAt(container: string, key: Key): boolean {
    return this.#absent.get(container, key) !== undefined
  }

  /** Where a document is or would be; null where it was looked for in vain, undefined where it is not known. */
  keyOf(type: DocumentType, id: string): Key | null | undefined {
    return keyById(type)?.(id) ?? this.#keys.get(type)?.get(id)
  }

  add(container: string, document: KnownDocument): void {
    this.#found.set(container, document.key, document)
  }

  addAbsent(container: string, key: Key): void {
    this.#absent.set(container, key, key)
  }

  addKey(type: DocumentType, id: string, key: Key | null): void {
    const keys = this.#keys.get(type)
    if (keys) keys.set(id, key)
    else this.#keys.set(type, new Map([[id, key]]))
  }
}
