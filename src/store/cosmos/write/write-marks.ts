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
/** The number of etags whose marks are remembered. */
const maxRemembered = 10_000

export class WriteMarks {
  readonly #byEtag = new Map<string, readonly string[]>()

  remember(etag: string, marks: unknown): void {
    this.#byEtag.delete(etag)
    this.#byEtag.set(etag, Array.isArray(marks) ? (marks as string[]) : [])
    if (this.#byEtag.size > maxRemembered) this.#byEtag.delete(this.#byEtag.keys().next().value!)
  }

  /** The marks after a write that replaces the document with this etag, or, without an etag, any document. */
  after(etag: string | undefined, mark: string): string[] {
    const before = etag === undefined ? undefined : this.#byEtag.get(etag)
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
