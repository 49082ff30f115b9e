// Updates snapshots, lists and counts after an import, computed from the stored documents. They are stale while rows are
// written, until this step has run. It reads every document that may depend on an imported type, not only those of this
// run, so it also completes an earlier run that was stopped.

import { BatchedView } from '../check/batched-view.ts'
import { documentPages } from '../check/document-pages.ts'
import { expectedValue } from '../check/expected-value.ts'
import { selectionOf } from '../../read/selection.ts'
import { allFields, type DocumentType } from '../../model/model.ts'
import { kindOf } from '../../relations/kinds.ts'
import type { Body } from '../../model/json/json.ts'
import { readAll } from '../../store/read-all.ts'
import type { StoredDocument } from '../../store/store.ts'
import { writeBatch } from './import-batch.ts'
import { reasonOf, type Importing } from './import-run.ts'

/** A copied field can be copied again, one round per step. Only a circle needs more rounds than this. */
const maxRounds = 100

/** The types with snapshots, lists or counts that an import of these types can change. */
export function affectedTypes({ declaration: { model, kindContext } }: Importing, imported: ReadonlySet<DocumentType>): DocumentType[] {
  const all = allFields(model).flatMap((field) => kindOf(field).maintain?.(field, kindContext) ?? [])
  return [...new Set(all.filter(({ source, holder }) => imported.has(source) || imported.has(holder)).map(({ holder }) => holder))]
}

export async function maintainImported(importing: Importing, types: readonly DocumentType[], checked: (documents: number) => Promise<void>): Promise<void> {
  for (let round = 1; round <= maxRounds; round++) {
    let copiedChanged = false
    for (const type of types) {
      for await (const page of documentPages(importing.store, selectionOf(type))) {
        copiedChanged = (await updatePage(importing, type, page)) || copiedChanged
        await checked(round === 1 ? page.length : 0)
      }
    }
    // Another round is needed only after a change of a field that snapshots copy.
    if (!copiedChanged) return
  }
  throw new Error(`Snapshots did not settle after ${maxRounds} rounds: the schema copies fields in a circle. Stop copying one of them.`)
}

/** Returns whether a field changed that snapshots copy. */
async function updatePage(importing: Importing, type: DocumentType, page: readonly StoredDocument[]): Promise<boolean> {
  const { effects, store, totals } = importing
  let copiedChanged = false
  const reject = ({ key }: StoredDocument, reason: string): void => importing.rejectDocument(type.name, key.id, reason)
  await writeBatch(importing, page, reject, async (some, changes, _, isFirst) => {
    // In a transaction, and after a conflict with another writer, the documents are read again.
    const documents = isFirst && store.supports.atomic !== 'store' ? some : (await readAll(store, type.container, some.map(({ key }) => key))).filter((document) => document !== undefined)
    const view = new BatchedView(store)
    const bodies = await Promise.all(documents.map(({ body }) => expectedBody(importing, type, body, view)))
    const wrong = documents.flatMap((document, index) => (JSON.stringify(bodies[index]) === JSON.stringify(document.body) ? [] : [{ document, body: bodies[index]! }]))
    for (const { document: { key, etag, body: before }, body } of wrong) {
      changes.put(type, body, { container: type.container, key, type, etag, before, after: before })
      copiedChanged ||= effects.copiedText(type, before) !== effects.copiedText(type, body)
    }
    return () => {
      totals.followed += wrong.length
    }
  }, false)
  return copiedChanged
}

async function expectedBody({ declaration: { kindContext }, effects, rejectDocument }: Importing, type: DocumentType, body: Body, view: BatchedView): Promise<Body> {
  const values = await Promise.all([...type.fields.values()].map(async (field) => {
    const value = await expectedValue(field, body, view, kindContext)
    return value === undefined || !('at' in field.storage) || (value === null && (body[field.storage.at] ?? null) === null) ? [] : [[field.storage.at, value] as const]
  }))
  try {
    return effects.settle(type, { ...body, ...Object.fromEntries(values.flat()) })
  } catch (error) {
    // A list that would exceed its max stays as it is; other documents are still updated.
    rejectDocument(type.name, body['id'] as string, reasonOf(error))
    return body
  }
}
