// Rows with the same id can be anywhere in a file, so an import remembers the ids that it has seen. To bound that memory,
// a large file is read in several passes, each for another part of the ids.

import { cellText } from '../mapping/id-rule.ts'
import type { Json } from '../../../model/json/json.ts'
import type { RowSplit, Skip } from '../mapping/mapping.ts'
import { bytesOf, rowsOf, type Row, type RowFile } from './rows.ts'

/** A file up to this size needs one pass. */
const bytesPerPass = 128 * 1024 * 1024

export interface IdPass {
  /** Whether an id belongs to this pass. */
  readonly has: (id: string) => boolean
  /** Rows that belong to no id are counted and rejected in the first pass only. */
  readonly first: boolean
}

export function idPassesOf(file: RowFile, perPass = bytesPerPass): IdPass[] {
  const passes = Math.max(1, Math.ceil((bytesOf(file) ?? 0) / perPass))
  return Array.from({ length: passes }, (_, pass) => ({ has: (id) => passes === 1 || hashOf(id) % passes === pass, first: pass === 0 }))
}

/** The rows that the mapping does not skip, some at a time. `skipped` counts rows of the file of which nothing is left. */
export async function* rowsWithout(file: RowFile, skip: readonly Skip[], split?: RowSplit): AsyncGenerator<{ rows: readonly Row[]; skipped: number }> {
  const isLeft = (row: Row): boolean => row.problem !== undefined || !skip.some(({ column, is }) => is.includes(cellText(row.cell(column))))
  for await (const all of rowsOf(file)) {
    if (!split) {
      const rows = skip.length === 0 ? all : all.filter(isLeft)
      yield { rows, skipped: all.length - rows.length }
      continue
    }
    const pieces = all.map((row) => piecesOf(row, split).filter(isLeft))
    yield { rows: pieces.flatMap((each) => each.map((piece, nth) => (nth === 0 ? piece : { ...piece, isFurther: true as const }))), skipped: pieces.filter(({ length }) => length === 0).length }
  }
}

/** The row once for each part of the cell; a list in JSON has its parts. */
function piecesOf(row: Row, { column, by }: RowSplit): Row[] {
  if (row.problem !== undefined) return [row]
  const cell = row.cell(column)
  const parts = (Array.isArray(cell) ? cell.map((part) => cellText(part as Json)) : cellText(cell).split(by)).map((part) => part.trim()).filter((part) => part !== '')
  return parts.map((part) => ({ ...row, cell: (name) => (name === column ? part : row.cell(name)) }))
}

/** FNV-1a: fast; it need not resist attacks. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
