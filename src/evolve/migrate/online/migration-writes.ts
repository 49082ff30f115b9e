// What a gateway writes besides its documents while an online migration runs: in the `both` phase the other form of each document, in the
// `copy` phase change marks. A write reads the migration record in its own transaction, so no write after the record is without them.
// Where the store is atomic per partition, the marks are written just before the documents.

import { sameJson } from '../../../model/json/same-json.ts'
import type { Json } from '../../../model/json/json.ts'
import type { Declaration } from '../../../relations/declaration.ts'
import type { Entry } from '../../../relations/maintenance.ts'
import { whenReady } from '../../../store/maybe-promise.ts'
import { StoreUnavailableError } from '../../../store/store-errors.ts'
import type { Store, StoredDocument, Write } from '../../../store/store.ts'
import { TenantStore } from '../../../store/tenants/tenant-store.ts'
import { writeAll } from '../../../store/write-all.ts'
import type { MigrationWrites } from '../../../write/writer.ts'
import { declaredStorage } from '../../declared/declared-storage.ts'
import type { MigrationGate } from './migration-gate.ts'
import { movesFor, withBothForms, withNewForm, type PropertyMoves } from './property-moves.ts'
import { createChangeMarks } from './change-marks.ts'

/** For the writer of a store, or of one tenant's view of it. */
export function createMigrationWrites(declared: Declaration, gate: MigrationGate): (store: Store) => MigrationWrites {
  const marks = createChangeMarks(declared.model)
  let known: { readonly etag: string; readonly isNew: boolean } | undefined
  const isNew = (record: StoredDocument): boolean => {
    if (known?.etag !== record.etag) known = { etag: record.etag, isNew: sameJson(record.body['to'], declaredStorage(declared.model) as unknown as Json) }
    return known.isNew
  }
  return (store) => {
    const tenant = store instanceof TenantStore ? store.tenant : undefined
    const marksFor = (record: StoredDocument | undefined, entries: readonly Entry[]): readonly Write[] => (record?.body['phase'] === 'copy' || record?.body['phase'] === 'freeze' ? marks(entries, tenant) : [])
    return {
      inTransaction: (writes, entries) => whenReady(gate.lookInTransaction(), (record) => {
        const phase = record?.body['phase']
        if (phase === 'copy') return [...writes, ...marksFor(record, entries)]
        return record && (phase === 'both' || phase === 'contract') ? inForms(record, isNew(record) ? 'new' : 'old', writes) : writes
      }),
      before: (entries, goesOn) => whenReady(gate.lookBeforeWrite(goesOn), (record) => writeMarks(store, marksFor(record, entries))),
    }
  }
}

function writeMarks(store: Store, marks: readonly Write[]): Promise<void> | undefined {
  return marks.length === 0 ? undefined : writeAll(store, marks)
}

function inForms(record: StoredDocument, by: 'old' | 'new', writes: readonly Write[]): readonly Write[] {
  const phase = record.body['phase']
  if (phase === 'contract' && by === 'old') throw new StoreUnavailableError('Nothing was written: the documents have the form of a newer schema. Restart the gateway with that schema.')
  const moves = record.body['moves'] as unknown as readonly PropertyMoves[]
  return writes.map((write): Write => {
    const own = write.kind === 'put' ? movesFor(moves, write.container, write.body) : undefined
    if (!own || write.kind !== 'put') return write
    return { ...write, body: phase === 'both' ? withBothForms(write.body, own, by) : withNewForm(write.body, own) }
  })
}
