// Writes the effects of one change, in batches. Where the store is atomic as a whole, each batch also renews the lease:
// a propagator that has lost its part of the feed can write nothing more.

import { keyText } from '../model/keys/key.ts'
import { ownContainer } from '../store/own-container.ts'
import { ConflictError } from '../store/store-errors.ts'
import type { Change, Store, Write } from '../store/store.ts'
import { createWorkSlice } from '../store/work-slice.ts'
import { atomicGroups, writeGroups } from '../store/write-all.ts'
import type { Lease, Leases } from './leases.ts'

/** Another propagator follows the part by now. */
export class LostLeaseError extends Error {}

/** The max of one batch, on any store. */
const batchSize = { writes: 99, bytes: 2 * 1024 * 1024 }
/** How many batches are written between two renewals of the lease. */
const maxBatches = 64

/** Returns the lease with its new etag. Throws ConflictError when a document has changed since it was read. */
export function writeEffects(store: Store, leases: Leases, writes: readonly Write[], change: Change, lease: Lease | undefined): Promise<Lease | undefined> {
  return store.supports.atomic === 'store' ? writeFenced(store, leases, writes, lease) : writeByPartition(store, leases, writes, change, lease)
}

async function writeFenced(store: Store, leases: Leases, writes: readonly Write[], lease: Lease | undefined): Promise<Lease | undefined> {
  let current = lease
  const slice = createWorkSlice()
  for (const batch of atomicGroups(writes, store.supports, batchSize)) {
    await slice.next(batch.length)
    const renewal = current ? [await leases.renewal(current)] : []
    try {
      const [etag] = await store.write([...renewal, ...batch])
      if (current) current = withEtag(current, etag!)
    } catch (error) {
      if (error instanceof ConflictError && renewal.some((write) => write.key.id === error.key.id && write.container === error.container)) throw new LostLeaseError()
      throw error
    }
  }
  return current
}

function withEtag(lease: Lease, etag: string): Lease {
  return { ...lease, etag }
}

/**
 * Without an atomic scope for lease and effects, two propagators can follow one part for a while. That is safe: every
 * write has an etag and states a value instead of a step, so they only do some work twice. The removed references are
 * cleared last, when every document that they concern is up to date.
 */
async function writeByPartition(store: Store, leases: Leases, writes: readonly Write[], change: Change, lease: Lease | undefined): Promise<Lease | undefined> {
  const clearsRemoved = ({ container, key }: Write): boolean => container === ownContainer || (container === change.container && keyText(key) === keyText(change.key))
  const batches = atomicGroups(writes.filter((write) => !clearsRemoved(write)), store.supports, batchSize)
  let current = lease
  for (let start = 0; start < batches.length; start += maxBatches) {
    if (current && start > 0 && !(current = await leases.keep(current))) throw new LostLeaseError()
    await writeGroups(store, batches.slice(start, start + maxBatches))
  }
  for (const batch of atomicGroups(writes.filter(clearsRemoved), store.supports, batchSize)) await store.write(batch)
  return current
}
