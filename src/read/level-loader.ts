// Loads the documents of one type by their ids, level after level of a compiled plan. Every id gets a slot, the
// same for the whole request, so that levels work with numbers: an id is hashed once for each row that holds
// it, and nothing else is hashed.

import { allRead, Pending, whenRead, type MaybePending } from '../store/maybe-promise.ts'
import type { StoredDocument } from '../store/store.ts'

export class LevelLoader {
  /** By slot; undefined where there is no such document, or it has not been read yet. */
  readonly documents: (StoredDocument | undefined)[] = []
  readonly #read: (ids: readonly string[]) => MaybePending<readonly (StoredDocument | undefined)[]>
  readonly #slots = new Map<string, number>()
  /** By slot, the level that asked for it last. */
  readonly #askedBy: number[] = []
  #levels = 0
  /** Ids that have a slot and have not been read. */
  #unread: string[] = []
  #reading: MaybePending<void> = undefined
  /** By slot, whether its document has been read, or was found missing. */
  readonly #isRead: boolean[] = []
  #hasFailed = false

  /** `read` returns the documents of these ids, in their order. */
  constructor(read: (ids: readonly string[]) => MaybePending<readonly (StoredDocument | undefined)[]>) {
    this.#read = read
  }

  /** Whether a document has been asked for here, and can be expected. */
  has(id: string): boolean {
    return !this.#hasFailed && this.#slots.has(id)
  }

  /** A document that has been asked for, which may be under way. */
  get(id: string): MaybePending<StoredDocument | undefined> {
    const slot = this.#slots.get(id)!
    return this.#isRead[slot] ? this.documents[slot] : whenRead(this.read([slot]), () => this.documents[slot])
  }

  /** Begins a level; `slot` takes its number with each id. */
  level(): number {
    return ++this.#levels
  }

  /** The slot of an id. If the level asks for it for the first time, its slot is added to `distinct`. */
  slot(id: string, level: number, distinct: number[]): number {
    let slot = this.#slots.get(id)
    if (slot === undefined) {
      slot = this.#slots.size
      this.#slots.set(id, slot)
      this.documents.push(undefined)
      this.#unread.push(id)
    }
    if (this.#askedBy[slot] !== level) {
      this.#askedBy[slot] = level
      distinct.push(slot)
    }
    return slot
  }

  /** Reads every id that has a slot and was not read; waits for those in these slots, if for any. */
  read(slots: readonly number[]): MaybePending<void> {
    if (slots.every((slot) => this.#isRead[slot])) return undefined
    if (this.#unread.length > 0) {
      const before = this.#reading
      const filled = this.#fill()
      this.#reading = before === undefined ? filled : whenRead(allRead(2, (at) => [before, filled][at]), () => undefined)
    }
    return this.#reading
  }

  #attempt(ids: readonly string[]): MaybePending<readonly (StoredDocument | undefined)[]> {
    const failed = (error: unknown): never => {
      this.#hasFailed = true
      throw error
    }
    try {
      const reading = this.#read(ids)
      return reading instanceof Promise || reading instanceof Pending ? reading.then(undefined, failed) : reading
    } catch (error) {
      return failed(error)
    }
  }

  #fill(): MaybePending<void> {
    const ids = this.#unread
    const from = this.documents.length - ids.length
    this.#unread = []
    return whenRead(this.#attempt(ids), (documents) => {
      for (let at = 0; at < ids.length; at++) {
        this.documents[from + at] = documents[at]
        this.#isRead[from + at] = true
      }
    })
  }
}
