// One record per copied document, in Quire's own container: where its new documents are, and a digest of their values. When a document
// changes during the migration, it is copied again, and the record names the earlier copies that must be deleted. Stored records say
// `trace`, `places` and `facts`.

import { createHash } from 'node:crypto'
import type { Json } from '../../../../model/json/json.ts'
import type { Key, Partition } from '../../../../model/keys/key.ts'
import { ownContainer, ownPut } from '../../../../store/own-container.ts'
import type { Store, StoredDocument, Write } from '../../../../store/store.ts'
import { writeAll } from '../../../../store/write-all.ts'
import { documentPages } from '../../../check/document-pages.ts'
import type { DocumentLocation } from '../../transform/transform-document.ts'
import { Digests, type Digest } from '../../run/digests.ts'

export interface CopyRecord {
  readonly locations: readonly DocumentLocation[]
  readonly digests: Readonly<Record<string, Digest>>
}

export const copyRecordType = 'trace'

/** Enough partitions that none of them is hot. */
const partitions = 64

export function copyRecordKey(tenant: string | undefined, type: string, id: string): Key {
  const hash = createHash('sha256').update(JSON.stringify([tenant ?? null, type, id])).digest()
  return { partition: [`trace-${hash[0]! % partitions}`], id: `trace-${hash.toString('base64url')}` }
}

export function copyRecordPut(key: Key, tenant: string | undefined, { locations, digests }: CopyRecord, only?: Extract<Write, { kind: 'put' }>['only']): Write {
  const places = locations.map(({ container, key: { partition, id } }) => ({ container, partition: partition as Json, id }))
  return ownPut(key, { type: copyRecordType, tenant: tenant ?? null, places, facts: digests as unknown as Json }, only)
}

export function copyRecordIn(found: StoredDocument | undefined): CopyRecord {
  if (!found) return { locations: [], digests: {} }
  const places = found.body['places'] as unknown as readonly { container: string; partition: Partition; id: string }[]
  return { locations: places.map(({ container, partition, id }) => ({ container, key: { partition, id } })), digests: found.body['facts'] as unknown as CopyRecord['digests'] }
}

/** The digests of all copied documents, added up. */
export async function totalsOf(store: Store): Promise<Digests> {
  const totals = new Digests()
  for await (const page of copyRecordPages(store)) for (const record of page) totals.merge(copyRecordIn(record).digests, 1)
  return totals
}

export function copyRecordPages(store: Store): AsyncGenerator<readonly StoredDocument[]> {
  return documentPages(store, { container: ownContainer, type: copyRecordType })
}

/** Removes Quire's own documents of a type. */
export async function removeOwnDocuments(store: Store, type: string, advance: (documents: number) => Promise<void>): Promise<void> {
  for await (const page of documentPages(store, { container: ownContainer, type })) {
    await writeAll(store, page.map(({ key }): Write => ({ kind: 'delete', container: ownContainer, key })))
    await advance(0)
  }
}
