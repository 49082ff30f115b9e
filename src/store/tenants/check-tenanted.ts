// Containers are made for several tenants or for nobody in particular, and stay so. Whoever opens one the
// other way would find nothing in it, or everybody's documents, so it is not opened.

import type { Path } from '../query.ts'
import { SetupError } from '../store.ts'

/** Where documents of a container that several tenants share say whose they are. */
export const tenantPath: Path = ['_tenant']

export function checkTenanted(container: string, found: boolean, wanted: boolean): void {
  if (found === wanted) return
  throw new SetupError(wanted
    ? `The container "${container}" was made without tenants, and tenancy is on. Name a new store, and import each tenant's documents into it, or switch tenancy off (leave QUIRE_TENANTS out).`
    : `The container "${container}" was made for tenants, and tenancy is off. Switch it on (QUIRE_TENANTS), or name another store.`)
}
