// Reads all documents of a selection, page by page, in an order that writers do not disturb: a document that exists all
// along is read exactly once.

import { scalarAt } from '../../store/conditions.ts'
import type { Path, Position, Selection } from '../../store/query.ts'
import type { Store, StoredDocument } from '../../store/store.ts'

export const pageSize = 1000

export async function* documentPages(store: Store, selection: Selection, path: Path = ['id'], behind?: Position): AsyncGenerator<readonly StoredDocument[]> {
  let after = behind
  for (;;) {
    const page = await store.query({ ...selection, orderBy: { path, descending: false }, limit: pageSize, ...(after ? { after } : {}) })
    const last = page.at(-1)
    if (!last) return
    yield page
    if (page.length < pageSize) return
    after = { value: scalarAt(path, last.body), id: last.key.id }
  }
}
