// The texts of rows that were written before: true because a text is kept by the object of its document, and a document that
// has changed is another object. The fields that a row has of its own follow from that object alone.
//
// A row that also shows documents it points at is kept in pieces, with gaps between them:
//
//   {"title":"On Foxes","writers":[ … , … ]}
//    piece               gap               piece
//
// The pieces and the ids of a gap follow from the row alone. The documents behind the ids are looked up in every run, and
// as long as their texts are the same strings as in the last run, so is the text of the row.
//
// A text lives no longer than its document in the store's memory. All texts together stay within a number of bytes: beyond
// it, all are dropped.

import type { StoredDocument } from '../../store/store.ts'
import type { DocumentTexts } from './field-writer.ts'
import type { PlanNode } from '../../plan/plan.ts'
import type { Growth } from '../answer/answer-too-large.ts'
import { addRows, type Run } from './run.ts'

/** The text of a row, in pieces between its gaps. */
export type Pieces = readonly string[]

/** The rows of one plan node. */
export interface RowCache<Cached = Pieces> {
  readonly cached: { readonly get: (row: StoredDocument) => Cached | undefined }
  readonly add: (row: StoredDocument, cached: Cached) => Cached
  /** A cached row takes more bytes than before. */
  readonly grow: (bytes: number) => void
}

export class RowCaches {
  readonly #maxBytes: number
  readonly #inUse = new Set<ClearableMap<object>>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Bytes added since all texts were dropped. Texts that went with their documents still count: nothing tells when they go. */
  get bytes(): number {
    return this.#bytes
  }

  /** For the rows of one plan node. */
  create<Cached extends object>(piecesIn: (cached: Cached) => Pieces): RowCache<Cached> {
    const cached = new ClearableMap<Cached>()
    return {
      cached,
      add: (row, value) => {
        this.#grow(piecesIn(value).reduce((sum, piece) => sum + flat(piece).length, bytesPerRow))
        this.#inUse.add(cached)
        cached.set(row, value)
        return value
      },
      grow: (bytes) => this.#grow(bytes),
    }
  }

  #grow(bytes: number): void {
    if (this.#bytes + bytes > this.#maxBytes) this.#clear()
    this.#bytes += bytes
  }

  #clear(): void {
    for (const cached of this.#inUse) cached.clear()
    this.#inUse.clear()
    this.#bytes = 0
  }
}

/** A row with gaps. */
export class PointingRow {
  readonly pieces: Pieces
  /** The ids for each gap; undefined for a gap that takes more than ids. */
  readonly ids: readonly (readonly string[] | undefined)[]
  /** What each gap held when the text was made. */
  gaps: readonly DocumentTexts[] = []
  text: string | undefined = undefined
  /** The last run that found the text to be right. Within a run, the row is written once. */
  run = 0
  /** How many rows of each relation its pieces show, and its whole text; unknown if they were not counted when the text was made. */
  readonly own: Counts | undefined
  shown: Counts | undefined = undefined
  /** How many documents it shows behind references, itself included if a reference shows it. */
  rows = 0

  constructor(pieces: Pieces, ids: readonly (readonly string[] | undefined)[], own: Counts | undefined) {
    this.pieces = pieces
    this.ids = ids
    this.own = own
  }
}

/** By the number of the relation. */
export type Counts = number[]

/** Restarts the count of rows of each relation, for one row that is shown once; undefined if they are not needed. */
export function beginCounting(run: Run): Counts | undefined {
  if (run.zeros === undefined) return undefined
  run.weight = 1
  return (run.counting = run.zeros.slice())
}

/** Goes on with what was being counted before. */
export function endCounting(run: Run, counting: Counts | undefined, weight: number): void {
  run.counting = counting
  run.weight = weight
}

/** The text of a row, whose relations count as often as it is shown. */
export function showRow(run: Run, { text, shown, rows }: Pick<PointingRow, 'text' | 'shown' | 'rows'>, node: PlanNode | undefined): string {
  const { counting, weight } = run
  addRows(run, rows, node)
  if (counting !== undefined) for (let at = 0; at < counting.length; at++) counting[at]! += weight * shown![at]!
  return text!
}

export function updateRow({ grow }: Pick<RowCache<PointingRow>, 'grow'>, row: PointingRow, gaps: readonly DocumentTexts[], text: string, below: Counts | undefined, run: Run, growth: Growth): void {
  row.gaps = gaps
  row.text = flat(growth.add(text, run))
  row.shown = below?.map((count, at) => count + row.own![at]!)
  grow(gaps.reduce((sum, texts) => sum + 8 * texts.length, text.length + bytesPerUpdate))
}

/** Writes the document with an id; undefined if there is none. */
export type TextById = (id: string, run: Run) => string | undefined

/** `target` is the number of the lookup: a document that is not in memory is read together with the others. */
export function textsOf(ids: readonly string[], textById: TextById, run: Run, target: number): DocumentTexts {
  run.lookups[target]!.together = ids
  return ids.map((id) => textById(id, run))
}

/** Cached texts are the same strings, which a comparison sees without looking into them. */
export function areUnchanged(ids: readonly string[], texts: DocumentTexts, textById: TextById, run: Run, target: number): boolean {
  run.lookups[target]!.together = ids
  for (let at = 0; at < ids.length; at++) if (textById(ids[at]!, run) !== texts[at]) return false
  return true
}

/** Flattens a concatenated string, which V8 otherwise keeps as a tree of its parts: a text that is shown many times should be one string. */
export function flat(text: string): string {
  text.charCodeAt(text.length - 1)
  return text
}

/** A weak map that can be cleared: it keeps no document alive. */
class ClearableMap<Value extends object> {
  #byRow = new WeakMap<StoredDocument, Value>()

  get(row: StoredDocument): Value | undefined {
    return this.#byRow.get(row)
  }

  set(row: StoredDocument, value: Value): void {
    this.#byRow.set(row, value)
  }

  clear(): void {
    this.#byRow = new WeakMap()
  }
}

/** The entry of a half-empty map, the array of pieces and the headers of two of them. */
const bytesPerRow = 200
/** The arrays of gaps and texts, and the header of the text. */
const bytesPerUpdate = 100
