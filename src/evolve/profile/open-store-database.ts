// Presents an open store as an existing database, to profile documents that a schema serves already.

import type { Declaration } from '../../relations/declaration.ts'
import { ownContainer } from '../../store/own-container.ts'
import type { ExistingDatabase } from '../../store/existing/existing-database.ts'
import type { Store } from '../../store/store.ts'
import { documentPages } from '../check/document-pages.ts'

const idsPerQuery = 200

export async function openStoreAsDatabase({ layout }: Declaration, store: Store): Promise<ExistingDatabase> {
  let [requests, requestCharge] = [0, 0]
  const meter = (receipt: { readonly requestCharge: number }): void => {
    requests++
    requestCharge += receipt.requestCharge
  }
  const containers = await Promise.all(layout.filter(({ name }) => name !== ownContainer).map(async ({ name, partitionKey }) => ({ name, partitionKey, documents: await store.count({ container: name }, meter) })))
  return {
    containers,
    isServable: true,
    async *pages(container, max) {
      let left = max
      for await (const page of documentPages(store, { container })) {
        yield page.slice(0, left).map(({ body }) => body)
        left -= page.length
        if (left <= 0) return
      }
    },
    async find(container, ids) {
      const chunks = Array.from({ length: Math.ceil(ids.length / idsPerQuery) }, (_, at) => ids.slice(at * idsPerQuery, (at + 1) * idsPerQuery))
      const found = await Promise.all(chunks.map(async (values) => store.query({ container, where: { op: 'in', path: ['id'], values }, orderBy: { path: ['id'], descending: false }, limit: 2 * idsPerQuery }, meter)))
      return found.flat().map(({ body }) => body)
    },
    countEach: async ({ container, type }, path, values) => store.countEach({ container, ...(type === undefined ? {} : { type }) }, path, values, meter),
    spent: () => ({ requests, ...(store.supports.charges === 'measured' ? { requestCharge } : {}) }),
    close: () => store.close(),
  }
}
