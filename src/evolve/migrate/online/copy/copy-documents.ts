// Copies documents of the old schema into the places of the new one, and copies them again when they have changed: whatever they have become
// before and are not any more is removed. What is copied depends only on the documents as they are now, so it can be repeated. A store
// that is atomic as a whole does it in one transaction, which gateways wait for, so it is short.

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
import { newFormOf, type NewDocument, type Place } from '../../forms/new-form.ts'
import type { TypeWork } from '../../forms/type-work.ts'
import { Unfit } from '../../forms/values.ts'
import { refuseUnfit } from '../../run/all-fit.ts'
import { Digests } from '../../run/digests.ts'
import { addFacts, refuseOwnData } from '../../run/facts.ts'
import { MigrationRunningError } from '../../run/migration-record.ts'
import type { MigrationRun, Part } from '../../run/migration-run.ts'
import { traceIn, traceKey, tracePut, type Trace } from './traces.ts'

/** By id: why a document cannot be copied. */
export type UnfitDocuments = ReadonlyMap<string, string>

/** Gateways wait for a transaction. */
const chunk = 100

/** Copies the documents with these ids as they are now. `totals` follows what they say. */
export async function copyDocuments(run: MigrationRun, part: Part, work: TypeWork, ids: readonly string[], totals: Digests): Promise<UnfitDocuments> {
  const unfit = new Map<string, string>()
  for (let at = 0; at < ids.length; at += chunk) {
    const some = ids.slice(at, at + chunk)
    const copy = await (run.store.supports.atomic === 'store' ? copyTogether(run, part, work, some) : copyApart(run, part, work, some))
    for (const { was, is } of copy.facts) {
      totals.merge(was, -1)
      totals.merge(is, 1)
    }
    for (const [id, why] of copy.unfit) unfit.set(id, why)
  }
  return unfit
}

interface Copy {
  readonly unfit: UnfitDocuments
  readonly facts: readonly { readonly was: Trace['facts']; readonly is: Trace['facts'] }[]
  readonly puts: readonly NewDocument[]
  readonly gone: readonly Place[]
  /** The traces, with places that go as long as they are there. */
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

/** The trace knows every new document before it is there, so that one which is not needed any more is found again. */
async function copyApart(run: MigrationRun, part: Part, work: TypeWork, ids: readonly string[]): Promise<Copy> {
  await run.held.check()
  const copy = await plan(run, part, work, ids)
  try {
    await writeAll(run.store, copy.before)
  } catch (error) {
    throw error instanceof ConflictError ? new MigrationRunningError('Another process has taken over this migration. This one stops; nothing is lost.') : error
  }
  await writeAll(part.store, writesOf(copy))
  // Only those whose places differ; the others are as they must be.
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
  const [keys, view] = [ids.map((id) => traceKey(part.tenant, work.old.name, id)), new BatchedView(part.store)]
  const [documents, traces] = await Promise.all([documentsById(part.store, work.old, ids), readAll(store, ownContainer, keys)])
  const unfit = new Map<string, string>()
  const forms = await Promise.all(ids.map(async (id) => {
    const [document, facts] = [documents.get(id), new Digests()]
    if (!document) return { puts: [], facts }
    try {
      refuseOwnData(pairs, work, document.body)
      const form = await newFormOf(pairs, work, document, view)
      refuseUnfit(fits, work, document, form)
      await addFacts(facts, part.tenant, pairs, work, document.body, form, view)
      return { puts: form.puts, facts }
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      unfit.set(id, error.message)
      return undefined
    }
  }))
  const known = traces.map(traceIn)
  const fresh = forms.flatMap((form, index) => (form?.puts ?? []).filter((put) => !known[index]!.places.some((place) => placeText(place) === placeText(put))))
  const taken = new Set(await placesWithDocuments(part.store, fresh))
  const copy = { unfit, facts: [] as { was: Trace['facts']; is: Trace['facts'] }[], puts: [] as NewDocument[], gone: [] as Place[], before: [] as Write[], after: [] as Write[] }
  for (const [index, id] of ids.entries()) {
    const [form, was, found] = [forms[index], known[index]!, traces[index]]
    if (!form) continue
    const collides = form.puts.find((put) => taken.has(placeText(put)) && fresh.includes(put))
    if (collides) {
      unfit.set(id, `there is another document ${collides.key.id} in ${collides.container}`)
      continue
    }
    for (const put of form.puts) taken.add(placeText(put))
    const texts = new Set(form.puts.map(placeText))
    const gone = was.places.filter((place) => !texts.has(placeText(place)))
    const is: Trace = { places: form.puts.map(({ container, key }) => ({ container, key })), facts: form.facts.toJSON() }
    copy.facts.push({ was: was.facts, is: is.facts })
    copy.puts.push(...form.puts)
    copy.gone.push(...gone)
    if (!found && !documents.has(id)) continue
    const only = found ? { ifMatch: found.etag } : 'if-absent' as const
    copy.before.push(tracePut(keys[index]!, part.tenant, { ...is, places: [...is.places, ...gone] }, only))
    copy.after.push(documents.has(id) ? tracePut(keys[index]!, part.tenant, is) : { kind: 'delete', container: ownContainer, key: keys[index]! })
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

async function placesWithDocuments(store: Store, places: readonly Place[]): Promise<string[]> {
  const found = await Promise.all([...Map.groupBy(places, ({ container }) => container)].map(async ([container, some]) => {
    const documents = await readAll(store, container, some.map(({ key }) => key))
    return some.filter((_, index) => documents[index]).map(placeText)
  }))
  return found.flat()
}

function placeText({ container, key }: Place): string {
  return `${container} ${keyText(key)}`
}
