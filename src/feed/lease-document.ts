// A lease as it is stored: a document for each part of the change feed. Who may take it is in leases.ts.

import type { Body } from '../model/json/json.ts'
import type { Key } from '../model/keys/key.ts'
import { feedKey, ownContainer, ownPut } from '../store/own-container.ts'
import { ConflictError } from '../store/store-errors.ts'
import type { LeaseStore, Write } from '../store/store.ts'

export interface Lease {
  readonly part: string
  readonly etag: string
  /** Everything up to here has been handled; undefined before the first change. */
  readonly point: string | undefined
  /** Every change up to this position has been handled: it has reached every snapshot, list and count. */
  readonly reached: number
  /** How often the part has been taken. A follower with a smaller number has lost it. */
  readonly epoch: number
}

export interface LeaseDocument extends Body {
  readonly owner: string
  /** By the store's clock. */
  readonly expiresAt: number
  readonly lastsMs?: number
  /** It is held for as long as its owner is registered as a follower, and is not renewed by itself. */
  readonly withOwner?: boolean
  readonly point?: string
  readonly reached?: number
  readonly epoch?: number
}

/** The expiry of a lease that no follower may take. */
export const retired = Number.MAX_SAFE_INTEGER

export interface StoredLease {
  readonly part: string
  readonly etag: string | undefined
  readonly lease: LeaseDocument | undefined
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

/** As this process knows it from reading it alone. */
export function leaseOf({ part, etag, lease }: StoredLease): Lease {
  return { part, etag: etag!, point: lease!.point, reached: lease!.reached ?? -Infinity, epoch: lease!.epoch ?? 0 }
}

export type LeaseProgress = Omit<Lease, 'etag'> & { readonly etag: string | undefined }

/** A write of the lease's document that fails if another follower has written it since it was read. */
export function leaseWrite({ part, etag, point, reached, epoch }: LeaseProgress, held: Pick<LeaseDocument, 'owner' | 'expiresAt' | 'lastsMs' | 'withOwner'>): Write {
  const body = { ...held, ...(point === undefined ? {} : { point }), ...(Number.isFinite(reached) ? { reached } : {}), epoch }
  return ownPut(leaseKey(part), body, etag === undefined ? 'if-absent' : { ifMatch: etag })
}

/** Undefined when another writer was first. */
export async function unlessConflict<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write
  } catch (error) {
    if (error instanceof ConflictError) return undefined
    throw error
  }
}
