// A container is created with tenants or without, and stays so. Opened the other way, a gateway would find nothing in it,
// or the documents of all tenants, so it is refused.

import type { Path } from '../query.ts'
import { SetupError } from '../store-errors.ts'

/** The path of the tenant in documents of a tenanted container. */
export const tenantPath: Path = ['_tenant']

export function checkTenanted(container: string, found: boolean, wanted: boolean): void {
  if (found === wanted) return
  throw new SetupError(wanted
    ? `The container "${container}" was created without tenants, and tenancy is on. Use a new store and import each tenant's documents into it, or turn tenancy off (omit QUIRE_TENANTS).`
    : `The container "${container}" was created for tenants, and tenancy is off. Turn it on (QUIRE_TENANTS), or use another store.`)
}
