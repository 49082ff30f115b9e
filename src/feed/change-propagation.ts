// Propagates changes of the feed: computes their effects from the documents as they are now, and writes them. Where a
// conflict shows that a document has changed meanwhile, the effects are computed again.
//
// Where the store commits everything at once, several changes are propagated together: a document that all of them affect is written
// once, so a list that grows by thousands of documents costs as many times less. The bound is in documents, since each is in memory.

import type { Declaration } from '../relations/declaration.ts'
import { isOfType } from '../read/selection.ts'
import type { DocumentType } from '../model/model.ts'
import { eventLoop, type LoopTask } from '../store/running/loop-watch.ts'
import { currentOperation } from '../store/operation-context.ts'
import { ConflictError } from '../store/store-errors.ts'
import type { Change, Store, Write } from '../store/store.ts'
import { createWorkSlice, documentsPerSlice } from '../store/work-slice.ts'
import { changeForTenant, tenantOf, TenantStore } from '../store/tenants/tenant-store.ts'
import type { Entry, SourceChange } from '../relations/maintenance.ts'
import { Changeset } from '../write/changeset.ts'
import { Effects } from '../write/effects.ts'
import { CombinedEffects } from '../write/combined-effects.ts'
import { readRemovalRecord, recordRemovedReferences, removedReferencesIn, withoutRemovedReferences } from '../write/removed-references.ts'
import { reconcileDeletion, reconcileReferences } from '../write/reconcile-references.ts'
import type { Body } from '../model/json/json.ts'
import type { Clock } from './clock.ts'
import { writeEffects, type Fence } from './fenced-writes.ts'
import type { Leases } from './leases.ts'

/** How often a change is tried while other writers change the same documents, and how often several together. */
const [maxTries, maxTriesTogether] = [50, 3]

/** After so many affected documents no further change joins those that are propagated together. */
const maxAffected = 500

/** A change is read, its effects are planned and committed: few of them fit into a slice. */
const unitsPerChange = documentsPerSlice / 8

const feedTask: LoopTask = { kind: 'feed' }

/** Other writers kept changing the same documents. The change is tried again in the next round; it is no dead letter. */
export class ContendedError extends Error {}

export interface PropagationOptions {
  readonly clock: Clock
  /** The position up to which all changes have been handled. */
  readonly passed: () => number
  /** Whether effects of effects are written at once, because the feed does not have the documents that they change. */
  readonly transitively: boolean
  /** Called for each changed document, as its tenant sees it, before its effects are written; it may be called again. */
  readonly onChanged?: (change: Change, body: Body | undefined, tenant: string | undefined) => Promise<void>
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
  readonly #onChanged: PropagationOptions['onChanged']
  readonly #onPropagated: ((entries: readonly Entry[]) => void) | undefined
  readonly #clock: Clock
  readonly #slice = createWorkSlice()

  constructor(declaration: Declaration, store: Store, leases: Leases, { passed, transitively, onChanged, onPropagated, clock }: PropagationOptions) {
    this.#declaration = declaration
    this.#store = store
    this.#effects = new Effects(declaration)
    this.#leases = leases
    this.#passed = passed
    this.#transitively = transitively
    this.#onChanged = onChanged
    this.#onPropagated = onPropagated
    this.#clock = clock
  }

  /** Propagates the first change, and as many of the next as fit. Returns how many. */
  async propagate(changes: readonly Change[], fence: Fence): Promise<number> {
    eventLoop.mark(feedTask)
    const { store, tenant, changes: visible, stored } = this.#scopeOf(changes)
    const passed = this.#passed()
    // Most of what it writes are snapshots that nothing copies again. Those need not go round once more.
    const settled = (entry: Entry): number | undefined => (Number.isFinite(passed) && this.#effects.isSettled(entry) ? passed : undefined)
    const tries = changes.length > 1 ? maxTriesTogether : maxTries
    for (let time = 0; time < tries; time++) {
      const changeset = new Changeset(store, undefined, (copiedType, body) => this.#effects.copiedText(copiedType, body))
      const propagated = await this.#addEffects(visible, changeset, tenant)
      if (this.#transitively) await this.#effects.addAll(changeset)
      try {
        await writeEffects(this.#store, this.#leases, stored(changeset.writes(settled)), changes.slice(0, propagated), fence)
        this.#onPropagated?.(changeset.entries)
        return propagated
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error
      }
      // A random pause lets the other writers go first.
      await this.#clock.pause(this.#clock.random() * Math.min(100, 2 ** time))
    }
    const [{ container, key }] = changes as [Change]
    throw new ContendedError(`${container}/${key.id} could not be propagated: other writers changed the same documents ${tries} times in a row.`)
  }

  /** Returns of how many changes. */
  async #addEffects(changes: readonly (Change | undefined)[], changeset: Changeset, tenant: string | undefined): Promise<number> {
    const together = new CombinedEffects(this.#effects, changeset)
    const sources: Source[] = []
    let added = 0
    for (const change of changes) {
      if (added > 0 && together.size >= maxAffected) break
      await this.#slice.next(unitsPerChange)
      currentOperation()?.resume()
      added++
      const type = change && this.#typeOf(change)
      if (!type) continue
      const source = await readSource(type, change, changeset)
      await this.#onChanged?.(change, source.found.after, tenant)
      await together.add(type, source.change)
      sources.push(source)
    }
    await together.refresh()
    for (const source of sources) await this.#addOwnChanges(source, changeset)
    return added
  }

  /** The effects on the changed document itself. */
  async #addOwnChanges({ type, change, found, record }: Source, changeset: Changeset): Promise<void> {
    const { id, after } = change
    // Only a store without one atomic scope has a gap between reading references and writing them.
    if (this.#store.supports.maxWriteDelayMs > 0) {
      if (after) await reconcileReferences(this.#declaration, this.#effects, changeset, changeset.pending(found) ?? { ...found, type })
      else await reconcileDeletion(this.#declaration, this.#effects, changeset, type, id)
      await recordRemovedReferences(this.#declaration.model, changeset)
    }
    if (record?.after) changeset.delete(record)
    const current = changeset.pending(found) ?? found
    if (after?.['_left'] === undefined || !current.after) return
    changeset.set({ ...current, type, after: withoutRemovedReferences(current.after) })
  }

  /** The first of the changes with those after it that can be propagated together with it. */
  together(changes: readonly Change[]): readonly Change[] {
    if (this.#store.supports.atomic !== 'store') return changes.slice(0, 1)
    const tenant = this.#declaration.tenants ? tenantOf(changes[0]!) : undefined
    const end = this.#declaration.tenants ? changes.findIndex((change) => tenantOf(change) !== tenant) : -1
    return end < 0 ? changes : changes.slice(0, end)
  }

  /** Effects stay with the tenant of the changes. Where tenants share the store, a document of no tenant has none. */
  #scopeOf(changes: readonly Change[]): Scope {
    if (!this.#declaration.tenants) return { store: this.#store, tenant: undefined, changes, stored: (writes) => writes }
    const tenant = tenantOf(changes[0]!)
    if (tenant === undefined) return { store: this.#store, tenant, changes: changes.map(() => undefined), stored: (writes) => writes }
    const store = new TenantStore(this.#store, tenant)
    return { store, tenant, changes: changes.map(changeForTenant), stored: (writes) => store.stored(writes) }
  }

  #typeOf({ container, body }: Change): DocumentType | undefined {
    return [...this.#declaration.model.documents.values()].find((type) => type.container === container && isOfType(type, body))
  }
}

interface Scope {
  readonly store: Store
  readonly tenant: string | undefined
  /** As the tenant sees them; undefined for those that have no effects. */
  readonly changes: readonly (Change | undefined)[]
  /** The scope's writes as the shared store takes them, in one batch with a lease. */
  readonly stored: (writes: readonly Write[]) => readonly Write[]
}

/** A changed document as it is now. */
interface Source {
  readonly type: DocumentType
  readonly change: SourceChange
  readonly found: Entry
  /** The references that it had when it was deleted. */
  readonly record: Entry | undefined
}

/** The document may have changed again since the feed's entry was written, so the effects follow from how it is now. */
async function readSource(type: DocumentType, change: Change, changeset: Changeset): Promise<Source> {
  const found = await changeset.readAt(change.container, change.key)
  const after = isOfType(type, found.after) ? found.after : undefined
  const record = after ? undefined : await readRemovalRecord(changeset, change.container, change.key)
  const past = [change.body, ...(after ? [after] : []), ...(record?.after ? [record.after] : [])].flatMap((body) => [body, removedReferencesIn(body)])
  return { type, change: { id: change.key.id, after, past, complete: false }, found, record }
}
