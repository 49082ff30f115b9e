// Rows with the same id can be anywhere in a file, so an import remembers the ids that it has seen. To bound that memory,
// a large file is read in several passes, each for another part of the ids.

import { cellText } from '../mapping/id-rule.ts'
import type { Skip } from '../mapping/mapping.ts'
import { bytesOf, rowsOf, type Row, type RowFile } from './rows.ts'

/** A file up to this size needs one pass. */
const bytesPerPass = 128 * 1024 * 1024

export interface Pass {
  /** Whether an id belongs to this pass. */
  readonly has: (id: string) => boolean
  /** Rows that belong to no id are counted and rejected in the first pass only. */
  readonly first: boolean
}

export function passesOf(file: RowFile, perPass = bytesPerPass): Pass[] {
  const passes = Math.max(1, Math.ceil((bytesOf(file) ?? 0) / perPass))
  return Array.from({ length: passes }, (_, pass) => ({ has: (id) => passes === 1 || hashOf(id) % passes === pass, first: pass === 0 }))
}

/** The rows that the mapping does not skip, some at a time. */
export async function* rowsWithout(file: RowFile, skip: readonly Skip[]): AsyncGenerator<{ rows: readonly Row[]; skipped: number }> {
  for await (const all of rowsOf(file)) {
    const rows = skip.length === 0 ? all : all.filter((row) => row.problem !== undefined || !skip.some(({ column, is }) => is.includes(cellText(row.cell(column)))))
    yield { rows, skipped: all.length - rows.length }
  }
}

/** FNV-1a: fast; it need not resist attacks. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
