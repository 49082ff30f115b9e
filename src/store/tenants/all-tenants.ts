// Who has documents in a store: nobody keeps a list of tenants, and none has to be kept true. Each container is
// walked along the order of tenants, with one question for each.

import { ownContainer } from '../own-container.ts'
import { scalarAt } from '../conditions.ts'
import type { ContainerLayout, Store } from '../store.ts'
import { tenantPath } from './check-tenanted.ts'

/** In the order of their names. */
export async function allTenants(store: Store, layout: readonly ContainerLayout[]): Promise<string[]> {
  const found = await Promise.all(layout.filter(({ name }) => name !== ownContainer).map(({ name }) => Array.fromAsync(tenantsIn(store, name))))
  return [...new Set(found.flat())].toSorted()
}

async function* tenantsIn(store: Store, container: string): AsyncGenerator<string> {
  // No name is empty, so every one comes after this.
  for (let last = ''; ;) {
    const [next] = await store.query({ container, where: { op: 'gt', path: tenantPath, value: last }, orderBy: { path: tenantPath, descending: false, required: true }, limit: 1 })
    if (!next) return
    last = String(scalarAt(tenantPath, next.body))
    yield last
  }
}
