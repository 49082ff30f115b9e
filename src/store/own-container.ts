// Where Quire keeps what it has to remember itself. Everything about following the change feed is in
// one partition, so that any store can write a lease and what belongs to it as one; the rest has a
// partition each.

import type { Key } from '../model/keys/key.ts'
import type { Body } from '../model/json/json.ts'
import type { ContainerLayout, Write } from './store.ts'

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

/** A document of Quire's own, as stores keep it. */
export function ownBody({ partition, id }: Key, body: Body): Body {
  return { ...body, id, partition: partition[0]! }
}

export function ownPut(key: Key, body: Body, only?: Extract<Write, { kind: 'put' }>['only']): Write {
  return { kind: 'put', container: ownContainer, key, body: ownBody(key, body), ...(only === undefined ? {} : { only }) }
}
