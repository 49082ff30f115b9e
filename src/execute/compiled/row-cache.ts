// The texts of rows that have been written before. Stores hand out the same object for a document as long as it
// has not changed, and what a row shows without asking anyone follows from its document alone. So the text that
// was made of that object once is its text for good: nothing here can be out of date, because a document that has
// changed is another object.
//
// Texts go with their documents: one that has changed, or that its store has let go, is not kept for being
// remembered here. Everything together stays within a number of bytes; beyond it all of it is forgotten.

import type { StoredDocument } from '../../store/store.ts'

/** The text of a row, in pieces: between them comes what had to be looked up. */
export type Pieces = readonly string[]

export interface RememberedRows<Remembered = Pieces> {
  readonly known: { readonly get: (row: StoredDocument) => Remembered | undefined }
  readonly remember: (row: StoredDocument, remembered: Remembered) => Remembered
  /** What is remembered takes more than it did. */
  readonly grow: (bytes: number) => void
}

export class RowTexts {
  readonly #most: number
  readonly #places = new Set<Known<object>>()
  #bytes = 0

  constructor(bytes: number) {
    this.#most = bytes
  }

  /** How much has been remembered since all was forgotten. What has gone with its document is counted until then: it goes without a word. */
  get bytes(): number {
    return this.#bytes
  }

  /** For one place of one plan, where texts are remembered as they are or as part of something. */
  place<Remembered extends object>(piecesIn: (remembered: Remembered) => Pieces): RememberedRows<Remembered> {
    const known = new Known<Remembered>()
    return {
      known,
      remember: (row, remembered) => {
        this.#grow(piecesIn(remembered).reduce((sum, piece) => sum + flat(piece).length, bytesBesides))
        this.#places.add(known)
        known.set(row, remembered)
        return remembered
      },
      grow: (bytes) => this.#grow(bytes),
    }
  }

  #grow(bytes: number): void {
    if (this.#bytes + bytes > this.#most) this.#forget()
    this.#bytes += bytes
  }

  #forget(): void {
    for (const known of this.#places) known.clear()
    this.#places.clear()
    this.#bytes = 0
  }
}

/** A map that does not keep documents alive, and that can be emptied. */
class Known<Remembered extends object> {
  #byRow = new WeakMap<StoredDocument, Remembered>()

  get(row: StoredDocument): Remembered | undefined {
    return this.#byRow.get(row)
  }

  set(row: StoredDocument, remembered: Remembered): void {
    this.#byRow.set(row, remembered)
  }

  clear(): void {
    this.#byRow = new WeakMap()
  }
}

/** A text that was put together from others stays in parts until someone looks into it. What is shown again and again had better be one. */
export function flat(text: string): string {
  text.charCodeAt(text.length - 1)
  return text
}

/** The entry, the list of pieces and the heads of two of them, where half of the entries are free. */
const bytesBesides = 200
