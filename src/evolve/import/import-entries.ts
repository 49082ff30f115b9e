// Imports rows as entries of bucketed lists. Rows are grouped by the document that owns the list, so that each list is
// read, filled and written once.

import { idFrom } from './mapping/id-rule.ts'
import { fillLists, type EntryRow, type ListRows } from './fill-lists.ts'
import { batchSize, reasonOf, type Importing } from './import-run.ts'
import { inputFrom, RowError } from './row-input.ts'
import type { EntryRows } from './mapping/mapping.ts'
import { idPassesOf, rowsWithout, type IdPass } from './rows/id-passes.ts'

export async function importEntries(importing: Importing, from: EntryRows): Promise<void> {
  for (const pass of idPassesOf(from.file)) {
    const lists = await groupByOwner(importing, from, pass)
    let batch: ListRows[] = []
    let rows = 0
    for (const [ownerId, entries] of lists) {
      batch.push([ownerId, [...entries.values()]])
      rows += entries.size
      if (rows < 5 * batchSize && batch.length < batchSize) continue
      await fillLists(importing, from, batch)
      await importing.advance(rows)
      batch = []
      rows = 0
    }
    await fillLists(importing, from, batch)
    await importing.advance(rows)
  }
}

/** By the id of the owner, then by the id of the entry. */
async function groupByOwner(importing: Importing, { file, skip, of, id: rule, fields }: EntryRows, pass: IdPass): Promise<Map<string, Map<string, EntryRow>>> {
  const lists = new Map<string, Map<string, EntryRow>>()
  for await (const { rows, skipped } of rowsWithout(file, skip)) {
    let done = pass.first ? skipped : 0
    if (pass.first) importing.totals.skipped += skipped
    for (const row of rows) {
      let ownerId: string | undefined
      try {
        if (row.problem !== undefined) throw new RowError(row.problem)
        ownerId = required(idFrom(of, row), `${of.columns.join(' and ')} is empty, but names the document that owns the entry`)
        if (!pass.has(ownerId)) continue
        const id = required(idFrom(rule, row), `${rule.columns.join(' and ')} is empty, but the id is made of it`)
        const list = lists.get(ownerId) ?? new Map<string, EntryRow>()
        lists.set(ownerId, list)
        if (!list.has(id)) list.set(id, { row: row.number, input: { id, ...inputFrom(fields, row, importing.enums) } })
        else {
          importing.totals.repeated++
          done++
        }
      } catch (error) {
        // A row without an owner is reported in the first pass, any other in the pass of its owner.
        if (ownerId === undefined && !pass.first) continue
        importing.reject(file, row.number, reasonOf(error))
        done++
      }
    }
    await importing.advance(done)
  }
  return lists
}

function required(id: string | undefined, otherwise: string): string {
  if (id === undefined) throw new RowError(otherwise)
  return id
}
