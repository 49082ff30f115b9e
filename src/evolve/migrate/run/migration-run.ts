// What the phases of a migration share: the store and its tenants, what is to be done, the record, and what is told meanwhile.

import type { Declaration } from '../../../relations/declaration.ts'
import type { Store } from '../../../store/store.ts'
import { allTenants } from '../../../store/tenants/all-tenants.ts'
import { TenantStore } from '../../../store/tenants/tenant-store.ts'
import type { Fits } from '../../check/fits.ts'
import type { KeepTakenOut } from '../../check/repair/taken-out.ts'
import type { Pairs } from '../forms/pairs.ts'
import { layoutOfBoth } from '../forms/stored-model.ts'
import type { Work } from '../forms/type-work.ts'
import type { HeldRecord } from './migration-record.ts'

export interface MigrationRun {
  readonly declared: Declaration
  /** With the containers of both models. */
  readonly store: Store
  readonly pairs: Pairs
  readonly work: Work
  readonly held: HeldRecord
  /** What the new schema says of a document. */
  readonly fits: Fits
  /** Keeps what documents had before they are changed. */
  readonly keep: KeepTakenOut
  /** Called after every page: reports progress, waits where requests are to be fewer, and throws when the migration is to stop. */
  readonly advance: (documents: number) => Promise<void>
}

/** The documents cannot be migrated as planned. */
export class MigrationRefusedError extends Error {
  override readonly name = 'MigrationRefusedError'
}

/** The store as each tenant sees it; as a whole without tenants. */
export interface Part {
  readonly tenant: string | undefined
  readonly store: Store
}

export async function partsOf({ declared, store, pairs }: Pick<MigrationRun, 'declared' | 'store' | 'pairs'>): Promise<readonly Part[]> {
  if (!declared.tenants) return [{ tenant: undefined, store }]
  const tenants = await allTenants(store, layoutOfBoth(pairs.old, declared.layout, true))
  return tenants.map((tenant) => ({ tenant, store: new TenantStore(store, tenant) }))
}

export function partFor(store: Store, tenant: string | undefined): Store {
  return tenant === undefined ? store : new TenantStore(store, tenant)
}
