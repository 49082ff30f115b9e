// The texts of rows that have been written before. Stores hand out the same object for a document as long as it
// has not changed, and what a row shows without asking anyone follows from its document alone. So the text that
// was made of that object once is its text for good: nothing here can be out of date, because a document that has
// changed is another object.
//
// Texts go with their documents: one that has changed, or that its store has let go, is not kept for being
// remembered here. Everything together stays within a number of bytes; beyond it all of it is forgotten.

import type { StoredDocument } from '../store/store.ts'

/** The text of a row, in pieces: between them comes what had to be looked up. */
export type Pieces = readonly string[]

export interface RememberedRows {
  readonly known: { readonly get: (row: StoredDocument) => Pieces | undefined }
  readonly remember: (row: StoredDocument, pieces: Pieces) => Pieces
}

export class RowTexts {
  readonly #most: number
  readonly #places = new Set<Known>()
  #bytes = 0

  constructor(bytes: number) {
    this.#most = bytes
  }

  /** How much has been remembered since all was forgotten. What has gone with its document is counted until then: it goes without a word. */
  get bytes(): number {
    return this.#bytes
  }

  /** For one place of one plan. */
  place(): RememberedRows {
    const known = new Known()
    return {
      known,
      remember: (row, pieces) => {
        const bytes = pieces.reduce((sum, piece) => sum + flat(piece).length, bytesBesides)
        if (this.#bytes + bytes > this.#most) this.#forget()
        this.#bytes += bytes
        this.#places.add(known)
        known.set(row, pieces)
        return pieces
      },
    }
  }

  #forget(): void {
    for (const known of this.#places) known.clear()
    this.#places.clear()
    this.#bytes = 0
  }
}

/** A map that does not keep documents alive, and that can be emptied. */
class Known {
  #pieces = new WeakMap<StoredDocument, Pieces>()

  get(row: StoredDocument): Pieces | undefined {
    return this.#pieces.get(row)
  }

  set(row: StoredDocument, pieces: Pieces): void {
    this.#pieces.set(row, pieces)
  }

  clear(): void {
    this.#pieces = new WeakMap()
  }
}

/** A text that was put together from others stays in parts until someone looks into it. What is shown again and again had better be one. */
export function flat(text: string): string {
  text.charCodeAt(text.length - 1)
  return text
}

/** The entry, the list of pieces and the heads of two of them, where half of the entries are free. */
const bytesBesides = 200
