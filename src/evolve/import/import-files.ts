// Runs an import: documents in an order in which referenced documents exist already, then the entries of lists, then
// snapshots, lists and counts of all of them. It can be stopped and run again at any time: a run finds stored documents
// unchanged and needs no note from an earlier one.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Declaration } from '../../relations/declaration.ts'
import { selectionOf } from '../../read/selection.ts'
import type { Store } from '../../store/store.ts'
import { Effects } from '../../write/effects.ts'
import { affectedTypes, maintainImported } from './effects-of-import.ts'
import { importDocuments } from './import-documents.ts'
import { importEntries } from './import-entries.ts'
import { importExported } from './exported/import-exported.ts'
import { changesetFor, enumsOf, type Importing, type Rejection, type Totals } from './import-run.ts'
import type { Mapping } from './mapping/mapping.ts'
import { inOrder } from './import-order.ts'
import { rowsOf, type RowFile } from './rows/rows.ts'

export interface ImportOptions {
  /** Checks everything and writes nothing. Keeps all pending documents in memory. */
  readonly dryRun?: boolean
  readonly onRejection?: (rejection: Rejection) => void
  readonly onProgress?: (done: number, total: number, what: 'rows' | 'documents') => void
  /** Stops the import after the current batch. */
  readonly signal?: AbortSignal
}

export async function importFiles(declaration: Declaration, store: Store, mapping: Mapping, options: ImportOptions = {}): Promise<Totals> {
  const { dryRun = false, onRejection, onProgress, signal } = options
  const totals: Totals = { rows: 0, skipped: 0, refused: 0, repeated: 0, created: 0, changed: 0, unchanged: 0, entries: 0, lists: 0, listsChanged: 0, followed: 0 }
  const effects = new Effects(declaration)
  const { documents: mapped, entries, whole = [] } = mapping
  const total = onProgress ? await countRows([...mapped, ...entries, ...whole].map(({ file }) => file)) : 0
  const pause = async (): Promise<void> => {
    // A store in this process answers synchronously: without this, no signal or timer would ever be handled.
    await nextTurn()
    signal?.throwIfAborted()
  }
  // Several mapping entries can reject the same row; each reason is reported once.
  const reasonsAt = new Map<string, Set<string>>()
  const reportOnce = (place: string, rejection: Rejection): void => {
    const reasons = reasonsAt.get(place) ?? new Set()
    if (reasons.has(rejection.reason)) return
    reasonsAt.set(place, reasons.add(rejection.reason))
    totals.refused = reasonsAt.size
    onRejection?.(rejection)
  }
  const importing: Importing = {
    declaration, store, effects, dryRun, totals,
    enums: enumsOf(declaration),
    pending: changesetFor({ store, effects }),
    reject: ({ name: file }, row, reason) => reportOnce(`row ${row} ${file}`, { file, row, reason }),
    rejectDocument: (type, id, reason) => reportOnce(`document ${type} ${id}`, { type, id, reason }),
    async advance(rows) {
      totals.rows += rows
      onProgress?.(totals.rows, total, 'rows')
      await pause()
    },
  }
  await pause()
  for (const from of whole) await importExported(importing, from)
  for (const from of inOrder(declaration.model, mapped)) await importDocuments(importing, from)
  for (const from of entries) await importEntries(importing, from)
  if (dryRun) return totals
  const types = affectedTypes(importing, new Set([...mapped, ...whole].map(({ type }) => type)))
  const documents = (await Promise.all(types.map(async (type) => store.count(selectionOf(type))))).reduce((sum, count) => sum + count, 0)
  let checked = 0
  await maintainImported(importing, types, async (more) => {
    checked += more
    onProgress?.(checked, documents, 'documents')
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
