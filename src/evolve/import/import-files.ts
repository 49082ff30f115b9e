// An import from beginning to end: documents in an order in which whatever they point at is there
// already, then the entries of lists, then what follows from all of them. It can be stopped anywhere and
// begun again: what is stored already is found unchanged, and no run leaves a note for the next.

import { setImmediate as turn } from 'node:timers/promises'
import type { Declaration } from '../../relations/declaration.ts'
import { selectionOf } from '../../read/selection.ts'
import type { Store } from '../../store/store.ts'
import { Effects } from '../../write/effects.ts'
import { maintainImported, holdersOf } from './effects-of-import.ts'
import { importDocuments } from './import-documents.ts'
import { importEntries } from './import-entries.ts'
import { changesetFor, enumsOf, type Importing, type Refusal, type Totals } from './import-run.ts'
import type { Mapping } from './mapping.ts'
import { inOrder } from './import-order.ts'
import { rowsOf, type RowFile } from './rows.ts'

export interface ImportOptions {
  /** Checks everything and writes nothing. It keeps in memory what it would have written. */
  readonly dryRun?: boolean
  readonly onRefusal?: (refusal: Refusal) => void
  readonly onProgress?: (done: number, total: number, what: 'rows' | 'documents') => void
  /** Ends the import after the batch that is under way. */
  readonly signal?: AbortSignal
}

export async function importFiles(declaration: Declaration, store: Store, mapping: Mapping, options: ImportOptions = {}): Promise<Totals> {
  const { dryRun = false, onRefusal, onProgress, signal } = options
  const totals: Totals = { rows: 0, skipped: 0, refused: 0, repeated: 0, created: 0, changed: 0, unchanged: 0, entries: 0, lists: 0, listsChanged: 0, followed: 0 }
  const effects = new Effects(declaration)
  const total = onProgress ? await countRows([...mapping.documents, ...mapping.entries].map(({ file }) => file)) : 0
  const pause = async (): Promise<void> => {
    // A store in this process answers without anyone waiting: this is when signals and timers have their turn.
    await turn()
    signal?.throwIfAborted()
  }
  // A row of which several things are made can be refused for each of them, and is told once for each reason.
  const refused = new Map<string, Set<string>>()
  const tellOnce = (place: string, refusal: Refusal): void => {
    const reasons = refused.get(place) ?? new Set()
    if (reasons.has(refusal.reason)) return
    refused.set(place, reasons.add(refusal.reason))
    totals.refused = refused.size
    onRefusal?.(refusal)
  }
  const importing: Importing = {
    declaration, store, effects, dryRun, totals,
    enums: enumsOf(declaration),
    pending: changesetFor({ store, effects }),
    refuse: ({ name: file }, row, reason) => tellOnce(`row ${row} ${file}`, { file, row, reason }),
    refuseDocument: (type, id, reason) => tellOnce(`document ${type} ${id}`, { type, id, reason }),
    async turn(rows) {
      totals.rows += rows
      onProgress?.(totals.rows, total, 'rows')
      await pause()
    },
  }
  await pause()
  for (const from of inOrder(declaration.model, mapping.documents)) await importDocuments(importing, from)
  for (const from of mapping.entries) await importEntries(importing, from)
  if (dryRun) return totals
  const holders = holdersOf(importing, new Set(mapping.documents.map(({ type }) => type)))
  const documents = (await Promise.all(holders.map((type) => store.count(selectionOf(type))))).reduce((sum, count) => sum + count, 0)
  let looked = 0
  await maintainImported(importing, holders, async (more) => {
    looked += more
    onProgress?.(looked, documents, 'documents')
    await pause()
  })
  return totals
}

async function countRows(files: readonly RowFile[]): Promise<number> {
  const counts = new Map<string, Promise<number>>()
  for (const file of files) if (!counts.has(file.path)) counts.set(file.path, countIn(file))
  return (await Promise.all(files.map(({ path }) => counts.get(path)!))).reduce((sum, count) => sum + count, 0)
}

async function countIn(file: RowFile): Promise<number> {
  let count = 0
  for await (const rows of rowsOf(file)) count += rows.length
  return count
}
