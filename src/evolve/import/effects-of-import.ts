// Copies, lists and counts that follow from what was imported, worked out from the stored documents
// once all of them are there. It looks at every document that may keep something of an imported type,
// not only at what this run has written, so it also ends what an earlier run has begun.

import { BatchedView } from '../check/batched-view.ts'
import { documentPages } from '../check/document-pages.ts'
import { truthOf } from '../check/truth.ts'
import { selectionOf } from '../../read/selection.ts'
import { allFields, type DocumentType } from '../../model/model.ts'
import { kindOf } from '../../relations/index.ts'
import type { Body } from '../../model/json/json.ts'
import type { StoredDocument } from '../../store/store.ts'
import { inBatch, reasonOf, type Importing } from './import-run.ts'

/** What is computed from a copy and copied again takes a round for each step; only a circle would go on for ever. */
const mostRounds = 100

/** The types whose documents keep something of an imported type, or that are imported and keep something. */
export function holdersOf({ declaration: { model, tools } }: Importing, imported: ReadonlySet<DocumentType>): DocumentType[] {
  const all = allFields(model).flatMap((field) => kindOf(field).maintain?.(field, tools) ?? [])
  return [...new Set(all.filter(({ source, holder }) => imported.has(source) || imported.has(holder)).map(({ holder }) => holder))]
}

export async function maintainImported(importing: Importing, holders: readonly DocumentType[], told: (documents: number) => Promise<void>): Promise<void> {
  for (let round = 1; round <= mostRounds; round++) {
    let shown = false
    for (const type of holders) {
      for await (const page of documentPages(importing.store, selectionOf(type))) {
        shown = (await followPage(importing, type, page)) || shown
        await told(round === 1 ? page.length : 0)
      }
    }
    // Only what others copy can make others follow in turn.
    if (!shown) return
  }
  throw new Error(`Copies did not come to rest after ${mostRounds} rounds: the schema's copies go round in a circle.`)
}

/** Whether anything changed that others copy. */
async function followPage(importing: Importing, type: DocumentType, page: readonly StoredDocument[]): Promise<boolean> {
  const { effects, store, totals } = importing
  let shown = false
  let tried = false
  await inBatch(importing, async (changes) => {
    // Should others have been faster, the page is read again.
    const documents = tried ? (await store.readMany(type.container, page.map(({ key }) => key))).filter((document) => document !== undefined) : page
    tried = true
    const view = new BatchedView(store)
    const bodies = await Promise.all(documents.map(({ body }) => trueBody(importing, type, body, view)))
    const wrong = documents.flatMap((document, index) => (JSON.stringify(bodies[index]) === JSON.stringify(document.body) ? [] : [{ document, body: bodies[index]! }]))
    for (const { document: { key, etag, body: before }, body } of wrong) {
      changes.put(type, body, { container: type.container, key, type, etag, before, after: before })
      shown ||= effects.copiedText(type, before) !== effects.copiedText(type, body)
    }
    return () => {
      totals.followed += wrong.length
    }
  })
  return shown
}

async function trueBody({ declaration: { tools }, effects, refuseDocument }: Importing, type: DocumentType, body: Body, view: BatchedView): Promise<Body> {
  const truths = await Promise.all([...type.fields.values()].map(async (field) => {
    const truth = await truthOf(field, body, view, tools)
    return truth === undefined || !('at' in field.storage) || (truth === null && (body[field.storage.at] ?? null) === null) ? [] : [[field.storage.at, truth] as const]
  }))
  try {
    return effects.settle(type, { ...body, ...Object.fromEntries(truths.flat()) })
  } catch (error) {
    // A list that would outgrow what it was declared to hold stays as it is, and the others follow.
    refuseDocument(type.name, body['id'] as string, reasonOf(error))
    return body
  }
}
