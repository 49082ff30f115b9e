// Checks a store that tenants share, tenant by tenant: each is held against the declaration by itself, so a
// reference to another tenant's document is one to a document that does not exist.

import type { Declaration } from '../../relations/declaration.ts'
import type { Store } from '../../store/store.ts'
import { allTenants } from '../../store/tenants/all-tenants.ts'
import { TenantStore } from '../../store/tenants/tenant-store.ts'
import { checkStore, type CheckOptions } from './check-store.ts'
import type { Finding } from './finding.ts'

/** The same as a check of the whole store, where there are no tenants. */
export async function* checkAllTenants(declaration: Declaration, store: Store, options: CheckOptions = {}): AsyncGenerator<Finding> {
  if (!declaration.tenants) return yield* checkStore(declaration, store, options)
  let before = 0
  for (const tenant of await allTenants(store, declaration.layout)) {
    let documents = 0
    const onProgress: CheckOptions['onProgress'] = (progress) => {
      if (progress.round === 1) documents = progress.documents
      options.onProgress?.({ ...progress, documents: before + progress.documents, total: before + progress.total })
    }
    for await (const finding of checkStore(declaration, new TenantStore(store, tenant), { ...options, onProgress })) yield { ...finding, tenant }
    before += documents
  }
}
