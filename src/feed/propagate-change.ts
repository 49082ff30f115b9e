// Propagates one change of the feed: computes its effects from the documents as they are now, and writes them. Where a
// conflict shows that a document has changed meanwhile, the effects are computed again.

import type { Declaration } from '../relations/declaration.ts'
import { isOfType } from '../read/selection.ts'
import type { DocumentType } from '../model/model.ts'
import { eventLoop, type LoopTask } from '../store/running/loop-watch.ts'
import { ConflictError } from '../store/store-errors.ts'
import type { Change, Store, Write } from '../store/store.ts'
import { changeForTenant, tenantOf, TenantStore } from '../store/tenants/tenant-store.ts'
import type { Entry } from '../relations/maintenance.ts'
import { Changeset } from '../write/changeset.ts'
import { Effects } from '../write/effects.ts'
import { readRemovalRecord, recordRemovedReferences, removedReferencesIn, withoutRemovedReferences } from '../write/removed-references.ts'
import { reconcileDeletion, reconcileReferences } from '../write/reconcile.ts'
import type { Clock } from './clock.ts'
import { writeEffects } from './fenced-writes.ts'
import type { Lease, Leases } from './leases.ts'

/** How often a change is tried while other writers change the same documents. */
const maxTries = 50

const feedTask: LoopTask = { kind: 'feed' }

/** Other writers kept changing the same documents. The change is tried again in the next round; it is no dead letter. */
export class ContendedError extends Error {}

export interface PropagationOptions {
  readonly clock: Clock
  /** The position up to which all changes have been handled. */
  readonly passed: () => number
  /** Whether effects of effects are written at once, because the feed does not have the documents that they change. */
  readonly transitively: boolean
  /** Called with what was written because of a change. */
  readonly onPropagated: ((entries: readonly Entry[]) => void) | undefined
}

export class ChangePropagation {
  readonly #declaration: Declaration
  readonly #store: Store
  readonly #effects: Effects
  readonly #leases: Leases
  readonly #passed: () => number
  readonly #transitively: boolean
  readonly #onPropagated: ((entries: readonly Entry[]) => void) | undefined
  readonly #clock: Clock

  constructor(declaration: Declaration, store: Store, leases: Leases, { passed, transitively, onPropagated, clock }: PropagationOptions) {
    this.#declaration = declaration
    this.#store = store
    this.#effects = new Effects(declaration)
    this.#leases = leases
    this.#passed = passed
    this.#transitively = transitively
    this.#onPropagated = onPropagated
    this.#clock = clock
  }

  /** Returns the lease with its new etag. Without a lease, as for a dead letter, nothing fences the writes. */
  async propagate(change: Change, lease?: Lease): Promise<Lease | undefined> {
    eventLoop.mark(feedTask)
    const scope = this.#scopeOf(change)
    const type = scope && this.#typeOf(scope.change)
    if (!type) return lease
    const passed = this.#passed()
    // Most of what it writes are snapshots that nothing copies again. Those need not go round once more.
    const settled = (entry: Entry): number | undefined => (Number.isFinite(passed) && this.#effects.isSettled(entry) ? passed : undefined)
    for (let tries = 0; tries < maxTries; tries++) {
      const changes = new Changeset(scope.store, undefined, (copiedType, body) => this.#effects.copiedText(copiedType, body))
      await this.#addEffects(type, scope.change, changes)
      if (this.#transitively) await this.#effects.addAll(changes)
      try {
        const renewed = await writeEffects(this.#store, this.#leases, scope.stored(changes.writes(settled)), change, lease)
        this.#onPropagated?.(changes.entries)
        return renewed
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error
      }
      // A random pause lets the other writers go first.
      await this.#clock.pause(this.#clock.random() * Math.min(100, 2 ** tries))
    }
    throw new ContendedError(`${change.container}/${change.key.id} could not be propagated: other writers changed the same documents ${maxTries} times in a row.`)
  }

  /** The document may have changed again since the feed's entry was written, so the effects follow from how it is now. */
  async #addEffects(type: DocumentType, change: Change, changes: Changeset): Promise<void> {
    const found = await changes.readAt(change.container, change.key)
    const after = isOfType(type, found.after) ? found.after : undefined
    const record = after ? undefined : await readRemovalRecord(changes, change.container, change.key)
    const past = [change.body, ...(after ? [after] : []), ...(record?.after ? [record.after] : [])].flatMap((body) => [body, removedReferencesIn(body)])
    await this.#effects.apply(type, { id: change.key.id, after, past, complete: false }, changes)
    // Only a store without one atomic scope has a gap between reading references and writing them.
    if (this.#store.supports.maxWriteDelayMs > 0) {
      if (after) await reconcileReferences(this.#declaration, this.#effects, changes, changes.pending(found) ?? { ...found, type })
      else await reconcileDeletion(this.#declaration, this.#effects, changes, type, change.key.id)
      await recordRemovedReferences(this.#declaration.model, changes)
    }
    if (record?.after) changes.delete(record)
    const current = changes.pending(found) ?? found
    if (after?.['_left'] === undefined || !current.after) return
    changes.set({ ...current, type, after: withoutRemovedReferences(current.after) })
  }

  /** Effects stay with the change's tenant. Where tenants share the store, a document of no tenant has none. */
  #scopeOf(change: Change): Scope | undefined {
    if (!this.#declaration.tenants) return { store: this.#store, change, stored: (writes) => writes }
    const tenant = tenantOf(change)
    if (tenant === undefined) return undefined
    const store = new TenantStore(this.#store, tenant)
    return { store, change: changeForTenant(change), stored: (writes) => store.stored(writes) }
  }

  #typeOf({ container, body }: Change): DocumentType | undefined {
    return [...this.#declaration.model.documents.values()].find((type) => type.container === container && isOfType(type, body))
  }
}

interface Scope {
  readonly store: Store
  readonly change: Change
  /** The scope's writes as the shared store takes them, in one batch with a lease. */
  readonly stored: (writes: readonly Write[]) => readonly Write[]
}
