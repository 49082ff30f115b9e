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
  readonly #renewals: Renewals

  constructor(store: LeaseStore, owner: string, durationMs: number, clock: Clock) {
    this.#store = store
    this.#own = feedKey(`follower-${owner}`)
    this.#durationMs = durationMs
    this.#renewals = new Renewals(clock)
  }

  /** Registers this one, forgets those that have expired, and returns how many there are. */
  async count(now: Moment): Promise<number> {
    await this.#store.write([ownPut(this.#own, { type: 'follower', expiresAt: now.latest + this.#durationMs })])
    const known = await readFollowers(this.#store)
    this.#renewals.see(known.map(({ key, etag }) => ({ name: key.id, etag })))
    const expired = known.filter(({ key, body }) => (body['expiresAt'] as number) <= now.earliest || this.#renewals.unrenewedMs(key.id) >= this.#durationMs)
    // One that has registered again since stays; then none is removed this time.
    if (expired.length > 0) await unlessConflict(this.#store.write(expired.map(({ key, etag }) => removal(key, etag))))
    return known.length - expired.length
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

async function readFollowers(store: LeaseStore): Promise<StoredDocument[]> {
  return store.query({ container: ownContainer, partition: feedPartition, type: 'follower', orderBy: { path: ['id'], descending: false }, limit: 1000 })
}

function removal(key: Key, etag?: string): Write {
  return { kind: 'delete', container: ownContainer, key, ...(etag === undefined ? {} : { only: { ifMatch: etag } }) }
}
