// Writes the effects of changes, in batches. Where the store is atomic as a whole, each batch also renews the lease:
// a propagator that has lost its part of the feed can write nothing more.

import { keyText } from '../model/keys/key.ts'
import { ownContainer } from '../store/own-container.ts'
import { ConflictError } from '../store/store-errors.ts'
import type { Change, Store, Write } from '../store/store.ts'
import { createWorkSlice } from '../store/work-slice.ts'
import { atomicGroups, writeGroups } from '../store/write-all.ts'
import type { Lease } from './lease-document.ts'
import type { Leases } from './leases.ts'

/** Another propagator follows the part by now. */
export class LostLeaseError extends Error {}

/** The lease as it is after the last write that renewed it, whether or not a later one failed. Without one, as for a dead letter, nothing fences the writes. */
export interface Fence {
  lease: Lease | undefined
}

/** The max of one batch, on any store. */
const batchSize = { writes: 99, bytes: 2 * 1024 * 1024 }
/** How many batches are written between two renewals of the lease. */
const maxBatches = 64

/** Throws ConflictError when a document has changed since it was read. */
export function writeEffects(store: Store, leases: Leases, writes: readonly Write[], changes: readonly Change[], fence: Fence): Promise<void> {
  return store.supports.atomic === 'store' ? writeFenced(store, leases, writes, fence) : writeByPartition(store, leases, writes, changes, fence)
}

async function writeFenced(store: Store, leases: Leases, writes: readonly Write[], fence: Fence): Promise<void> {
  const slice = createWorkSlice()
  for (const batch of atomicGroups(writes, store.supports, batchSize)) {
    await slice.next(batch.length)
    const { lease } = fence
    const renewal = lease ? [await leases.renewal(lease)] : []
    try {
      const [etag] = await store.write([...renewal, ...batch])
      if (lease) fence.lease = { ...lease, etag: etag! }
    } catch (error) {
      if (error instanceof ConflictError && renewal.some((write) => write.key.id === error.key.id && write.container === error.container)) throw new LostLeaseError()
      throw error
    }
  }
}

/**
 * Without an atomic scope for lease and effects, two propagators can follow one part for a while. That is safe: every
 * write has an etag and states a value instead of a step, so they only do some work twice. The removed references are
 * cleared last, when every document that they concern is up to date.
 */
async function writeByPartition(store: Store, leases: Leases, writes: readonly Write[], changes: readonly Change[], fence: Fence): Promise<void> {
  const changed = new Set(changes.map(addressOf))
  const clearsRemoved = (write: Write): boolean => write.container === ownContainer || changed.has(addressOf(write))
  const batches = atomicGroups(writes.filter((write) => !clearsRemoved(write)), store.supports, batchSize)
  for (let start = 0; start < batches.length; start += maxBatches) {
    if (fence.lease && start > 0 && !(fence.lease = await leases.keep(fence.lease))) throw new LostLeaseError()
    await writeGroups(store, batches.slice(start, start + maxBatches))
  }
  for (const batch of atomicGroups(writes.filter(clearsRemoved), store.supports, batchSize)) await store.write(batch)
}

function addressOf({ container, key }: Write | Change): string {
  return `${container} ${keyText(key)}`
}
