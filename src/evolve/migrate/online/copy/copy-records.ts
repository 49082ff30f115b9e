// What each old document has become: where its new documents are, and what it says, in numbers. A document that changes while it is
// copied is copied again, and its trace tells which of its new documents have to go.

import { createHash } from 'node:crypto'
import type { Json } from '../../../../model/json/json.ts'
import type { Key, Partition } from '../../../../model/keys/key.ts'
import { ownContainer, ownPut } from '../../../../store/own-container.ts'
import type { Store, StoredDocument, Write } from '../../../../store/store.ts'
import { writeAll } from '../../../../store/write-all.ts'
import { documentPages } from '../../../check/document-pages.ts'
import type { Place } from '../../transform/transform-document.ts'
import { Digests, type Digest } from '../../run/digests.ts'

export interface Trace {
  readonly places: readonly Place[]
  readonly facts: Readonly<Record<string, Digest>>
}

export const traceType = 'trace'

/** Enough partitions that none of them is hot. */
const partitions = 64

export function traceKey(tenant: string | undefined, type: string, id: string): Key {
  const hash = createHash('sha256').update(JSON.stringify([tenant ?? null, type, id])).digest()
  return { partition: [`trace-${hash[0]! % partitions}`], id: `trace-${hash.toString('base64url')}` }
}

export function tracePut(key: Key, tenant: string | undefined, { places, facts }: Trace, only?: Extract<Write, { kind: 'put' }>['only']): Write {
  return ownPut(key, { type: traceType, tenant: tenant ?? null, places: places.map(({ container, key: { partition, id } }) => ({ container, partition: partition as Json, id })), facts: facts as unknown as Json }, only)
}

export function traceIn(found: StoredDocument | undefined): Trace {
  if (!found) return { places: [], facts: {} }
  const places = found.body['places'] as unknown as readonly { container: string; partition: Partition; id: string }[]
  return { places: places.map(({ container, partition, id }) => ({ container, key: { partition, id } })), facts: found.body['facts'] as unknown as Trace['facts'] }
}

/** What all documents that have been copied say. */
export async function totalsOf(store: Store): Promise<Digests> {
  const totals = new Digests()
  for await (const page of tracePages(store)) for (const trace of page) totals.merge(traceIn(trace).facts, 1)
  return totals
}

export function tracePages(store: Store): AsyncGenerator<readonly StoredDocument[]> {
  return documentPages(store, { container: ownContainer, type: traceType })
}

/** Removes Quire's own documents of a type. */
export async function forgetOwn(store: Store, type: string, advance: (documents: number) => Promise<void>): Promise<void> {
  for await (const page of documentPages(store, { container: ownContainer, type })) {
    await writeAll(store, page.map(({ key }): Write => ({ kind: 'delete', container: ownContainer, key })))
    await advance(0)
  }
}
