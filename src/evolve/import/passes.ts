// Rows with the same id can be anywhere in a file. So that what is kept of them fits into memory however
// large the file is, a large one is read several times, each time for another share of the ids.

import { cellText } from './id-rule.ts'
import type { Skip } from './mapping.ts'
import { bytesOf, rowsOf, type Row, type RowFile } from './rows.ts'

/** A file of up to this size is read once. */
const bytesPerPass = 128 * 1024 * 1024

export interface Pass {
  /** Whether an id belongs to this pass. */
  readonly has: (id: string) => boolean
  /** What is said about rows is said in the first pass only. */
  readonly first: boolean
}

export function passesOf(file: RowFile, perPass = bytesPerPass): Pass[] {
  const passes = Math.max(1, Math.ceil((bytesOf(file) ?? 0) / perPass))
  return Array.from({ length: passes }, (_, pass) => ({ has: (id) => passes === 1 || hashOf(id) % passes === pass, first: pass === 0 }))
}

/** The rows that count, some at a time. */
export async function* rowsWithout(file: RowFile, skip: readonly Skip[]): AsyncGenerator<{ rows: readonly Row[]; skipped: number }> {
  for await (const all of rowsOf(file)) {
    const rows = skip.length === 0 ? all : all.filter((row) => row.problem !== undefined || !skip.some(({ column, is }) => is.includes(cellText(row.cell(column)))))
    yield { rows, skipped: all.length - rows.length }
  }
}

/** FNV-1a: quick, and it need not withstand anyone. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
