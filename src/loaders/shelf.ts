// The documents of one type that a request has asked for by id, level after level. Every id has a place,
// the same for the whole request, so that levels deal in numbers: an id is hashed once for each time that a
// row holds it, and nothing else is.

import type { StoredDocument } from '../store/store.ts'

export class Shelf {
  /** By place; undefined where there is no such document, or it has not been read yet. */
  readonly documents: (StoredDocument | undefined)[] = []
  readonly #read: (ids: readonly string[]) => Promise<readonly (StoredDocument | undefined)[]>
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
  constructor(read: (ids: readonly string[]) => Promise<readonly (StoredDocument | undefined)[]>) {
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

  /** Resolves when every id that has a place has been read. */
  async read(): Promise<void> {
    if (this.#unread.length > 0) this.#reading = this.#readingAlso(this.#reading)
    await this.#reading
  }

  async #readingAlso(before: Promise<void> | undefined): Promise<void> {
    await Promise.all([before, this.#fill()])
  }

  async #fill(): Promise<void> {
    const ids = this.#unread
    const from = this.documents.length - ids.length
    this.#unread = []
    this.#underway++
    const documents = await this.#read(ids)
    this.#underway--
    for (let at = 0; at < ids.length; at++) this.documents[from + at] = documents[at]
  }
}
