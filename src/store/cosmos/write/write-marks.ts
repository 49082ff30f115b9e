// Write marks tell which writes a document contains: every write adds its mark to those of the few writes before it. A
// writer whose response was lost finds its mark even after others have written the document again, or finds that it is
// missing, and so knows the outcome.
//
// The marks of a document are remembered by its etag when it is read, because its next writer passes the etag, not the
// marks.

/** Stands for earlier writes that are not known. */
const unknownPast = '?'
/** More writes than this on top of one whose response is still awaited do not happen in practice. */
const maxMarks = 8
/** The marks of at least so many etags are remembered, and of at most twice as many. */
const minRemembered = 5000

export class WriteMarks {
  #recent = new Map<string, readonly string[]>()
  #older: ReadonlyMap<string, readonly string[]> = new Map()

  remember(etag: string, marks: unknown): void {
    // A document with the same etag has the same marks.
    if (this.#recent.has(etag)) return
    if (this.#recent.size === minRemembered) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(etag, Array.isArray(marks) ? (marks as string[]) : [])
  }

  /** The marks after a write that replaces the document with this etag, or, without an etag, any document. */
  after(etag: string | undefined, mark: string): string[] {
    const before = etag === undefined ? undefined : (this.#recent.get(etag) ?? this.#older.get(etag))
    return [mark, ...(before ?? [unknownPast])].slice(0, maxMarks)
  }
}

/**
 * Whether the document with the `found` marks contains the write that was to leave `[mark, base]`; undefined if that
 * cannot be told. If the base is among the marks, so are all writes since then.
 */
export function wasMade([mark, base]: readonly string[], found: unknown): boolean | undefined {
  if (!Array.isArray(found)) return undefined
  if (found.includes(mark)) return true
  const isComplete = base !== undefined && base !== unknownPast ? found.includes(base) : !found.includes(unknownPast) && found.length < maxMarks
  return isComplete ? false : undefined
}
