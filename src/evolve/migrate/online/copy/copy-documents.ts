// Copies documents of the old schema to their locations in the new one, again after each change, and deletes earlier copies that the
// document no longer leads to. The result depends only on the documents as they are now, so copying can be repeated. Where the whole
// store is atomic, it takes one transaction. Gateways wait for it, so it covers few documents.

import { keyText } from '../../../../model/keys/key.ts'
import { keyById } from '../../../../model/keys/partition.ts'
import type { DocumentType } from '../../../../model/model.ts'
import { selectionOf } from '../../../../read/selection.ts'
import { ownContainer } from '../../../../store/own-container.ts'
import { readAll } from '../../../../store/read-all.ts'
import { ConflictError } from '../../../../store/store-errors.ts'
import type { Store, StoredDocument, Write } from '../../../../store/store.ts'
import { TenantStore } from '../../../../store/tenants/tenant-store.ts'
import { writeAll } from '../../../../store/write-all.ts'
import { BatchedView } from '../../../check/batched-view.ts'
import { pageSize } from '../../../check/document-pages.ts'
import { transformDocument, type NewDocument, type DocumentLocation } from '../../transform/transform-document.ts'
import type { TypeWork } from '../../transform/type-work.ts'
import { Unfit } from '../../transform/transform-values.ts'
import { refuseUnfit } from '../../run/all-fit.ts'
import { Digests } from '../../run/digests.ts'
import { addDigestsBefore, refuseOwnData } from '../../run/document-digests.ts'
import { MigrationRunningError } from '../../run/migration-record.ts'
import type { MigrationRun, Part } from '../../run/migration-run.ts'
import { copyRecordIn, copyRecordKey, copyRecordPut, type CopyRecord } from './copy-records.ts'

/** By id: why a document cannot be copied. */
export type UnfitDocuments = ReadonlyMap<string, string>

/** Gateways wait for a transaction. */
const chunk = 100

/** Copies the documents with these ids as they are now. Keeps `totals` up to date. */
export async function copyDocuments(run: MigrationRun, part: Part, work: TypeWork, ids: readonly string[], totals: Digests): Promise<UnfitDocuments> {
  const unfit = new Map<string, string>()
  for (let at = 0; at < ids.length; at += chunk) {
    const some = ids.slice(at, at + chunk)
    const copy = await (run.store.supports.atomic === 'store' ? copyTogether(run, part, work, some) : copyApart(run, part, work, some))
    for (const { was, is } of copy.digests) {
      totals.merge(was, -1)
      totals.merge(is, 1)
    }
    for (const [id, why] of copy.unfit) unfit.set(id, why)
  }
  return unfit
}

interface Copy {
  readonly unfit: UnfitDocuments
  readonly digests: readonly { readonly was: CopyRecord['digests']; readonly is: CopyRecord['digests'] }[]
  readonly puts: readonly NewDocument[]
  readonly gone: readonly DocumentLocation[]
  /** Copy records that still name the locations which will be deleted. */
  readonly before: readonly Write[]
  readonly after: readonly Write[]
}

async function copyTogether(run: MigrationRun, part: Part, work: TypeWork, ids: readonly string[]): Promise<Copy> {
  let copy: Copy | undefined
  await run.store.atomically(async () => {
    await run.held.check()
    copy = await plan(run, part, work, ids)
    return [...storedIn(part.store, writesOf(copy)), ...copy.after]
  })
  return copy!
}

/** The copy record names every new document before it is written, so documents that become obsolete are always found. */
async function copyApart(run: MigrationRun, part: Part, work: TypeWork, ids: readonly string[]): Promise<Copy> {
  await run.held.check()
  const copy = await plan(run, part, work, ids)
  try {
    await writeAll(run.store, copy.before)
  } catch (error) {
    throw error instanceof ConflictError ? new MigrationRunningError('Another process has taken over this migration. This one stops; nothing is lost.') : error
  }
  await writeAll(part.store, writesOf(copy))
  // Only records whose locations changed; the others are already right.
  if (copy.gone.length > 0) await writeAll(run.store, copy.after)
  return copy
}

function writesOf({ puts, gone }: Copy): Write[] {
  return [
    ...gone.map(({ container, key }): Write => ({ kind: 'delete', container, key })),
    ...puts.map(({ container, key, body }): Write => ({ kind: 'put', container, key, body })),
  ]
}

function storedIn(store: Store, writes: readonly Write[]): readonly Write[] {
  return store instanceof TenantStore ? store.stored(writes) : writes
}

async function plan({ store, pairs, fits }: MigrationRun, part: Part, work: TypeWork, ids: readonly string[]): Promise<Copy> {
  const [keys, view] = [ids.map((id) => copyRecordKey(part.tenant, work.old.name, id)), new BatchedView(part.store)]
  const [documents, records] = await Promise.all([documentsById(part.store, work.old, ids), readAll(store, ownContainer, keys)])
  const unfit = new Map<string, string>()
  const forms = await Promise.all(ids.map(async (id) => {
    const [document, digests] = [documents.get(id), new Digests()]
    if (!document) return { puts: [], digests }
    try {
      refuseOwnData(pairs, work, document.body)
      const form = await transformDocument(pairs, work, document, view)
      refuseUnfit(fits, work, document, form)
      await addDigestsBefore(digests, part.tenant, pairs, work, document.body, form, view)
      return { puts: form.puts, digests }
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      unfit.set(id, error.message)
      return undefined
    }
  }))
  const known = records.map(copyRecordIn)
  const fresh = forms.flatMap((form, index) => (form?.puts ?? []).filter((put) => !known[index]!.locations.some((location) => locationText(location) === locationText(put))))
  const taken = new Set(await occupiedLocations(part.store, fresh))
  const copy = { unfit, digests: [] as { was: CopyRecord['digests']; is: CopyRecord['digests'] }[], puts: [] as NewDocument[], gone: [] as DocumentLocation[], before: [] as Write[], after: [] as Write[] }
  for (const [index, id] of ids.entries()) {
    const [form, was, found] = [forms[index], known[index]!, records[index]]
    if (!form) continue
    const collides = form.puts.find((put) => taken.has(locationText(put)) && fresh.includes(put))
    if (collides) {
      unfit.set(id, `there is another document ${collides.key.id} in ${collides.container}`)
      continue
    }
    for (const put of form.puts) taken.add(locationText(put))
    const texts = new Set(form.puts.map(locationText))
    const gone = was.locations.filter((location) => !texts.has(locationText(location)))
    const is: CopyRecord = { locations: form.puts.map(({ container, key }) => ({ container, key })), digests: form.digests.toJSON() }
    copy.digests.push({ was: was.digests, is: is.digests })
    copy.puts.push(...form.puts)
    copy.gone.push(...gone)
    if (!found && !documents.has(id)) continue
    const only = found ? { ifMatch: found.etag } : 'if-absent' as const
    copy.before.push(copyRecordPut(keys[index]!, part.tenant, { ...is, locations: [...is.locations, ...gone] }, only))
    copy.after.push(documents.has(id) ? copyRecordPut(keys[index]!, part.tenant, is) : { kind: 'delete', container: ownContainer, key: keys[index]! })
  }
  return copy
}

async function documentsById(store: Store, type: DocumentType, ids: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>> {
  const keyOf = keyById(type)
  const isOne = ({ body }: StoredDocument): boolean => type.discriminator === undefined || body['type'] === type.discriminator
  const found = keyOf ? await readAll(store, type.container, ids.map(keyOf))
    : await store.query({ ...selectionOf(type), where: { op: 'in', path: ['id'], values: ids }, orderBy: { path: ['id'], descending: false }, limit: pageSize })
  return new Map(found.flatMap((document) => (document && isOne(document) ? [[document.key.id, document]] : [])))
}

async function occupiedLocations(store: Store, locations: readonly DocumentLocation[]): Promise<string[]> {
  const found = await Promise.all([...Map.groupBy(locations, ({ container }) => container)].map(async ([container, some]) => {
    const documents = await readAll(store, container, some.map(({ key }) => key))
    return some.filter((_, index) => documents[index]).map(locationText)
  }))
  return found.flat()
}

function locationText({ container, key }: DocumentLocation): string {
  return `${container} ${keyText(key)}`
}
