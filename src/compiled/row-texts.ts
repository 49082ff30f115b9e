// The texts of rows that have been written before. Stores hand out the same object for a document as long as it
// has not changed, and what a row shows without asking anyone follows from its document alone. So the text that
// was made of that object once is its text for good: nothing here can be out of date, because a document that has
// changed is another object. Everything together stays within a number of bytes, the documents included, which
// are kept alive by being remembered; beyond it all of it is forgotten.

import type { StoredDocument } from '../store/store.ts'

/** The text of a row, in pieces: between them comes what had to be looked up. */
export type Pieces = readonly string[]

export interface RememberedRows {
  readonly known: ReadonlyMap<StoredDocument, Pieces>
  readonly remember: (row: StoredDocument, pieces: Pieces) => Pieces
}

export class RowTexts {
  readonly #most: number
  readonly #places = new Set<Map<StoredDocument, Pieces>>()
  #bytes = 0

  constructor(bytes: number) {
    this.#most = bytes
  }

  /** How much is kept, as it is counted here. */
  get bytes(): number {
    return this.#bytes
  }

  /** For one place of one plan. */
  place(): RememberedRows {
    const known = new Map<StoredDocument, Pieces>()
    return {
      known,
      remember: (row, pieces) => {
        const bytes = pieces.reduce((sum, piece) => sum + flat(piece).length, row.bytes * bytesPerStoredByte)
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

/** A text that was put together from others stays in parts until someone looks into it. What is shown again and again had better be one. */
export function flat(text: string): string {
  text.charCodeAt(text.length - 1)
  return text
}

/** A parsed document takes about so much more than its text. */
const bytesPerStoredByte = 4
