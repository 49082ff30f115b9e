// Prepared documents of an offline migration, in Quire's own container until all of them are prepared. Each has its future container and key,
// the new body (none if an old document will be deleted), and the etag of the document that is stored there now. Preparing changes no
// document of the schema.

import { createHash } from 'node:crypto'
import type { Body, Json } from '../../../model/json/json.ts'
import { keyText, type Key, type Partition } from '../../../model/keys/key.ts'
import { ownContainer, ownPut } from '../../../store/own-container.ts'
import type { Store, StoredDocument, Write } from '../../../store/store.ts'
import { writeAll } from '../../../store/write-all.ts'
import { documentPages } from '../../check/document-pages.ts'
import { partFor } from './migration-run.ts'
import { readAll } from '../../../store/read-all.ts'

export interface StagedDocument {
  readonly tenant: string | undefined
  readonly container: string
  readonly key: Key
  /** Undefined if an old document will be deleted. */
  readonly body: Body | undefined
  /** The etag of the document that is stored at the key; undefined for none. */
  readonly etag: string | undefined
  /** The old document that it comes from. */
  readonly source: string
  /** When an old document is deleted: `now`, or with `--finish` because no gateway reads it. */
  readonly goes: 'now' | 'finish' | undefined
}

/** Enough partitions that none of them is hot. */
const partitions = 64

const type = 'staged'

export function stagedKey({ tenant, container, key }: Pick<StagedDocument, 'tenant' | 'container' | 'key'>): Key {
  const hash = createHash('sha256').update(JSON.stringify([tenant ?? null, container, keyText(key)])).digest()
  return { partition: [`staged-${hash[0]! % partitions}`], id: `staged-${hash.toString('base64url')}` }
}

export async function putStaged(store: Store, all: readonly StagedDocument[]): Promise<void> {
  await writeAll(store, all.map((staged): Write => {
    const { tenant, container, key: { partition, id }, body, etag, source, goes } = staged
    return ownPut(stagedKey(staged), { type, place: { tenant: tenant ?? null, container, partition: partition as Json, id }, document: body ?? null, etag: etag ?? null, source, goes: goes ?? null })
  }))
}

export async function readStaged(store: Store, all: readonly Pick<StagedDocument, 'tenant' | 'container' | 'key'>[]): Promise<(StagedDocument | undefined)[]> {
  const found = await store.readMany(ownContainer, all.map(stagedKey))
  return found.map((each) => each && stagedIn(each))
}

export async function* stagedPages(store: Store): AsyncGenerator<readonly StagedDocument[]> {
  for await (const page of documentPages(store, { container: ownContainer, type })) yield page.map(stagedIn)
}

export function countStaged(store: Store): Promise<number> | number {
  return store.count({ container: ownContainer, type })
}

export async function removeStaged(store: Store, all: readonly StagedDocument[]): Promise<void> {
  await writeAll(store, all.map((staged): Write => ({ kind: 'delete', container: ownContainer, key: stagedKey(staged) })))
}

/** Removes prepared documents. */
export async function forgetStaged(store: Store, which: (staged: StagedDocument) => boolean = () => true): Promise<void> {
  for await (const page of stagedPages(store)) await removeStaged(store, page.filter(which))
}

/** The documents that are stored at these keys now. */
export async function currentOf(store: Store, page: readonly StagedDocument[]): Promise<ReadonlyMap<string, StoredDocument>> {
  const groups = Map.groupBy(page, ({ tenant, container }) => JSON.stringify([tenant ?? null, container]))
  const found = await Promise.all([...groups.values()].map(async (some) => {
    const documents = await readAll(partFor(store, some[0]!.tenant), some[0]!.container, some.map(({ key }) => key))
    return some.flatMap((staged, index) => (documents[index] ? [[textOf(staged), documents[index]] as const] : []))
  }))
  return new Map(found.flat())
}

/** Tenant, container and key as text. */
export function textOf({ tenant, container, key }: Pick<StagedDocument, 'container' | 'key'> & { readonly tenant?: string | undefined }): string {
  return JSON.stringify([tenant ?? null, container, keyText(key)])
}

function stagedIn({ body }: StoredDocument): StagedDocument {
  const { tenant, container, partition, id } = body['place'] as unknown as { tenant: string | null; container: string; partition: Partition; id: string }
  return {
    tenant: tenant ?? undefined, container, key: { partition, id },
    body: (body['document'] as Body | null) ?? undefined,
    etag: (body['etag'] as string | null) ?? undefined,
    source: body['source'] as string,
    goes: (body['goes'] as StagedDocument['goes'] | null) ?? undefined,
  }
}
