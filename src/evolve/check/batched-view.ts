// The stored documents, as relation kinds read them to compute expected values. Reads for a whole page of documents are
// batched, so a page costs as many round trips as one document. A view caches what it has read; every page, and every
// second look at a document, uses a new one.

import type { Asker } from '../../read/read-log.ts'
import { Reads, type Belonging } from '../../read/reads.ts'
import { selectionOf } from '../../read/selection.ts'
import type { DocumentType } from '../../model/model.ts'
import type { ViewedDocument, View } from '../../relations/maintenance.ts'
import type { Group, Measure, Measured } from '../../store/aggregate/aggregation.ts'
import type { Condition, Selection } from '../../store/query.ts'
import type { Store } from '../../store/store.ts'
import { pageSize } from './document-pages.ts'

/** A check has no cost report, so one name serves all reads. */
const asker: Asker = { field: 'check', place: { prev: undefined, key: 'check' }, stage: 0 }

export class BatchedView implements View {
  readonly #reads: Reads

  constructor(store: Store) {
    this.#reads = new Reads(store, 'batched')
  }

  read(wanted: readonly { type: DocumentType; id: string }[]): Promise<readonly (ViewedDocument | undefined)[]> {
    return Promise.all(wanted.map(async ({ type, id }) => {
      const document = await this.#reads.document(type, id, asker)
      return document && { after: document.body }
    }))
  }

  async find(type: DocumentType, where: Condition): Promise<readonly ViewedDocument[]> {
    const { selection, whose } = batchable(type, where)
    const query = { ...selection, orderBy: { path: ['id'], descending: false }, limit: pageSize }
    const found: ViewedDocument[] = []
    for (let page = await this.#reads.page(query, whose, asker); ;) {
      found.push(...page.map(({ body }) => ({ after: body })))
      const last = page.at(-1)
      if (!last || page.length < pageSize) return found
      page = await this.#reads.page({ ...query, after: { value: last.key.id, id: last.key.id } }, whose, asker)
    }
  }

  async count(type: DocumentType, where: Condition): Promise<number> {
    const { selection, whose } = batchable(type, where)
    return this.#reads.count(selection, whose, asker)
  }

  async measure(type: DocumentType, where: Condition, measure: Measure): Promise<Measured> {
    const { selection, whose } = batchable(type, where)
    const groups = await this.#reads.aggregate(selection, { groupBy: [], measures: [measure], maxGroups: 1 }, whose, asker)
    return (groups as readonly Group[])[0]!.measured[0]!
  }
}

/** Queries that differ only in the value of one property are sent as one. */
function batchable(type: DocumentType, where: Condition): { selection: Selection; whose: Belonging | undefined } {
  const selection = selectionOf(type)
  if (where.op !== 'eq') return { selection: { ...selection, where }, whose: undefined }
  return { selection, whose: { path: where.path, value: where.value } }
}
