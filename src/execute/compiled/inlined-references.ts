// Rows that show documents they point at, written while those are looked for. It takes a store that has them in hand: then
// there is nothing to gather, and a row is written from top to bottom in one go.
//
//   {"title":"On Foxes","writers":[ … , … ]}
//    piece               gap               piece
//
// What the pieces are and which ids belong into a gap follows from the row alone. What these ids stand for is looked for
// in every run, and as long as the texts of the documents that are found are what they were the last time, so is the
// text of the row. Within a run it is written once, however many others point at it.

import type { DocumentType } from '../../model/model.ts'
import type { Parts } from './parts.ts'
import { flat, type RememberedRows } from './row-cache.ts'
import type { Run } from './run.ts'

/** The types of the documents that are looked for. Code knows them by their number. */
export class Looks {
  readonly targets: DocumentType[] = []

  numberOf(target: DocumentType): number {
    const known = this.targets.indexOf(target)
    return known >= 0 ? known : this.targets.push(target) - 1
  }
}

export class PointingRow {
  readonly pieces: readonly string[]
  /** The ids that belong into each gap; undefined for a gap that takes more than that. */
  readonly ids: readonly (readonly string[] | undefined)[]
  /** What was put into each gap when the text was made. */
  gaps: readonly Parts[] = []
  text: string | undefined = undefined
  /** The run that found it to be so. */
  run = 0

  constructor(pieces: readonly string[], ids: readonly (readonly string[] | undefined)[]) {
    this.pieces = pieces
    this.ids = ids
  }
}

export type RememberedPointingRows = RememberedRows<PointingRow>

export function renew({ grow }: Pick<RememberedPointingRows, 'grow'>, row: PointingRow, gaps: readonly Parts[], text: string): void {
  row.gaps = gaps
  row.text = flat(text)
  grow(gaps.reduce((sum, parts) => sum + 8 * parts.length, text.length + bytesBesides))
}

/** The arrays of gaps and parts, and the head of the text. */
const bytesBesides = 100

/** Writes the document behind an id; undefined if there is none. */
export type TextOf = (id: string, run: Run) => string | undefined

export function partsOf(ids: readonly string[], textOf: TextOf, run: Run): Parts {
  return ids.map((id) => textOf(id, run))
}

/** Texts that are remembered are the same strings, which is seen without looking into them. */
export function areAsBefore(ids: readonly string[], parts: Parts, textOf: TextOf, run: Run): boolean {
  for (let at = 0; at < ids.length; at++) if (textOf(ids[at]!, run) !== parts[at]) return false
  return true
}
