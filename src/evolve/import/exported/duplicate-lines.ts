// Finds two lines of a file with the same document. An export is in order, so this takes memory only for files that were edited or concatenated.

import { createHash } from 'node:crypto'
import { rowsOf, type Row, type RowFile } from '../rows/rows.ts'

/** The numbers of the first two such lines. */
export async function repeated(file: RowFile, nameOf: (row: Row) => string | undefined): Promise<readonly [number, number] | undefined> {
  return (await isAscending(file, nameOf)) ? undefined : firstRepeated(file, nameOf)
}

async function isAscending(file: RowFile, nameOf: (row: Row) => string | undefined): Promise<boolean> {
  let last: string | undefined
  for await (const rows of rowsOf(file)) {
    for (const row of rows) {
      const name = nameOf(row)
      if (name === undefined) continue
      if (last !== undefined && name <= last) return false
      last = name
    }
  }
  return true
}

async function firstRepeated(file: RowFile, nameOf: (row: Row) => string | undefined): Promise<readonly [number, number] | undefined> {
  const seen = new Map<string, number>()
  for await (const rows of rowsOf(file)) {
    for (const row of rows) {
      const name = nameOf(row)
      if (name === undefined) continue
      // A hash takes less memory than a long name.
      const hash = createHash('sha256').update(name).digest('base64url').slice(0, 22)
      const before = seen.get(hash)
      if (before !== undefined) return [before, row.number]
      seen.set(hash, row.number)
    }
  }
  return undefined
}
