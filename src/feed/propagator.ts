// Carries changes to everyone who keeps something of them. It follows the change feed, works out what
// each change means with the same effects that writes use, and remembers how far it has come. Every
// step can be repeated: a crash anywhere means doing some of it again, and doing it again changes
// nothing.

import { setTimeout as pause } from 'node:timers/promises'
import type { Declaration } from '../relations/declaration.ts'
import { keyText } from '../model/keys/key.ts'
import { isOfType } from '../read/selection.ts'
import type { DocumentType } from '../model/model.ts'
import { ownContainer } from '../store/own-container.ts'
import { scopesOf, writeApart } from '../store/write-all.ts'
import { ConflictError, StoreUnavailableError, type Change, type Store, type Write } from '../store/store.ts'
import type { Entry } from '../relations/maintenance.ts'
import { Changeset } from '../write/changeset.ts'
import { Effects } from '../write/effects.ts'
import { leftIn, readNote, rememberLeft } from '../write/removed-references.ts'
import { letGo, lookAgain } from '../write/reconcile.ts'
import type { PropagatedBatch } from '../observe/observers.ts'
import { shownChange, tenantOf, TenantStore } from '../store/tenants/tenant-store.ts'
import { changeOf, deadLetter, listDeadLetters } from './dead-letters.ts'
import { Leases, type Lease } from './leases.ts'

export interface PropagatorOptions {
  /** Names this follower among others. */
  readonly owner: string
  /** How long a part stays with a follower that is not heard of. */
  readonly leaseMs?: number
  /** How many changes are taken from the feed at a time. */
  readonly pageSize?: number
  /** Told of what was written because of a change. */
  readonly onPropagated?: ((entries: readonly Entry[]) => void) | undefined
  /** Told of every batch of changes that was carried to its copies, or could not be. */
  readonly onBatch?: (batch: PropagatedBatch) => void
}

/** What one batch may hold, on any store. */
const batchSize = { writes: 99, bytes: 2 * 1024 * 1024 }
/** How many of them are written between two renewals of the lease. */
const mostBatches = 64
/** How often a change is tried anew when others write the same documents meanwhile. */
const maxTries = 50

export class Propagator {
  readonly #declaration: Declaration
  readonly #store: Store
  readonly #effects: Effects
  readonly #leases: Leases
  readonly #pageSize: number
  readonly #onPropagated: PropagatorOptions['onPropagated']
  readonly #onBatch: PropagatorOptions['onBatch']
  #held: Lease[] = []
  #setAside = 0

  constructor(declaration: Declaration, store: Store, { owner, leaseMs = 10_000, pageSize = 100, onPropagated, onBatch }: PropagatorOptions) {
    this.#declaration = declaration
    this.#store = store
    this.#effects = new Effects(declaration)
    this.#leases = new Leases(store, owner, leaseMs)
    this.#pageSize = pageSize
    this.#onPropagated = onPropagated
    this.#onBatch = onBatch
  }

  /** Follows the parts it can have up to their end, and answers how many changes it has propagated. */
  async round(): Promise<number> {
    this.#held = await this.#leases.hold()
    // One after the other: side by side they would mostly be in each other's way, at the same holders.
    let followed = 0
    for (const lease of this.#held) followed += await this.#follow(lease)
    return followed
  }

  /** Gives its parts back. */
  async stop(): Promise<void> {
    await this.#leases.releaseAll(this.#held)
    this.#held = []
  }

  /** Tries once more what was set aside, and answers how many are left. */
  async retryDeadLetters(): Promise<number> {
    const letters = await listDeadLetters(this.#store)
    let left = 0
    for (const letter of letters) {
      try {
        await this.#propagate(changeOf(letter))
        await this.#store.write([{ kind: 'delete', container: ownContainer, key: letter.key, only: { ifMatch: letter.etag } }])
      } catch {
        left++
      }
    }
    return left
  }

  async #follow(lease: Lease): Promise<number> {
    let current = lease
    let followed = 0
    for (;;) {
      // Taken before looking: what was written before this moment is in the feed by now.
      const looked = (await this.#store.now()).earliest - this.#store.supports.lateMs
      const { changes, point, end } = await this.#store.changes(current.part, current.point, this.#pageSize)
      const carried = await this.#carry(changes, current)
      followed += carried.changes
      if (!carried.lease) return followed
      current = carried.lease
      // Only the end of the feed proves anything about time: a document that changed again was moved
      // behind us, and its copies may be older than everything we have passed.
      const kept = await this.#keep({ ...current, point, watermark: end ? looked : current.watermark })
      if (!kept || end) return followed
      current = kept
    }
  }

  /** Carries a batch as far as it goes; without a lease afterwards, the part cannot be followed any further for now. */
  async #carry(batch: readonly Change[], lease: Lease): Promise<{ changes: number; lease: Lease | undefined }> {
    if (batch.length === 0) return { changes: 0, lease }
    const [startMs, setAside] = [performance.now(), this.#setAside]
    let current: Lease | undefined = lease
    let changes = 0
    const tell = (error?: unknown): void =>
      this.#onBatch?.({ part: lease.part, changes, setAside: this.#setAside - setAside, startMs, durationMs: performance.now() - startMs, ...(error === undefined ? {} : { error }) })
    try {
      for (const change of batch) {
        current = await this.#attempt(change, current)
        if (!current) break
        changes++
      }
    } catch (error) {
      tell(error)
      throw error
    }
    tell()
    return { changes, lease: current }
  }

  /** Undefined when the part cannot be followed any further for now. */
  async #attempt(change: Change, lease: Lease): Promise<Lease | undefined> {
    try {
      return await this.#propagate(change, lease)
    } catch (error) {
      if (error instanceof LostLease || error instanceof Contended) return undefined
      // A store that does not answer is no fault of the change either: the feed waits for it here.
      if (error instanceof StoreUnavailableError) throw error
      const kept = await this.#keep(lease, [deadLetter(change, error)])
      if (kept) this.#setAside++
      return kept
    }
  }

  async #keep(lease: Lease, others: readonly Write[] = []): Promise<Lease | undefined> {
    try {
      const etags = await this.#store.write([await this.#leases.renewal(lease), ...others])
      const kept = withEtag(lease, etags[0]!)
      this.#held = this.#held.map((held) => (held.part === kept.part ? kept : held))
      return kept
    } catch (error) {
      if (error instanceof ConflictError) return undefined
      throw error
    }
  }

  async #propagate(change: Change, lease?: Lease): Promise<Lease | undefined> {
    const seen = this.#seen(change)
    const type = seen && this.#typeOf(seen.change)
    if (!type) return lease
    for (let tries = 0; tries < maxTries; tries++) {
      const changes = new Changeset(seen.store, undefined, (shownType, body) => this.#effects.shown(shownType, body))
      await this.#workOut(type, seen.change, changes)
      const outcome = await this.#write(seen.stored(changes.writes()), change, lease)
      if (outcome !== 'again') {
        this.#onPropagated?.(changes.entries)
        return outcome
      }
      // Whoever lost the race lets the others go first, for a while that is never the same.
      await pause(Math.random() * Math.min(100, 2 ** tries))
    }
    throw new Contended(`${change.container}/${change.key.id} could not be propagated in ${maxTries} tries.`)
  }

  /** What the change means now: the document may have changed again since the feed told of it. */
  async #workOut(type: DocumentType, change: Change, changes: Changeset): Promise<void> {
    const found = await changes.readAt(change.container, change.key)
    const after = isOfType(type, found.after) ? found.after : undefined
    const note = after ? undefined : await readNote(changes, change.container, change.key)
    const past = [change.body, ...(after ? [after] : []), ...(note?.after ? [note.after] : [])].flatMap((body) => [body, leftIn(body)])
    await this.#effects.apply(type, { id: change.key.id, after, past, complete: false }, changes)
    if (this.#store.supports.lateMs > 0) {
      if (after) await lookAgain(this.#declaration, this.#effects, changes, changes.pending(found) ?? { ...found, type })
      else await letGo(this.#declaration, this.#effects, changes, type, change.key.id)
      await rememberLeft(this.#declaration.model, changes)
    }
    if (note?.after) changes.delete(note)
    const current = changes.pending(found) ?? found
    if (after?.['_left'] === undefined || !current.after) return
    const { _left: _, ...body } = current.after
    changes.set({ ...current, after: body })
  }

  async #write(writes: readonly Write[], change: Change, lease: Lease | undefined): Promise<Lease | undefined | 'again'> {
    try {
      return await (this.#store.supports.atomic === 'store' ? this.#writeFenced(writes, lease) : this.#writeApart(writes, change, lease))
    } catch (error) {
      if (error instanceof ConflictError) return 'again'
      throw error
    }
  }

  /** In batches, each with the renewal of the lease: whoever has lost the part writes nothing any more. */
  async #writeFenced(writes: readonly Write[], lease: Lease | undefined): Promise<Lease | undefined> {
    let current = lease
    for (const batch of scopesOf(writes, this.#store.supports, batchSize)) {
      const renewal = current ? [await this.#leases.renewal(current)] : []
      try {
        const [etag] = await this.#store.write([...renewal, ...batch])
        if (current) current = withEtag(current, etag!)
      } catch (error) {
        if (error instanceof ConflictError && renewal.some((write) => write.key.id === error.key.id && write.container === error.container)) throw new LostLease()
        throw error
      }
    }
    return current
  }

  /**
   * Partition by partition, where the store can do no more at once. Nobody is kept out, and nobody has
   * to be: every write is guarded by an etag and says how things are, so two followers of one part only
   * do some of the work twice. The note of what was left goes last, when everybody knows.
   */
  async #writeApart(writes: readonly Write[], change: Change, lease: Lease | undefined): Promise<Lease | undefined> {
    const isNote = ({ container, key }: Write): boolean => container === ownContainer || (container === change.container && keyText(key) === keyText(change.key))
    const holders = scopesOf(writes.filter((write) => !isNote(write)), this.#store.supports, batchSize)
    let current = lease
    for (let start = 0; start < holders.length; start += mostBatches) {
      if (current && start > 0 && !(current = await this.#keep(current))) throw new LostLease()
      await writeApart(this.#store, holders.slice(start, start + mostBatches))
    }
    for (const scope of scopesOf(writes.filter(isNote), this.#store.supports, batchSize)) await this.#store.write(scope)
    return current
  }

  /** Where a change has its consequences: with its tenant, where there are any. What is nobody's has none. */
  #seen(change: Change): Seen | undefined {
    if (!this.#declaration.tenants) return { store: this.#store, change, stored: (writes) => writes }
    const tenant = tenantOf(change)
    if (tenant === undefined) return undefined
    const store = new TenantStore(this.#store, tenant)
    return { store, change: shownChange(change), stored: (writes) => store.stored(writes) }
  }

  #typeOf({ container, body }: Change): DocumentType | undefined {
    return [...this.#declaration.model.documents.values()].find((type) => type.container === container && isOfType(type, body))
  }
}

interface Seen {
  readonly store: Store
  readonly change: Change
  /** What is worked out there, as it is written to the store itself, together with leases. */
  readonly stored: (writes: readonly Write[]) => readonly Write[]
}

function withEtag(lease: Lease, etag: string): Lease {
  return { ...lease, etag }
}

/** Someone else follows the part by now. */
class LostLease extends Error {}

/** Others kept changing the same documents. That is no fault of the change: it is tried again the next time round. */
class Contended extends Error {}
