// The first phase of an offline migration: prepares every document as the new model stores it, and changes no existing one. Anything that
// would be lost or does not fit is found here, and the migration is refused. A checkpoint is kept after every page.

import type { Json } from '../../../model/json/json.ts'
import { keyText } from '../../../model/keys/key.ts'
import { readAll } from '../../../store/read-all.ts'
import { selectionOf } from '../../../read/selection.ts'
import type { StoredDocument } from '../../../store/store.ts'
import { BatchedView } from '../../check/batched-view.ts'
import { documentPages } from '../../check/document-pages.ts'
import { transformDocument, type TransformedDocument, type DocumentLocation } from '../transform/transform-document.ts'
import type { TypeWork } from '../transform/type-work.ts'
import { Unfit } from '../transform/transform-values.ts'
import { refuseUnfit, refusal } from './all-fit.ts'
import { Digests } from './digests.ts'
import { addDigestsBefore, lossesIn, refuseOwnData } from './document-digests.ts'
import { partsOf, type MigrationRun, type Part } from './migration-run.ts'
import { currentOf, forgetStaged, putStaged, readStaged, stagedPages, textOf, type StagedDocument } from './staged-documents.ts'

interface Checkpoint {
  readonly tenant: string | null
  readonly type: string
  /** The last document; null if all of them are prepared. */
  readonly after: string | null
}

export async function prepare(run: MigrationRun): Promise<void> {
  const { held, pairs, work } = run
  const digests = new Digests(held.record.digests)
  const unfit: string[] = []
  const done = held.record.checkpoint as unknown as Checkpoint | null
  let isBehind = done !== null
  for (const part of await partsOf(run)) {
    for (const typeWork of work.types) {
      const isHere = isBehind && done!.type === typeWork.old.name && done!.tenant === (part.tenant ?? null)
      if (isBehind && !isHere) continue
      isBehind = false
      const after = isHere && done!.after !== null ? { value: done!.after, id: done!.after } : undefined
      if (isHere && done!.after === null) continue
      for await (const page of documentPages(part.store, selectionOf(typeWork.old), ['id'], after)) {
        unfit.push(...await preparePage(run, part, typeWork, page, digests))
        // What does not fit must be found again.
        if (unfit.length === 0) await held.save({ checkpoint: checkpoint(part, typeWork, page.at(-1)!.key.id), digests: digests.toJSON() })
        await run.advance(page.length)
      }
      if (unfit.length === 0) await held.save({ checkpoint: checkpoint(part, typeWork, null), digests: digests.toJSON() })
    }
  }
  // Documents may have changed between two runs, so what the earlier run prepared is checked again.
  if (done !== null && unfit.length === 0 && !(await isUnchanged(run))) {
    await forgetStaged(run.store)
    await held.save({ checkpoint: null, digests: {} })
    return prepare(run)
  }
  const problems = unfit.length > 0 ? unfit : lossesIn(pairs, work, digests)
  if (problems.length > 0) throw refusal(problems)
}

async function isUnchanged({ store, advance }: MigrationRun): Promise<boolean> {
  for await (const page of stagedPages(store)) {
    const current = await currentOf(store, page)
    if (page.some((staged) => current.get(textOf(staged))?.etag !== staged.etag)) return false
    await advance(0)
  }
  return true
}

function checkpoint({ tenant }: Part, { old }: TypeWork, after: string | null): Json {
  return { tenant: tenant ?? null, type: old.name, after }
}

/** Returns the documents that do not fit, as sentences. */
async function preparePage(run: MigrationRun, part: Part, work: TypeWork, page: readonly StoredDocument[], digests: Digests): Promise<string[]> {
  const { pairs } = run
  const view = new BatchedView(part.store)
  const unfit: string[] = []
  const forms = (await Promise.all(page.map(async (document): Promise<[StoredDocument, TransformedDocument][]> => {
    try {
      refuseOwnData(pairs, work, document.body)
      const form = await transformDocument(pairs, work, document, view)
      refuseUnfit(run.fits, work, document, form)
      return [[document, form]]
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      unfit.push(`${work.old.name} ${document.key.id}: ${error.message}.`)
      return []
    }
  })))
  const fitting = forms.flat()
  for (const [document, form] of fitting) await addDigestsBefore(digests, part.tenant, pairs, work, document.body, form, view)
  unfit.push(...await stage(run, part, work, fitting))
  return unfit
}

async function stage({ store, pairs, declared }: MigrationRun, { tenant, store: own }: Part, { old }: TypeWork, forms: readonly [StoredDocument, TransformedDocument][]): Promise<string[]> {
  const sourceOf = ({ key }: StoredDocument): string => `${old.name} ${keyText(key)}`
  const puts = forms.flatMap(([document, { puts: all }]) => all.map((put) => ({ document, put, isInPlace: locationText(put) === locationText({ container: old.container, key: document.key }) })))
  const elsewhere = puts.filter(({ isInPlace }) => !isInPlace)
  const removals = forms.flatMap(([document, { obsolete }]) => obsolete.map((location) => ({ document, location })))
  const locations = [...elsewhere.map(({ put }) => put as DocumentLocation), ...removals.map(({ location }) => location)]
  const there = new Map((await Promise.all([...Map.groupBy(locations, ({ container }) => container)].map(async ([container, some]) => {
    const found = await readAll(own, container, some.map(({ key }) => key))
    return some.map((location, index) => [locationText(location), found[index]] as const)
  }))).flat())
  const staged = await readStaged(store, locations.map(({ container, key }) => ({ tenant, container, key })))
  const taken = new Map(locations.flatMap((location, index) => (staged[index]?.body ? [[locationText(location), staged[index].source]] : [])))
  const replaced = new Set(forms.flatMap(([, form]) => form.replaced.map(locationText)))
  const problems: string[] = []
  const all = new Map<string, StagedDocument>()
  for (const { document, put: { container, key, body }, isInPlace } of puts) {
    const [text, source, found] = [locationText({ container, key }), sourceOf(document), isInPlace ? document : there.get(locationText({ container, key }))]
    const other = all.get(text)?.source ?? taken.get(text)
    if (other !== undefined && other !== source) problems.push(`${source} and ${other} would become the same document ${key.id} in ${container}.`)
    else if (found && !isInPlace && !replaced.has(text) && !movesAway(container, found)) problems.push(`${source} cannot be stored in ${container}: there is another document ${key.id}.`)
    all.set(text, { tenant, container, key, body, etag: found?.etag, source, goes: undefined })
  }
  const served = new Set(declared.layout.map(({ name }) => name))
  for (const { document, location: { container, key } } of removals) {
    const text = locationText({ container, key })
    const found = there.get(text)
    if (!found || all.has(text) || taken.has(text)) continue
    all.set(text, { tenant, container, key, body: undefined, etag: found.etag, source: sourceOf(document), goes: served.has(container) ? 'now' : 'finish' })
  }
  await putStaged(store, [...all.values()])
  return problems

  /** Whether the document stored there moves away itself. */
  function movesAway(container: string, { body }: StoredDocument): boolean {
    const type = pairs.old.documents.values().find((each) => each.container === container && (each.discriminator === undefined || each.discriminator === body['type']))
    const now = type && pairs.now.documents.values().find((each) => pairs.oldDocument(each) === type)
    return type === undefined ? false : now === undefined || now.container !== container
  }
}

function locationText({ container, key }: DocumentLocation): string {
  return `${container} ${keyText(key)}`
}
