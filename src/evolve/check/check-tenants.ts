// Checks a store that tenants share, one tenant after the other. Each is checked alone, so a reference to another
// tenant's document is dangling.

import type { Declaration } from '../../relations/declaration.ts'
import type { Store } from '../../store/store.ts'
import { allTenants } from '../../store/tenants/all-tenants.ts'
import { TenantStore } from '../../store/tenants/tenant-store.ts'
import { checkReservations } from './unique/check-reservations.ts'
import { checkInRounds, checkStore, lookBeforeRepair, type CheckOptions } from './check-store.ts'
import type { Finding } from './finding.ts'

/** Without tenants, checks the store as a whole. */
export async function* checkAllTenants(declaration: Declaration, store: Store, options: CheckOptions = {}): AsyncGenerator<Finding> {
  if (!declaration.tenants) {
    yield* checkStore(declaration, store, options)
    return yield* checkReservations(declaration, store, undefined, options)
  }
  const { keep } = options
  let before = 0
  const tenants = await allTenants(store, declaration.layout)
  // Before the first of them is repaired.
  for (const tenant of tenants) await lookBeforeRepair(declaration, new TenantStore(store, tenant), options)
  for (const tenant of tenants) {
    let documents = 0
    const onProgress: CheckOptions['onProgress'] = (progress) => {
      if (progress.round === 1) documents = progress.documents
      options.onProgress?.({ ...progress, documents: before + progress.documents, total: before + progress.total })
    }
    for await (const finding of checkInRounds(declaration, new TenantStore(store, tenant), { ...options, onProgress, ...(keep ? { keep: (taken) => keep(taken.map((each) => ({ ...each, tenant }))) } : {}) })) yield { ...finding, tenant }
    before += documents
  }
  yield* checkReservations(declaration, store, tenants, options)
}
