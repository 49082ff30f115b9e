// One page of documents, for planning the effects of a change. A store in this process answers without a pause, so it is asked for
// a slice at a time; the page still counts as the one round trip that it is for a store across the network, so that costs do not
// depend on how the work is cut.

import { hundredths, pageCharge } from '../store/cost-model.ts'
import type { Query } from '../store/query.ts'
import type { Meter, Store, StoredDocument } from '../store/store.ts'
import { documentsPerSlice, unitsOf, type WorkSlice } from '../store/work-slice.ts'

/** From these, the size of the documents is known. */
const firstDocuments = 50

/** The query must be in the order of ids. */
export async function slicedPage(store: Store, query: Query, slice: WorkSlice, meter: Meter | undefined): Promise<StoredDocument[]> {
  if (store.supports.atomic !== 'store' || query.limit <= firstDocuments) {
    const page = await store.query(query, meter)
    await slice.next(page.length)
    return page
  }
  const startMs = performance.now()
  const page: StoredDocument[] = []
  let [bytes, limit, after] = [0, firstDocuments, query.after]
  for (;;) {
    const some = await store.query({ ...query, limit, ...(after ? { after } : {}) })
    let units = 1
    for (const document of some) {
      page.push(document)
      bytes += document.bytes
      units += unitsOf(document.bytes)
    }
    const turn = slice.next(units)
    if (turn) await turn
    const last = some.at(-1)
    if (!last || some.length < limit || page.length >= query.limit) break
    after = { value: last.key.id, id: last.key.id }
    // The next documents take one slice, whatever their size.
    limit = Math.max(1, Math.min(query.limit - page.length, Math.floor((documentsPerSlice * some.length) / units)))
  }
  meter?.({
    operation: 'query', container: query.container, keys: 0, documents: page.length, wave: 0,
    startMs, durationMs: performance.now() - startMs, requestCharge: hundredths(pageCharge(page.length, bytes)),
  })
  return page
}
