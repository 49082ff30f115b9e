// What all phases of a migration share: the store and its tenants, the work per type, the record, and progress.

import type { Declaration } from '../../../relations/declaration.ts'
import type { Store } from '../../../store/store.ts'
import { allTenants } from '../../../store/tenants/all-tenants.ts'
import { TenantStore } from '../../../store/tenants/tenant-store.ts'
import type { ValueCheck } from '../../check/invalid-values.ts'
import type { KeepUndoEntries } from '../../check/repair/undo-log.ts'
import type { MatchedModels } from '../transform/matched-models.ts'
import { layoutOfBoth } from '../transform/stored-model.ts'
import type { Work } from '../transform/type-work.ts'
import type { HeldRecord } from './migration-record.ts'

export interface MigrationRun {
  readonly declared: Declaration
  /** With the containers of both models. */
  readonly store: Store
  readonly pairs: MatchedModels
  readonly work: Work
  readonly held: HeldRecord
  /** What the new schema says of a document. */
  readonly fits: ValueCheck
  /** Keeps what documents had before they are changed. */
  readonly keep: KeepUndoEntries
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
