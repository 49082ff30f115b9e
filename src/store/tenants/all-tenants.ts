// Finds the tenants that have documents in a store. No list of tenants is stored, so none can be wrong: each container is
// walked in the order of tenants, with one query per tenant.

import { scalarAt } from '../conditions.ts'
import { ownContainer } from '../own-container.ts'
import type { ContainerLayout, Store } from '../store.ts'
import { tenantPath } from './check-tenanted.ts'

/** In the order of their names. */
export async function allTenants(store: Store, layout: readonly ContainerLayout[]): Promise<string[]> {
  const found = await Promise.all(layout.filter(({ name }) => name !== ownContainer).map(({ name }) => Array.fromAsync(tenantsIn(store, name))))
  return [...new Set(found.flat())].toSorted()
}

async function* tenantsIn(store: Store, container: string): AsyncGenerator<string> {
  // No name is empty, so all names come after ''.
  for (let last = ''; ;) {
    const [next] = await store.query({ container, where: { op: 'gt', path: tenantPath, value: last }, orderBy: { path: tenantPath, descending: false, required: true }, limit: 1 })
    if (!next) return
    last = String(scalarAt(tenantPath, next.body))
    yield last
  }
}
