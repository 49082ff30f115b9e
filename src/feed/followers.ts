// The followers of a change feed, each of which registers itself in a document of its own. Parts are shared among those that are
// registered; one that no longer renews its registration is forgotten.

import type { Key } from '../model/keys/key.ts'
import { feedKey, feedPartition, ownContainer, ownPut } from '../store/own-container.ts'
import type { LeaseStore, Moment, StoredDocument, Write } from '../store/store.ts'
import type { Clock } from './clock.ts'
import { unlessConflict } from './lease-document.ts'
import { Renewals } from './renewals.ts'

export class Followers {
  readonly #store: LeaseStore
  readonly #own: Key
  readonly #durationMs: number
  readonly #clock: Clock
  readonly #renewals: Renewals
  /** When half of the registration has passed, by this process's clock. */
  #dueAtMs = -Infinity
  /** Until when the others are registered, by the store's clock, as it was read last. */
  #expiries: ReadonlyMap<string, number> = new Map()

  constructor(store: LeaseStore, owner: string, durationMs: number, clock: Clock) {
    this.#store = store
    this.#own = feedKey(idOf(owner))
    this.#durationMs = durationMs
    this.#clock = clock
    this.#renewals = new Renewals(clock)
  }

  /** Registers this one, forgets those that have expired, and returns how many there are. */
  async count(now: Moment): Promise<number> {
    const dueAtMs = this.#nextDue()
    await this.#store.write([this.registration(now)])
    this.#dueAtMs = dueAtMs
    const known = await readFollowers(this.#store)
    this.#renewals.see(known.map(({ key, etag }) => ({ name: key.id, etag })))
    const expired = known.filter(({ key, body }) => (body['expiresAt'] as number) <= now.earliest || this.#renewals.unrenewedMs(key.id) >= this.#durationMs)
    this.#expiries = new Map(known.filter((each) => !expired.includes(each)).map(({ key, body }) => [key.id, body['expiresAt'] as number]))
    // One that has registered again since stays; then none is removed this time.
    if (expired.length > 0) await unlessConflict(this.#store.write(expired.map(({ key, etag }) => removal(key, etag))))
    return known.length - expired.length
  }

  /** Whether half of this one's registration has passed. */
  get isDue(): boolean {
    return this.#clock.now() >= this.#dueAtMs
  }

  /** The write that registers this one, for a batch with others. `renewed` is to be called when it is made. */
  registration(now: Moment): Write {
    return ownPut(this.#own, { type: 'follower', expiresAt: now.latest + this.#durationMs })
  }

  renewed(atMs: number): void {
    this.#dueAtMs = atMs + this.#durationMs / 2
  }

  /** Whether a follower was registered when the registrations were read last, and need not have expired since. */
  isRegistered(owner: string, now: Moment): boolean {
    const name = idOf(owner)
    return (this.#expiries.get(name) ?? -Infinity) > now.earliest && this.#renewals.unrenewedMs(name) < this.#durationMs
  }

  #nextDue(): number {
    return this.#clock.now() + this.#durationMs / 2
  }

  /** This one no longer counts. */
  async leave(): Promise<void> {
    await this.#store.write([removal(this.#own)])
  }
}

/** When none runs any more. */
export async function forgetFollowers(store: LeaseStore): Promise<void> {
  await store.write((await readFollowers(store)).map(({ key }) => removal(key)))
}

function idOf(owner: string): string {
  return `follower-${owner}`
}

async function readFollowers(store: LeaseStore): Promise<StoredDocument[]> {
  return store.query({ container: ownContainer, partition: feedPartition, type: 'follower', orderBy: { path: ['id'], descending: false }, limit: 1000 })
}

function removal(key: Key, etag?: string): Write {
  return { kind: 'delete', container: ownContainer, key, ...(etag === undefined ? {} : { only: { ifMatch: etag } }) }
}
