// While documents have the form of two schemas, every gateway writes both: the one that it knows, and the other from it. It reads the record of
// the migration in the transaction of each write, so from the moment the record is there no write is in one form only, and nobody has to
// be asked. Without a migration this costs a write one lookup by key.

import { sameJson } from '../../../model/json/same-json.ts'
import type { Json } from '../../../model/json/json.ts'
import type { Declaration } from '../../../relations/declaration.ts'
import { whenReady, type MaybePromise } from '../../../store/maybe-promise.ts'
import { migrationKey } from '../../../store/migration-phase.ts'
import { ownContainer } from '../../../store/own-container.ts'
import { StoreUnavailableError } from '../../../store/store-errors.ts'
import type { Store, StoredDocument, Write } from '../../../store/store.ts'
import { declaredStorage } from '../../declared/declared-storage.ts'
import { movesFor, withBothForms, withNewForm, type Moves } from './moves.ts'

/** The writes of a transaction, with what else the documents need; undefined for a store that migrations do not work on while it is served. */
export function createAlongside(declared: Declaration, store: Store): ((writes: readonly Write[]) => MaybePromise<readonly Write[]>) | undefined {
  if (store.supports.atomic !== 'store') return undefined
  let known: { readonly etag: string; readonly isNew: boolean } | undefined
  const isNew = (record: StoredDocument): boolean => {
    if (known?.etag !== record.etag) known = { etag: record.etag, isNew: sameJson(record.body['to'], declaredStorage(declared.model) as unknown as Json) }
    return known.isNew
  }
  return (writes) => whenReady(store.readMany(ownContainer, [migrationKey]), ([record]) => {
    const phase = record?.body['phase']
    if (!record || (phase !== 'both' && phase !== 'contract')) return writes
    const by = isNew(record) ? 'new' : 'old'
    if (phase === 'contract' && by === 'old') throw new StoreUnavailableError('Nothing was written: the documents have the form of a newer schema. Restart the gateway with that schema.')
    const moves = record.body['moves'] as unknown as readonly Moves[]
    return writes.map((write): Write => {
      const own = write.kind === 'put' ? movesFor(moves, write.container, write.body) : undefined
      if (!own || write.kind !== 'put') return write
      return { ...write, body: phase === 'both' ? withBothForms(write.body, own, by) : withNewForm(write.body, own) }
    })
  })
}
