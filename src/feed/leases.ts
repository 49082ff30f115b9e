// Who follows which part of the change feed. A lease is a document: whoever writes it first has the
// part until it expires, and its etag tells a second taker that he is too late. The point up to which
// the part has been followed is in the same document, so giving a part up loses nothing.

import type { Key } from '../model/keys/key.ts'
import { feedKey, feedPartition, ownContainer, ownPut } from '../store/own-container.ts'
import type { Body } from '../model/json/json.ts'
import { ConflictError, type Moment, type Store, type Write } from '../store/store.ts'
import { changeOf, listDeadLetters } from './dead-letters.ts'

export interface Lease {
  readonly part: string
  readonly etag: string
  /** Everything up to here has been propagated; undefined at the beginning of time. */
  readonly point: string | undefined
  /** Every change before this moment, by the store's clock, has reached every copy. */
  readonly watermark: number
}

interface LeaseDocument extends Body {
  readonly owner: string
  readonly expiresAt: number
  readonly point?: string
  readonly watermark: number
}

export class Leases {
  readonly #store: Store
  readonly #owner: string
  readonly #follower: Key
  readonly #durationMs: number

  constructor(store: Store, owner: string, durationMs: number) {
    this.#store = store
    this.#owner = owner
    this.#follower = feedKey(`follower-${owner}`)
    this.#durationMs = durationMs
  }

  /** The parts that this gateway holds now: its own, and its share of those that nobody holds. */
  async hold(): Promise<Lease[]> {
    const parts = await this.#store.feedParts()
    const documents = await this.#store.readMany(ownContainer, parts.map(keyOf))
    const now = await this.#store.now()
    const known = parts.map((part, index) => ({ part, etag: documents[index]?.etag, lease: documents[index]?.body as LeaseDocument | undefined }))
    const share = Math.ceil(parts.length / (await this.#followers(now)))
    const mine = known.filter(({ lease }) => lease?.owner === this.#owner)
    const free = known.filter(({ lease }) => !lease || (lease.owner !== this.#owner && lease.expiresAt <= now.earliest))
    const wanted = [...mine.slice(0, share), ...free.slice(0, Math.max(0, share - mine.length))]
    await Promise.all(mine.slice(share).map(({ part, etag, lease }) => this.#release({ part, etag: etag!, point: lease!.point, watermark: lease!.watermark })))
    const held = await Promise.all(wanted.map(async ({ part, etag, lease }) => {
      // What is far from expiring is renewed when its point is kept.
      const safe = lease?.owner === this.#owner && lease.expiresAt - now.latest > this.#durationMs / 2
      return safe ? { part, etag: etag!, point: lease.point, watermark: lease.watermark } : this.#take(part, etag, lease)
    }))
    return held.filter((lease) => lease !== undefined)
  }

  /** How many follow the feed, this one included. Each says so itself, and is forgotten when it no longer does. */
  async #followers(now: Moment): Promise<number> {
    await this.#store.write([ownPut(this.#follower, { type: 'follower', expiresAt: now.latest + this.#durationMs })])
    const known = await this.#store.query({ container: ownContainer, partition: feedPartition, type: 'follower', orderBy: { path: ['id'], descending: false }, limit: 1000 })
    const gone = known.filter(({ body }) => (body['expiresAt'] as number) <= now.earliest)
    await this.#store.write(gone.map(({ key }) => ({ kind: 'delete', container: ownContainer, key })))
    return known.length - gone.length
  }

  /** The write that renews a lease: with it in a batch, nothing of the batch is written by one who has lost the part. */
  async renewal(lease: Lease): Promise<Write> {
    return leaseWrite(lease, this.#owner, (await this.#store.now()).latest + this.#durationMs)
  }

  /** Gives everything up, so that others need not wait until it expires. */
  async releaseAll(leases: readonly Lease[]): Promise<void> {
    await this.#store.write([{ kind: 'delete', container: ownContainer, key: this.#follower }])
    await Promise.all(leases.map((lease) => this.#release(lease)))
  }

  async #take(part: string, etag: string | undefined, lease: LeaseDocument | undefined): Promise<Lease | undefined> {
    const taken = { part, etag, point: lease?.point, watermark: lease?.watermark ?? 0 }
    const written = await unlessLate(this.#store.write([leaseWrite(taken, this.#owner, (await this.#store.now()).latest + this.#durationMs)]))
    return written && { ...taken, etag: written[0]! }
  }

  async #release(lease: Lease): Promise<void> {
    await unlessLate(this.#store.write([leaseWrite(lease, '', 0)]))
  }
}

/** A lease as its document, for that owner until then; refused if anyone has written it since it was read. */
function leaseWrite({ part, etag, point, watermark }: Omit<Lease, 'etag'> & { readonly etag: string | undefined }, owner: string, expiresAt: number): Write {
  const body = { owner, expiresAt, ...(point === undefined ? {} : { point }), watermark }
  return ownPut(keyOf(part), body, etag === undefined ? 'if-absent' : { ifMatch: etag })
}

/**
 * The oldest watermark of all parts, or the oldest change that was set aside: what every gateway can
 * promise, whoever does the following. A dead letter has reached no copy, so nothing after it is proved.
 */
export async function readWatermark(store: Store): Promise<number> {
  return (await readProgress(store)).watermark
}

/** The watermark, and how many changes have been set aside. */
export async function readProgress(store: Store): Promise<{ readonly watermark: number; readonly deadLetters: number }> {
  const parts = await store.feedParts()
  const documents = await store.readMany(ownContainer, parts.map(keyOf))
  const letters = await listDeadLetters(store)
  const watermarks = documents.map((document) => (document?.body as LeaseDocument | undefined)?.watermark ?? 0)
  return { watermark: Math.min(...watermarks, ...letters.map((letter) => changeOf(letter).at)), deadLetters: letters.length }
}

/** Undefined when someone else was there first. */
async function unlessLate<T>(write: Promise<T>): Promise<T | undefined> {
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
