// Whether documents are being replaced by a migration. The record is evolve/migrate/'s; a gateway asks before it registers, because
// while documents are replaced no schema fits them.

import { ownContainer, ownKey } from './own-container.ts'
import { whenReady, type MaybePromise } from './maybe-promise.ts'
import { SetupError } from './store-errors.ts'
import type { Store } from './store.ts'

export const migrationKey = ownKey('migration')

/** Throws while documents are being replaced. */
export function refuseWhileSwitching(store: Store): MaybePromise<void> {
  return whenReady(store.readMany(ownContainer, [migrationKey]), ([found]) => {
    if (found?.body['phase'] === 'switch') throw new SetupError('The documents of this store are being migrated, so no schema can be served. Run "quire migrate --apply" with the new schema until it is done.')
  })
}

/** A gateway that starts may change documents that a migration has prepared, so that one begins anew. */
export async function cancelPreparing(store: Store): Promise<void> {
  const [found] = await store.readMany(ownContainer, [migrationKey])
  if (found?.body['phase'] === 'prepare') await store.write([{ kind: 'delete', container: ownContainer, key: migrationKey, only: { ifMatch: found.etag } }])
}
