// The container in which Quire keeps its own documents, and those that a gateway needs at start: whether the store has
// been seeded, the secret that signs cursors, and which history its writes belong to. Leases, followers and dead letters are the feed's.
//
// Everything about following the change feed is in one partition, so that any store can write a lease together with
// what belongs to it. Every other document has a partition of its own.

import { randomBytes, randomUUID } from 'node:crypto'
import type { Key } from '../model/keys/key.ts'
import type { Body } from '../model/json/json.ts'
import type { MaybePromise } from './maybe-promise.ts'
import type { ContainerLayout, Store, Write } from './store.ts'
import { writeAll } from './write-all.ts'

export const ownContainer = 'quire'

export const ownLayout: ContainerLayout = { name: ownContainer, partitionKey: [['partition']], indexes: [{ equals: ['type'] }] }

/** The partition of leases, followers and dead letters. */
export const feedPartition = ['feed']

export function ownKey(id: string): Key {
  return { partition: [id], id }
}

export function feedKey(id: string): Key {
  return { partition: feedPartition, id }
}

/** One of Quire's own documents, as stores keep it. */
export function ownBody({ partition, id }: Key, body: Body): Body {
  return { ...body, id, partition: partition[0]! }
}

export function ownPut(key: Key, body: Body, only?: Extract<Write, { kind: 'put' }>['only']): Write {
  return { kind: 'put', container: ownContainer, key, body: ownBody(key, body), ...(only === undefined ? {} : { only }) }
}

/** Notes that the store holds documents, so that no gateway seeds it. */
export async function markSeeded(store: Store): Promise<void> {
  await store.write([ownPut(ownKey('seeded'), {})])
}

/** Seeding is repeatable and is noted only when it is complete, so a start that was interrupted seeds again. */
export async function seedOnce(store: Store, seed: () => MaybePromise<readonly Write[]>): Promise<void> {
  const [seeded] = await store.readMany(ownContainer, [ownKey('seeded')])
  if (seeded) return
  await writeAll(store, await seed())
  await markSeeded(store)
}

/** Names the history of the writes in a store: a store that was restored goes on with another one. Empty for a store that never was. */
export async function readHistory(store: Store): Promise<string> {
  const [found] = await store.readMany(ownContainer, [ownKey('history')])
  return (found?.body['name'] as string | undefined) ?? ''
}

/** From now on, no place in the feed that was told before is one of this store. */
export async function beginHistory(store: Store): Promise<void> {
  await store.write([ownPut(ownKey('history'), { name: randomUUID() })])
}

/** The same for all gateways on this store, and after every restart, so that cursors stay valid. */
export async function readCursorSecret(store: Store): Promise<string> {
  const key = ownKey('cursor-secret')
  const secret = randomBytes(32).toString('base64url')
  try {
    await store.write([ownPut(key, { secret }, 'if-absent')])
    return secret
  } catch (error) {
    const [kept] = await store.readMany(ownContainer, [key])
    if (!kept) throw error
    return kept.body['secret'] as string
  }
}
