// The documents of one type that a request has asked for by id, level after level. Every id has a place,
// the same for the whole request, so that levels deal in numbers: an id is hashed once for each time that a
// row holds it, and nothing else is.

import type { MaybePromise } from '../store/maybe-promise.ts'
import type { StoredDocument } from '../store/store.ts'

export class LevelLoader {
  /** By place; undefined where there is no such document, or it has not been read yet. */
  readonly documents: (StoredDocument | undefined)[] = []
  readonly #read: (ids: readonly string[]) => MaybePromise<readonly (StoredDocument | undefined)[]>
  readonly #places = new Map<string, number>()
  /** By place, the level that asked for it last. */
  readonly #askedBy: number[] = []
  #levels = 0
  /** Ids that have a place and that nobody has read. */
  #unread: string[] = []
  #reading: Promise<void> | undefined
  /** How many reads are under way. */
  #underway = 0

  /** `read` answers with the documents of these ids, in their order. */
  constructor(read: (ids: readonly string[]) => MaybePromise<readonly (StoredDocument | undefined)[]>) {
    this.#read = read
  }

  /** Whether a document has been read, or was found missing. */
  has(id: string): boolean {
    return this.#places.has(id) && this.#underway === 0 && this.#unread.length === 0
  }

  get(id: string): StoredDocument | undefined {
    const place = this.#places.get(id)
    return place === undefined ? undefined : this.documents[place]
  }

  /** Begins a level: whoever asks says with each id which level it is. */
  level(): number {
    return ++this.#levels
  }

  /** The place of an id. One that this level has not asked for yet is added to its distinct ones. */
  place(id: string, level: number, distinct: number[]): number {
    let place = this.#places.get(id)
    if (place === undefined) {
      place = this.#places.size
      this.#places.set(id, place)
      this.documents.push(undefined)
      this.#unread.push(id)
    }
    if (this.#askedBy[place] !== level) {
      this.#askedBy[place] = level
      distinct.push(place)
    }
    return place
  }

  /** A document that was read in another way, and need not be read again. One that has a place stays what it was. */
  put(id: string, document: StoredDocument | undefined): void {
    // Those that nobody has read are the last ones.
    if (this.#places.has(id) || this.#unread.length > 0) return
    this.#places.set(id, this.#places.size)
    this.documents.push(document)
  }

  /** There when every id that has a place has been read. */
  read(): MaybePromise<void> {
    if (this.#unread.length > 0) {
      const filled = this.#fill()
      if (filled) this.#reading = this.#readingAlso(this.#reading, filled)
    }
    return this.#reading
  }

  async #readingAlso(before: Promise<void> | undefined, filled: Promise<void>): Promise<void> {
    await Promise.all([before, filled])
  }

  /** A promise where there is something to wait for. */
  #fill(): Promise<void> | undefined {
    const ids = this.#unread
    const from = this.documents.length - ids.length
    this.#unread = []
    const documents = this.#read(ids)
    if (documents instanceof Promise) return this.#fillLater(ids, from, documents)
    this.#fillIn(ids, from, documents)
    return undefined
  }

  async #fillLater(ids: readonly string[], from: number, reading: Promise<readonly (StoredDocument | undefined)[]>): Promise<void> {
    this.#underway++
    const documents = await reading
    this.#underway--
    this.#fillIn(ids, from, documents)
  }

  #fillIn(ids: readonly string[], from: number, documents: readonly (StoredDocument | undefined)[]): void {
    for (let at = 0; at < ids.length; at++) this.documents[from + at] = documents[at]
  }
}
