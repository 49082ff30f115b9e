// Which propagator follows which part of the change feed. A lease is a document with an owner and an expiry: its etag
// lets only one propagator take a part. It also has the point that the part has been followed to, so the next owner
// continues there.

import type { Key } from '../model/keys/key.ts'
import { feedKey, feedPartition, ownContainer, ownPut } from '../store/own-container.ts'
import type { Body } from '../model/json/json.ts'
import { ConflictError, type Moment, type Store, type Write } from '../store/store.ts'

export interface Lease {
  readonly part: string
  readonly etag: string
  /** Everything up to here has been propagated; undefined before the first change. */
  readonly point: string | undefined
  /** Every change before this moment, by the store's clock, has reached every snapshot, list and count. */
  readonly watermark: number
}

interface LeaseDocument extends Body {
  readonly owner: string
  readonly expiresAt: number
  readonly point?: string
  readonly watermark: number
}

interface StoredLease {
  readonly part: string
  readonly etag: string | undefined
  readonly lease: LeaseDocument | undefined
}

export class Leases {
  readonly #store: Store
  readonly #owner: string
  readonly #follower: Key
  readonly #durationMs: number
  #held: readonly Lease[] = []

  constructor(store: Store, owner: string, durationMs: number) {
    this.#store = store
    this.#owner = owner
    this.#follower = feedKey(`follower-${owner}`)
    this.#durationMs = durationMs
  }

  /** Leases an equal number of parts to each propagator: keeps its own, takes free ones, and releases what is too many. */
  async hold(): Promise<readonly Lease[]> {
    const known = await readLeases(this.#store)
    const now = await this.#store.now()
    const quota = Math.ceil(known.length / (await this.#countFollowers(now)))
    const mine = known.filter(({ lease }) => lease?.owner === this.#owner)
    const free = known.filter(({ lease }) => !lease || (lease.owner !== this.#owner && lease.expiresAt <= now.earliest))
    const wanted = [...mine.slice(0, quota), ...free.slice(0, Math.max(0, quota - mine.length))]
    await Promise.all(mine.slice(quota).map(({ part, etag, lease }) => this.#release({ part, etag: etag!, point: lease!.point, watermark: lease!.watermark })))
    const held = await Promise.all(wanted.map(async ({ part, etag, lease }) => {
      // A lease that is far from expiring is renewed when its next point is stored.
      const safe = lease?.owner === this.#owner && lease.expiresAt - now.latest > this.#durationMs / 2
      return safe ? { part, etag: etag!, point: lease.point, watermark: lease.watermark } : this.#take(part, etag, lease)
    }))
    this.#held = held.filter((lease) => lease !== undefined)
    return this.#held
  }

  /** Stores the lease's point and watermark, renews it, and writes `others` in the same batch. Undefined when another propagator has the part. */
  async keep(lease: Lease, others: readonly Write[] = []): Promise<Lease | undefined> {
    const etags = await unlessConflict(this.#store.write([await this.renewal(lease), ...others]))
    if (!etags) return undefined
    const kept = { ...lease, etag: etags[0]! }
    this.#held = this.#held.map((held) => (held.part === kept.part ? kept : held))
    return kept
  }

  /** The write that renews a lease. A batch with it fails as a whole once another propagator has the part. */
  async renewal(lease: Lease): Promise<Write> {
    return leaseWrite(lease, this.#owner, (await this.#store.now()).latest + this.#durationMs)
  }

  /** Releases all leases, so that others need not wait for them to expire. */
  async releaseAll(): Promise<void> {
    await this.#store.write([{ kind: 'delete', container: ownContainer, key: this.#follower }])
    await Promise.all(this.#held.map((lease) => this.#release(lease)))
    this.#held = []
  }

  /** How many propagators there are, this one included. Each registers itself, and expires when it no longer does. */
  async #countFollowers(now: Moment): Promise<number> {
    await this.#store.write([ownPut(this.#follower, { type: 'follower', expiresAt: now.latest + this.#durationMs })])
    const known = await this.#store.query({ container: ownContainer, partition: feedPartition, type: 'follower', orderBy: { path: ['id'], descending: false }, limit: 1000 })
    const expired = known.filter(({ body }) => (body['expiresAt'] as number) <= now.earliest)
    await this.#store.write(expired.map(({ key }) => ({ kind: 'delete', container: ownContainer, key })))
    return known.length - expired.length
  }

  async #take(part: string, etag: string | undefined, lease: LeaseDocument | undefined): Promise<Lease | undefined> {
    const taken = { part, etag, point: lease?.point, watermark: lease?.watermark ?? 0 }
    const written = await unlessConflict(this.#store.write([leaseWrite(taken, this.#owner, (await this.#store.now()).latest + this.#durationMs)]))
    return written && { ...taken, etag: written[0]! }
  }

  async #release(lease: Lease): Promise<void> {
    await unlessConflict(this.#store.write([leaseWrite(lease, '', 0)]))
  }
}

/** The leases of all parts, as stored. */
export async function readLeases(store: Store): Promise<StoredLease[]> {
  const parts = await store.feedParts()
  const documents = await store.readMany(ownContainer, parts.map(keyOf))
  return parts.map((part, index) => ({ part, etag: documents[index]?.etag, lease: documents[index]?.body as LeaseDocument | undefined }))
}

/** A write of the lease's document that fails if another propagator has written it since it was read. */
function leaseWrite({ part, etag, point, watermark }: Omit<Lease, 'etag'> & { readonly etag: string | undefined }, owner: string, expiresAt: number): Write {
  const body = { owner, expiresAt, ...(point === undefined ? {} : { point }), watermark }
  return ownPut(keyOf(part), body, etag === undefined ? 'if-absent' : { ifMatch: etag })
}

/** Undefined when another writer was first. */
async function unlessConflict<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write
  } catch (error) {
    if (error instanceof ConflictError) return undefined
    throw error
  }
}

function keyOf(part: string): Key {
  return feedKey(`feed-${part}`)
}
