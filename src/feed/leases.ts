// Which follower follows which part of the change feed. A lease is a document with an owner and an expiry: its etag lets
// only one follower take a part. It also has the point that the part has been followed to, so the next owner continues
// there.
//
// An expiry is believed only when it has passed. One that lies ahead may come from a clock that was wrong, so a lease that no follower
// renews for as long as it lasts, by the clock of the process that watches it, is free as well.
//
// A follower of many parts does not renew each: its leases say that they are held for as long as it is registered, so one write
// renews all of them.

import type { LeaseStore, Moment, Write } from '../store/store.ts'
import { processClock, type Clock } from './clock.ts'
import { Followers, forgetFollowers } from './followers.ts'
import { leaseOf, leaseWrite, readLeases, retired, unlessConflict, type Lease, type LeaseProgress, type StoredLease } from './lease-document.ts'
import { Renewals } from './renewals.ts'

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
  readonly #followers: Followers
  readonly #durationMs: number
  readonly #clock: Clock
  readonly #withOwner: boolean
  /** By part, with progress that is not stored yet. */
  readonly #held = new Map<string, Lease>()
  /** By part. */
  readonly #renewals: Renewals
  #shareAtMs = -Infinity
  #timesRead = 0

  /** With `withOwner`, leases are held for as long as their owner is registered. */
  constructor(store: LeaseStore, owner: string, durationMs: number, clock: Clock = processClock, { withOwner = false } = {}) {
    this.#store = store
    this.#owner = owner
    this.#followers = new Followers(store, owner, durationMs, clock)
    this.#durationMs = durationMs
    this.#clock = clock
    this.#withOwner = withOwner
    this.#renewals = new Renewals(clock)
  }

  /**
   * For leases that are held with their owner. Leases an equal number of parts to each follower: keeps its own, takes free ones, and
   * releases what is too many. A follower that holds all parts asks the store only twice per duration: the gateway that takes a part
   * from it changes the etag that its writes depend on.
   */
  async hold(): Promise<readonly Lease[]> {
    const parts = await this.#store.feedParts()
    if (this.#clock.now() < this.#shareAtMs && parts.every((part) => this.#held.has(part))) return this.#all()
    this.#timesRead++
    const known = await this.#read()
    const now = await this.#store.now()
    if (this.#clock.now() < this.#shareAtMs && !known.some((stored) => this.#isFree(stored, now))) {
      this.#replaceHeld(known.filter((stored) => this.#isMine(stored)).map((stored) => this.#furthest(stored)))
      return this.#all()
    }
    const { kept, surplus, free } = await this.#shareOf(known)
    this.#shareAtMs = this.#clock.now() + this.#durationMs / 2
    await Promise.all(surplus.map((stored) => this.release(this.#furthest(stored))))
    const taken = await Promise.all(free.map((stored) => this.take(stored)))
    this.#replaceHeld([...kept.map((stored) => this.#furthest(stored)), ...taken.filter((lease) => lease !== undefined)])
    return this.#all()
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

  /** Whether half of the registration that leases are held with has passed. The next lease that is stored renews it. */
  get isDue(): boolean {
    return this.#followers.isDue
  }

  /** Which parts this follower should have, so that each follower has an equal number. Registers this one. */
  async share(): Promise<Share> {
    return this.#shareOf(await this.#read())
  }

  async #shareOf(known: readonly StoredLease[]): Promise<Share> {
    const now = await this.#store.now()
    const quota = Math.ceil(known.length / (await this.#followers.count(now)))
    const mine = known.filter((stored) => this.#isMine(stored))
    const free = known.filter((stored) => this.#isFree(stored, now))
    return { kept: mine.slice(0, quota), surplus: mine.slice(quota), free: free.slice(0, Math.max(0, quota - mine.length)) }
  }

  /** Undefined when another follower was first. */
  async take({ part, etag, lease }: StoredLease): Promise<Lease | undefined> {
    const isMine = lease?.owner === this.#owner
    const taken = { part, etag, point: lease?.point, reached: lease?.reached ?? -Infinity, epoch: (lease?.epoch ?? 0) + (isMine ? 0 : 1) }
    const written = await unlessConflict(this.#store.write([await this.#write(taken)]))
    return written && { ...taken, etag: written[0]! }
  }

  /** Stores the lease's point and position, renews it, and writes `others` in the same batch. Undefined when another follower has the part. */
  async keep(lease: Lease, others: readonly Write[] = []): Promise<Lease | undefined> {
    const registers = this.#withOwner && this.#followers.isDue
    const atMs = this.#clock.now()
    const registration = registers ? [this.#followers.registration(await this.#store.now())] : []
    const etags = await unlessConflict(this.#store.write([await this.#write(lease), ...registration, ...others]))
    if (!etags) {
      this.#held.delete(lease.part)
      return undefined
    }
    if (registers) this.#followers.renewed(atMs)
    const kept = { ...lease, etag: etags[0]! }
    if (this.#held.has(lease.part)) this.#held.set(lease.part, kept)
    return kept
  }

  /** The write that renews a lease. A batch with it fails as a whole once another follower has the part. */
  renewal(lease: Lease): Promise<Write> {
    return this.#write(lease)
  }

  /** Lets others take the part at once. */
  async release(lease: Lease): Promise<void> {
    await unlessConflict(this.#store.write([leaseWrite(lease, { owner: '', expiresAt: 0 })]))
  }

  /** No follower may take the part again: other parts replace it. */
  async retire(lease: Lease): Promise<void> {
    await unlessConflict(this.#store.write([leaseWrite(lease, { owner: '', expiresAt: retired })]))
  }

  /** Releases all held leases, so that others need not wait for them to expire. */
  async releaseAll(): Promise<void> {
    await this.leave()
    await Promise.all([...this.#held.values()].map((lease) => this.release(lease)))
    this.#held.clear()
  }

  /** No longer counts as a follower. */
  async leave(): Promise<void> {
    await this.#followers.leave()
  }

  #all(): readonly Lease[] {
    return [...this.#held.values()]
  }

  #replaceHeld(leases: readonly Lease[]): void {
    this.#held.clear()
    for (const lease of leases) this.#held.set(lease.part, lease)
  }

  /** The lease as this follower holds it, which may be ahead of the stored one; the stored one if another follower has written it. */
  #furthest(stored: StoredLease): Lease {
    const held = this.#held.get(stored.part)
    return held?.etag === stored.etag ? held! : leaseOf(stored)
  }

  #isMine({ lease }: StoredLease): boolean {
    return lease?.owner === this.#owner
  }

  #isFree({ part, lease }: StoredLease, now: Moment): boolean {
    if (!lease) return true
    if (lease.owner === this.#owner || lease.expiresAt === retired) return false
    if (lease.withOwner && this.#followers.isRegistered(lease.owner, now)) return false
    return lease.expiresAt <= now.earliest || this.#renewals.unrenewedMs(part) >= Math.max(this.#durationMs, lease.lastsMs ?? 0)
  }

  async #read(): Promise<StoredLease[]> {
    const known = await readLeases(this.#store)
    this.#renewals.see(known.flatMap(({ part, etag }) => (etag === undefined ? [] : [{ name: part, etag }])))
    return known
  }

  /** A write of the lease's document that lets this follower keep it. */
  async #write(lease: LeaseProgress): Promise<Write> {
    return leaseWrite(lease, { owner: this.#owner, expiresAt: (await this.#store.now()).latest + this.#durationMs, lastsMs: this.#durationMs, ...(this.#withOwner ? { withOwner: true } : {}) })
  }
}

/** Lets a follower take all parts at once, when no other runs any more. */
export async function releaseLeases(store: LeaseStore): Promise<void> {
  await forgetFollowers(store)
  const held = (await readLeases(store)).filter(({ lease }) => lease !== undefined && lease.expiresAt !== retired)
  await Promise.all(held.map((stored) => unlessConflict(store.write([leaseWrite(leaseOf(stored), { owner: '', expiresAt: 0 })]))))
}
