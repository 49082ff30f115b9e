// Opens the store behind a schema: laid out for it, filled if it is new, and the declaration narrowed to the
// snapshots, lists and counts that the stored documents really have. Documents that do not fit the schema are refused.

import { allFields, type Field } from '../model/model.ts'
import { markPending } from '../model/pending-fields.ts'
import { storageTraits } from '../model/storages.ts'
import type { Declaration } from '../relations/declaration.ts'
import { layoutOfSubscribed } from '../relations/subscribed-types.ts'
import { seedOnce } from '../store/own-container.ts'
import type { ContainerLayout, Store, Write } from '../store/store.ts'
import { withReservations } from '../write/unique/reservations.ts'
import type { EffectsMode } from '../write/writer.ts'
import { checkAllTenants } from './check/check-tenants.ts'
import { confirmAll } from './confirm-all.ts'
import { adoptDeclaration, pendingFields } from './declared/stored-declaration.ts'
import { openAtLocations } from './open-at-locations.ts'
import { withStoredSnapshots } from './stored-snapshots.ts'

/** The options of a gateway that concern its documents. */
export interface DocumentsOptions {
  /** Opens the store, given the containers and indexes that the schema needs. */
  readonly store: (layout: readonly ContainerLayout[]) => Promise<Store>
  /** The documents of a new store. A store that tenants share starts empty. @internal */
  readonly seed?: (declaration: Declaration) => readonly Write[]
  /** Called if stored documents do not have everything that is declared yet, so that it has to be looked up. @internal */
  readonly whenIncomplete?: () => void
}

export interface Documents {
  readonly store: Store
  /** With the containers that the documents are in. */
  readonly declared: Declaration
  /** The same, limited to what documents have. */
  readonly declaration: Declaration
  /** A sentence for each snapshot, list or count that is declared but not stored yet: it is looked up meanwhile. */
  readonly missing: readonly string[]
}

export async function openDocuments(given: Declaration, options: DocumentsOptions & { readonly effects?: EffectsMode }): Promise<Documents> {
  const { declaration: declared, store } = await openAtLocations(given, options.store, ({ layout, subscribedTypes }) => (options.effects === 'feed' ? layout : layoutOfSubscribed(layout, subscribedTypes)))
  const isOutdated = await adoptDeclaration(declared, store, options.store, true)
  // A program that opens another gateway over its memory store; "quire dev" computes when its requests wait for it.
  if (isOutdated && !store.supports.durable && !options.whenIncomplete) await computeAnew(declared, store)
  const { declaration, missing } = await withStoredSnapshots(declared, store)
  // A count can be looked up, but no store can filter or order by what it does not have.
  const pending = store.supports.durable ? await pendingFields(store) : new Set<string>()
  for (const field of allFields(declared.model)) if (pending.has(field.coordinate) && !hasItsIds(field)) markPending(field)
  if (missing.length > 0 || pending.size > 0) options.whenIncomplete?.()
  if (options.seed && !declaration.tenants) await seedOnce(store, () => withReservations(declaration.model, options.seed!(declaration), store))
  return { store, declared, declaration, missing }
}

/** Every snapshot, list and count as the schema declares it. A store in memory takes a moment for it. */
async function computeAnew(declared: Declaration, store: Store): Promise<void> {
  await Array.fromAsync(checkAllTenants(declared, store, { repair: true }))
  await confirmAll(declared, store)
}

/** A snapshot that copies more fields now has had its ids all along, and they are all that lists are filtered by. */
function hasItsIds({ storage }: Field): boolean {
  return storageTraits[storage.kind].holds === 'snapshots'
}
