// Keys that the store was asked for and has no document for: a dangling reference is asked for again and again. True for the same
// reason as the documents of document-cache.ts, which forgets a key as soon as it is written, here or by another connection, and all
// of them when anything may have been. Forgotten all at once when there are too many, too, since clients choose ids.

export class AbsentKeys {
  readonly #max: number
  readonly #names = new Set<string>()

  constructor(bytes: number) {
    this.#max = Math.floor(bytes / bytesPerKey)
  }

  get bytes(): number {
    return this.#names.size * bytesPerKey
  }

  has(container: string, text: string): boolean {
    return this.#names.size > 0 && this.#names.has(nameOf(container, text))
  }

  add(container: string, text: string): void {
    if (text.length > maxKeptLength) return
    if (this.#names.size >= this.#max) this.#names.clear()
    if (this.#max > 0) this.#names.add(nameOf(container, text))
  }

  delete(container: string, text: string): void {
    if (this.#names.size > 0) this.#names.delete(nameOf(container, text))
  }

  clear(): void {
    this.#names.clear()
  }
}

/** A key of usual length, and its place in the set. */
const bytesPerKey = 200

/** Longer keys are not worth the memory. */
const maxKeptLength = 150

/** The text of a key begins with a bracket, so the container ends before it. */
function nameOf(container: string, text: string): string {
  return container + text
}
