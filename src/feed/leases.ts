// Which follower follows which part of the change feed. A lease is a document with an owner and an expiry: its etag lets
// only one follower take a part. It also has the point that the part has been followed to, so the next owner continues
// there.

import type { Key } from '../model/keys/key.ts'
import { feedKey, feedPartition, ownContainer, ownPut } from '../store/own-container.ts'
import type { Body } from '../model/json/json.ts'
import { ConflictError } from '../store/store-errors.ts'
import type { LeaseStore, Moment, Write } from '../store/store.ts'

export interface Lease {
  readonly part: string
  readonly etag: string
  /** Everything up to here has been handled; undefined before the first change. */
  readonly point: string | undefined
  /** Every change before this moment, by the store's clock, has been handled: it has reached every snapshot, list and count. */
  readonly watermark: number
  /** How often the part has been taken. A follower with a smaller number has lost it. */
  readonly epoch: number
}

interface LeaseDocument extends Body {
  readonly owner: string
  readonly expiresAt: number
  readonly point?: string
  readonly watermark: number
  readonly epoch?: number
}

export interface StoredLease {
  readonly part: string
  readonly etag: string | undefined
  readonly lease: LeaseDocument | undefined
}

/** What an equal share for each follower means for this one. */
interface Share {
  /** Its own parts within its share. */
  readonly kept: readonly StoredLease[]
  /** Its own parts beyond its share. */
  readonly surplus: readonly StoredLease[]
  /** Parts without an owner that complete its share. */
  readonly free: readonly StoredLease[]
}

export class Leases {
  readonly #store: LeaseStore
  readonly #owner: string
  readonly #follower: Key
  readonly #durationMs: number
  #held: readonly Lease[] = []

  constructor(store: LeaseStore, owner: string, durationMs: number) {
    this.#store = store
    this.#owner = owner
    this.#follower = feedKey(`follower-${owner}`)
    this.#durationMs = durationMs
  }

  /** Leases an equal number of parts to each follower: keeps its own, takes free ones, and releases what is too many. */
  async hold(): Promise<readonly Lease[]> {
    const now = await this.#store.now()
    const { kept, surplus, free } = await this.share()
    await Promise.all(surplus.map((stored) => this.release(leaseOf(stored))))
    const held = await Promise.all([
      // A lease that is far from expiring is renewed when its next point is stored.
      ...kept.map((stored) => (stored.lease!.expiresAt - now.latest > this.#durationMs / 2 ? leaseOf(stored) : this.take(stored))),
      ...free.map((stored) => this.take(stored)),
    ])
    this.#held = held.filter((lease) => lease !== undefined)
    return this.#held
  }

  /** Which parts this follower should have, so that each follower has an equal number. Registers this one. */
  async share(): Promise<Share> {
    const known = await readLeases(this.#store)
    const now = await this.#store.now()
    const quota = Math.ceil(known.length / (await this.#countFollowers(now)))
    const mine = known.filter(({ lease }) => lease?.owner === this.#owner)
    const free = known.filter(({ lease }) => !lease || (lease.owner !== this.#owner && lease.expiresAt <= now.earliest))
    return { kept: mine.slice(0, quota), surplus: mine.slice(quota), free: free.slice(0, Math.max(0, quota - mine.length)) }
  }

  /** Undefined when another follower was first. */
  async take({ part, etag, lease }: StoredLease): Promise<Lease | undefined> {
    const isMine = lease?.owner === this.#owner
    const taken = { part, etag, point: lease?.point, watermark: lease?.watermark ?? 0, epoch: (lease?.epoch ?? 0) + (isMine ? 0 : 1) }
    const written = await unlessConflict(this.#store.write([leaseWrite(taken, this.#owner, (await this.#store.now()).latest + this.#durationMs)]))
    return written && { ...taken, etag: written[0]! }
  }

  /** Stores the lease's point and watermark, renews it, and writes `others` in the same batch. Undefined when another follower has the part. */
  async keep(lease: Lease, others: readonly Write[] = []): Promise<Lease | undefined> {
    const etags = await unlessConflict(this.#store.write([await this.renewal(lease), ...others]))
    if (!etags) return undefined
    const kept = { ...lease, etag: etags[0]! }
    this.#held = this.#held.map((held) => (held.part === kept.part ? kept : held))
    return kept
  }

  /** The write that renews a lease. A batch with it fails as a whole once another follower has the part. */
  async renewal(lease: Lease): Promise<Write> {
    return leaseWrite(lease, this.#owner, (await this.#store.now()).latest + this.#durationMs)
  }

  /** Lets others take the part at once. */
  async release(lease: Lease): Promise<void> {
    await unlessConflict(this.#store.write([leaseWrite(lease, '', 0)]))
  }

  /** Lets no one take the part again: others follow in its place. */
  async retire(lease: Lease): Promise<void> {
    await unlessConflict(this.#store.write([leaseWrite(lease, '', Number.MAX_SAFE_INTEGER)]))
  }

  /** Releases all held leases, so that others need not wait for them to expire. */
  async releaseAll(): Promise<void> {
    await this.leave()
    await Promise.all(this.#held.map((lease) => this.release(lease)))
    this.#held = []
  }

  /** No longer counts as a follower. */
  async leave(): Promise<void> {
    await this.#store.write([{ kind: 'delete', container: ownContainer, key: this.#follower }])
  }

  /** How many followers there are, this one included. Each registers itself, and expires when it no longer does. */
  async #countFollowers(now: Moment): Promise<number> {
    await this.#store.write([ownPut(this.#follower, { type: 'follower', expiresAt: now.latest + this.#durationMs })])
    const known = await this.#store.query({ container: ownContainer, partition: feedPartition, type: 'follower', orderBy: { path: ['id'], descending: false }, limit: 1000 })
    const expired = known.filter(({ body }) => (body['expiresAt'] as number) <= now.earliest)
    await this.#store.write(expired.map(({ key }) => ({ kind: 'delete', container: ownContainer, key })))
    return known.length - expired.length
  }
}

/** The leases of all parts, as stored. */
export async function readLeases(store: Pick<LeaseStore, 'feedParts' | 'readMany'>): Promise<StoredLease[]> {
  const parts = await store.feedParts()
  const documents = await store.readMany(ownContainer, parts.map(leaseKey))
  return parts.map((part, index) => ({ part, etag: documents[index]?.etag, lease: documents[index]?.body as LeaseDocument | undefined }))
}

export function leaseKey(part: string): Key {
  return feedKey(`feed-${part}`)
}

function leaseOf({ part, etag, lease }: StoredLease): Lease {
  return { part, etag: etag!, point: lease!.point, watermark: lease!.watermark, epoch: lease!.epoch ?? 0 }
}

/** A write of the lease's document that fails if another follower has written it since it was read. */
function leaseWrite({ part, etag, point, watermark, epoch }: Omit<Lease, 'etag'> & { readonly etag: string | undefined }, owner: string, expiresAt: number): Write {
  const body = { owner, expiresAt, ...(point === undefined ? {} : { point }), watermark, epoch }
  return ownPut(leaseKey(part), body, etag === undefined ? 'if-absent' : { ifMatch: etag })
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
