// The declaration that a store's documents were written under: one document in Quire's own container, which people can read. A gateway
// compares it with its schema before it serves, and then keeps its own there.

import type { Body, Json } from '../../model/json/json.ts'
import { sameJson } from '../../model/json/same-json.ts'
import type { Declaration } from '../../relations/declaration.ts'
import { ownContainer, ownKey, ownPut } from '../../store/own-container.ts'
import { cancelPreparing, migrationIn, refuseIn } from '../../store/migration/migration-phase.ts'
import type { ContainerLocations } from '../../store/migration/container-locations.ts'
import { ConflictError, SetupError } from '../../store/store-errors.ts'
import type { Store, StoredDocument } from '../../store/store.ts'
import { declaredStorage, merged, storageHash, type DeclaredStorage } from './declared-storage.ts'
import { classes, differences, type Difference } from './differences.ts'
import { needingMigration, type OpenWith } from './document-differences.ts'
import { lineOf, MigrationNeededError, MigrationUnderWayError } from './migration-errors.ts'

const key = ownKey('declaration')

/** Grows when the form of the document changes. */
const format = 1

export interface Comparison {
  /** All differences; none for a store that has no declaration yet, which is adopted as it is. */
  readonly found: readonly Difference[]
  /** Those that the documents need a migration for. */
  readonly needed: readonly Difference[]
}

/** Compares and changes nothing. */
export async function compareDeclaration(declared: Declaration, store: Store, openWith?: OpenWith): Promise<Comparison> {
  const before = await storedStorage(store)
  if (!before) return { found: [], needed: [] }
  const found = differences(before, declaredStorage(declared.model))
  return { found, needed: await needingMigration(declared, store, before, found, openWith) }
}

/**
 * Keeps the declaration as the one of the documents, or throws a `MigrationNeededError` if they do not fit it. While documents have the forms
 * of two schemas, only a gateway may write: it writes both. Returns whether some documents have to be recomputed.
 */
export async function adoptDeclaration(declared: Declaration, store: Store, openWith?: OpenWith, isGateway = false): Promise<boolean> {
  const storage = declaredStorage(declared.model)
  const migration = await migrationIn(store)
  refuseIn(migration, storageHash(storage))
  if (migration && isServedIn(migration)) {
    if (!isGateway) throw new SetupError(`The documents of this store are being migrated, and only gateways may write them. Run "quire migrate ${isCopied(migration) ? '--apply' : '--finish'}" first.`)
    if (isCopied(migration)) refuseBeforeHandover(declared, migration)
    else if (sameJson(migration['to'], storage as unknown as Json)) {
      if (migration['phase'] === 'both' && migration['filled'] !== true) throw new MigrationNeededError(['Not all documents have the new form yet. Run "quire migrate --apply" until it is done.'])
      return false
    }
  }
  const { found, needed } = await compareDeclaration(declared, store, openWith)
  // The documents of a store that does not outlive the process are recomputed by the process.
  const refused = store.supports.durable ? needed : needed.filter(({ change }) => classes[change] !== 'recompute')
  if (refused.length > 0) throw new MigrationNeededError(refused.map(lineOf))
  if (migration && isServedIn(migration)) {
    if (found.length > 0) throw new SetupError('The documents of this store are being migrated from one schema to another, and this schema is neither of them. Serve one of the two, or run "quire migrate --finish" first.')
    return false
  }
  await cancelPreparing(store)
  const counts = found.filter(({ change }) => classes[change] === 'catch-up').map(({ at }) => at)
  await keepDeclaration(declared, store, (pending) => [...new Set([...pending, ...counts])])
  return found.some(({ change }) => classes[change] === 'catch-up' || classes[change] === 'recompute')
}

function isServedIn(migration: Body): boolean {
  return migration['phase'] === 'both' || migration['phase'] === 'contract' || isCopied(migration)
}

function isCopied({ phase }: Body): boolean {
  return phase === 'copy' || phase === 'freeze' || phase === 'handover'
}

/** A gateway of the new schema has no documents before they are handed over. */
function refuseBeforeHandover(declared: Declaration, { places, to, copied }: Body): void {
  const next = places as unknown as ContainerLocations
  if (declared.locations.generation >= next.generation || !sameJson(to, declaredStorage(declared.at(next).model) as unknown as Json)) return
  throw new MigrationUnderWayError((copied ?? { documents: 0, total: 0 }) as unknown as { documents: number; total: number })
}

/** The declaration that the documents were written under; undefined for a store that has none yet. */
export async function storedStorage(store: Store): Promise<DeclaredStorage | undefined> {
  return storageIn(await readKept(store))
}

/** The fields that some documents do not have yet, as `Type.field`. */
export async function pendingFields(store: Store): Promise<ReadonlySet<string>> {
  return new Set(pendingIn(await readKept(store)))
}

/** Records that the documents are as declared, and which fields some of them do not have yet. */
export async function keepDeclaration(declared: Declaration, store: Store, pendingAfter: (pending: readonly string[]) => readonly string[], forgotten: readonly string[] = []): Promise<void> {
  const found = await readKept(store)
  const before = storageIn(found)
  const now = declaredStorage(declared.model)
  const declaration = before ? merged(before, now, forgotten) : now
  const body: Body = { format, declaration: declaration as unknown as Json, pending: pendingAfter(pendingIn(found)) }
  if (found && sameJson(found.body['declaration'], body['declaration']) && sameJson(found.body['pending'], body['pending'])) return
  const version = ((found?.body['version'] as number | undefined) ?? 0) + 1
  try {
    await store.write([ownPut(key, { version, ...body }, found ? { ifMatch: found.etag } : 'if-absent')])
  } catch (error) {
    // Two gateways that start at once keep about the same.
    if (!(error instanceof ConflictError)) throw error
  }
}

async function readKept(store: Store): Promise<StoredDocument | undefined> {
  const [found] = await store.readMany(ownContainer, [key])
  return found
}

function storageIn(found: StoredDocument | undefined): DeclaredStorage | undefined {
  return found && (found.body['declaration'] as unknown as DeclaredStorage)
}

function pendingIn(found: StoredDocument | undefined): readonly string[] {
  return (found?.body['pending'] ?? []) as readonly string[]
}
