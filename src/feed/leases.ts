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
  /** When others may take the part, by the store's clock. */
  readonly expiresAt: number
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
  /** By part, with progress that is not stored yet. */
  readonly #held = new Map<string, Lease>()
  #shareAt = -Infinity
  #timesRead = 0

  constructor(store: LeaseStore, owner: string, durationMs: number) {
    this.#store = store
    this.#owner = owner
    this.#follower = feedKey(`follower-${owner}`)
    this.#durationMs = durationMs
  }

  /**
   * Leases an equal number of parts to each follower: keeps its own, takes free ones, and releases what is too many. A follower
   * that holds all parts asks the store only twice per duration: the gateway that takes a part from it changes the etag that its
   * writes depend on.
   */
  async hold(): Promise<readonly Lease[]> {
    const now = await this.#store.now()
    const parts = await this.#store.feedParts()
    if (now.latest < this.#shareAt && parts.every((part) => this.#held.has(part))) return this.#renewAll(now)
    this.#timesRead++
    const known = await readLeases(this.#store)
    if (now.latest < this.#shareAt && !known.some((stored) => this.#isFree(stored, now))) {
      this.#replaceHeld(known.filter((stored) => this.#isMine(stored)).map((stored) => this.#furthest(stored)))
      return this.#renewAll(now)
    }
    const { kept, surplus, free } = await this.#shareOf(known)
    this.#shareAt = now.latest + this.#durationMs / 2
    await Promise.all(surplus.map((stored) => this.release(this.#furthest(stored))))
    const taken = await Promise.all(free.map((stored) => this.take(stored)))
    this.#replaceHeld([...kept.map((stored) => this.#furthest(stored)), ...taken.filter((lease) => lease !== undefined)])
    return this.#renewAll(now)
  }

  /** How often leases were read from the store. What else is known of the store may be outdated after each time. */
  get timesRead(): number {
    return this.#timesRead
  }

  /** Progress of a held part that can wait to be stored. */
  note(lease: Lease): void {
    this.#held.set(lease.part, lease)
  }

  /** After an error or a conflict: what is stored counts. */
  forget(part: string): void {
    this.#held.delete(part)
  }

  /** Whether half of the lease has passed. */
  isDue({ expiresAt }: Lease, now: Moment): boolean {
    return expiresAt - now.latest <= this.#durationMs / 2
  }

  /** Which parts this follower should have, so that each follower has an equal number. Registers this one. */
  async share(): Promise<Share> {
    return this.#shareOf(await readLeases(this.#store))
  }

  async #shareOf(known: readonly StoredLease[]): Promise<Share> {
    const now = await this.#store.now()
    const quota = Math.ceil(known.length / (await this.#countFollowers(now)))
    const mine = known.filter((stored) => this.#isMine(stored))
    const free = known.filter((stored) => this.#isFree(stored, now))
    return { kept: mine.slice(0, quota), surplus: mine.slice(quota), free: free.slice(0, Math.max(0, quota - mine.length)) }
  }

  /** Undefined when another follower was first. */
  async take({ part, etag, lease }: StoredLease): Promise<Lease | undefined> {
    const isMine = lease?.owner === this.#owner
    const expiresAt = await this.#nextExpiry()
    const taken = { part, etag, point: lease?.point, watermark: lease?.watermark ?? 0, epoch: (lease?.epoch ?? 0) + (isMine ? 0 : 1), expiresAt }
    const written = await unlessConflict(this.#store.write([leaseWrite(taken, this.#owner, expiresAt)]))
    return written && { ...taken, etag: written[0]! }
  }

  /** Stores the lease's point and watermark, renews it, and writes `others` in the same batch. Undefined when another follower has the part. */
  async keep(lease: Lease, others: readonly Write[] = []): Promise<Lease | undefined> {
    const expiresAt = await this.#nextExpiry()
    const etags = await unlessConflict(this.#store.write([leaseWrite(lease, this.#owner, expiresAt), ...others]))
    if (!etags) {
      this.#held.delete(lease.part)
      return undefined
    }
    const kept = { ...lease, etag: etags[0]!, expiresAt }
    if (this.#held.has(lease.part)) this.#held.set(lease.part, kept)
    return kept
  }

  /** The write that renews a lease. A batch with it fails as a whole once another follower has the part. */
  async renewal(lease: Lease): Promise<Write> {
    return leaseWrite(lease, this.#owner, await this.#nextExpiry())
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
    await Promise.all([...this.#held.values()].map((lease) => this.release(lease)))
    this.#held.clear()
  }

  /** No longer counts as a follower. */
  async leave(): Promise<void> {
    await this.#store.write([{ kind: 'delete', container: ownContainer, key: this.#follower }])
  }

  async #renewAll(now: Moment): Promise<readonly Lease[]> {
    await Promise.all([...this.#held.values()].filter((lease) => this.isDue(lease, now)).map((lease) => this.keep(lease)))
    return [...this.#held.values()]
  }

  #replaceHeld(leases: readonly Lease[]): void {
    this.#held.clear()
    for (const lease of leases) this.#held.set(lease.part, lease)
  }

  /** As this follower knows its lease, if no one has written it since. */
  #furthest(stored: StoredLease): Lease {
    const held = this.#held.get(stored.part)
    return held?.etag === stored.etag ? held! : leaseOf(stored)
  }

  #isMine({ lease }: StoredLease): boolean {
    return lease?.owner === this.#owner
  }

  #isFree({ lease }: StoredLease, now: Moment): boolean {
    return !lease || (lease.owner !== this.#owner && lease.expiresAt <= now.earliest)
  }

  async #nextExpiry(): Promise<number> {
    return (await this.#store.now()).latest + this.#durationMs
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
  return { part, etag: etag!, point: lease!.point, watermark: lease!.watermark, epoch: lease!.epoch ?? 0, expiresAt: lease!.expiresAt }
}

/** A write of the lease's document that fails if another follower has written it since it was read. */
function leaseWrite({ part, etag, point, watermark, epoch }: Omit<Lease, 'etag' | 'expiresAt'> & { readonly etag: string | undefined }, owner: string, expiresAt: number): Write {
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
