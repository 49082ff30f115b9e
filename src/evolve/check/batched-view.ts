// The stored documents as kinds look at them when they work out what is true. Whatever is asked for
// a whole page of documents travels together, so a page costs as many round trips as one document.
// Answers are remembered for as long as the view is: every page, and every second look, has its own.

import type { Asker } from '../../read/read-log.ts'
import { Reads, type Belonging } from '../../read/reads.ts'
import { selectionOf } from '../../read/selection.ts'
import type { DocumentType } from '../../model/model.ts'
import type { Held, View } from '../../relations/maintenance.ts'
import type { Condition, Selection } from '../../store/query.ts'
import type { Store } from '../../store/store.ts'
import { pageSize } from './document-pages.ts'

/** Nobody keeps an account of a check. */
const asker: Asker = { field: 'check', place: { prev: undefined, key: 'check' }, stage: 0 }

export class BatchedView implements View {
  readonly #reads: Reads

  constructor(store: Store) {
    this.#reads = new Reads(store, 'gathered')
  }

  read(wanted: readonly { type: DocumentType; id: string }[]): Promise<readonly (Held | undefined)[]> {
    return Promise.all(wanted.map(async ({ type, id }) => {
      const document = await this.#reads.document(type, id, asker)
      return document && { after: document.body }
    }))
  }

  async find(type: DocumentType, where: Condition): Promise<readonly Held[]> {
    const { selection, whose } = gatherable(type, where)
    const query = { ...selection, orderBy: { path: ['id'], descending: false }, limit: pageSize }
    const found: Held[] = []
    for (let page = await this.#reads.page(query, whose, asker); ;) {
      found.push(...page.map(({ body }) => ({ after: body })))
      const last = page.at(-1)
      if (!last || page.length < pageSize) return found
      page = await this.#reads.page({ ...query, after: { value: last.key.id, id: last.key.id } }, whose, asker)
    }
  }

  async count(type: DocumentType, where: Condition): Promise<number> {
    const { selection, whose } = gatherable(type, where)
    return this.#reads.count(selection, whose, asker)
  }
}

/** Questions that differ only in the value of a property can be asked as one. */
function gatherable(type: DocumentType, where: Condition): { selection: Selection; whose: Belonging | undefined } {
  const selection = selectionOf(type)
  if (where.op !== 'eq') return { selection: { ...selection, where }, whose: undefined }
  return { selection, whose: { path: where.path, value: where.value } }
}
