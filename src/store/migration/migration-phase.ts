// Whether a migration is replacing the documents. evolve/migrate/ writes the record; a gateway reads it before it registers, because
// no schema fits documents that are being replaced.

import type { Body } from '../../model/json/json.ts'
import { ownContainer, ownKey } from '../own-container.ts'
import { whenReady, type MaybePromise } from '../maybe-promise.ts'
import { SetupError } from '../store-errors.ts'
import type { Store } from '../store.ts'

export const migrationKey = ownKey('migration')

/** The record of the migration that has begun, if one has. */
export async function migrationIn(store: Store): Promise<Body | undefined> {
  const [found] = await store.readMany(ownContainer, [migrationKey])
  return found?.body
}

/** Throws while documents are being replaced, and for a gateway of the old schema while its form is being removed. */
export function refuseWhileMigrating(store: Store, schema: string | undefined): MaybePromise<void> {
  return whenReady(store.readMany(ownContainer, [migrationKey]), ([found]) => refuseIn(found?.body, schema))
}

/** The same, for a record that was read already. */
export function refuseIn(record: Body | undefined, schema: string | undefined): void {
  if (record?.['phase'] === 'switch') throw new SetupError('The documents of this store are being migrated, so no schema can be served. Run "quire migrate --apply" with the new schema until it is done.')
  if ((record?.['phase'] === 'contract' || record?.['phase'] === 'handover') && record['schema'] !== schema) throw new SetupError('The documents of this store have been migrated to another schema. Serve that one.')
}

/** Throws while a migration is under way: only gateways know how to write then. */
export async function refuseAnyMigration(store: Store): Promise<void> {
  const phase = (await migrationIn(store))?.['phase']
  if (phase === undefined || phase === 'prepare' || phase === 'done') return
  throw new SetupError(`The documents of this store are being migrated. Run "quire migrate ${phase === 'both' || phase === 'contract' ? '--finish' : '--apply'}" first.`)
}

/** A gateway that starts may change documents that a migration has prepared, so the migration starts again. */
export async function cancelPreparing(store: Store): Promise<void> {
  const [found] = await store.readMany(ownContainer, [migrationKey])
  if (found?.body['phase'] === 'prepare') await store.write([{ kind: 'delete', container: ownContainer, key: migrationKey, only: { ifMatch: found.etag } }])
}
