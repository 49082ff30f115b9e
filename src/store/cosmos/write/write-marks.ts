// Which writes made a document what it is: every write leaves a mark in it, beside those of the few
// writes before. A writer whose answer was lost finds his mark there even after others have written on
// top of his, or finds that it is not there, and knows.
//
// The marks of a document are remembered by its etag from when it was last read, because whoever writes
// it next hands in the etag and not the marks.

/** Says that there may have been writes before that nobody knows of. */
const unknownPast = '?'
/** How many are kept. So many writes on top of one whose answer is being waited for do not happen. */
const mostMarks = 8
/** How many documents are remembered. */
const mostRemembered = 10_000

export class Marks {
  readonly #byEtag = new Map<string, readonly string[]>()

  saw(etag: string, marks: unknown): void {
    this.#byEtag.delete(etag)
    this.#byEtag.set(etag, Array.isArray(marks) ? (marks as string[]) : [])
    if (this.#byEtag.size > mostRemembered) this.#byEtag.delete(this.#byEtag.keys().next().value!)
  }

  /** What a write on top of that etag leaves; without one, on top of whatever is there. */
  after(etag: string | undefined, mark: string): string[] {
    const before = etag === undefined ? undefined : this.#byEtag.get(etag)
    return [mark, ...(before ?? [unknownPast])].slice(0, mostMarks)
  }
}

/**
 * Whether the write that was to leave these marks is among those that a document carries: undefined when
 * nobody can tell. Where the mark that it was to be written on top of is there, all since then are.
 */
export function wasMade([mark, base]: readonly string[], marks: unknown): boolean | undefined {
  if (!Array.isArray(marks)) return undefined
  if (marks.includes(mark)) return true
  const complete = base !== undefined && base !== unknownPast ? marks.includes(base) : !marks.includes(unknownPast) && marks.length < mostMarks
  return complete ? false : undefined
}
