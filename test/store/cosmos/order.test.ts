// Pages that are merged from several physical partitions, in the order of texts that the service has: nothing is left out or repeated.

import { expect, onTestFinished, test } from 'vitest'
import { compareScalarsInUtf16 } from '../../../src/model/keys/compare-scalars.ts'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import { pageSql } from '../../../src/store/cosmos/query/sql.ts'
import type { Query } from '../../../src/store/query.ts'
import { startCosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'
import { textsInOrder } from './vectors/order-by.ts'

test('texts compare as the SDKs compare them', () => {
  expect(textsInOrder.toReversed().toSorted(compareScalarsInUtf16)).toEqual(textsInOrder)
})

// An index may not be used for two alternatives of which neither is a range (azure-cosmos-dotnet-v3#1289).
test.each([[false, '>='], [true, '<=']])('a page further down (descending: %s) begins at a range of the order', (descending, sign) => {
  const { query, parameters } = pageSql({ container: 'books', orderBy: { path: ['name'], descending, required: true }, limit: 5, after: { value: 'm', id: 'b7' } }, ['value'], false)
  const [, bound] = new RegExp(`WHERE [^O]*c\\["name"\\] ${sign} (@p\\d+) AND`).exec(query) ?? []
  expect(parameters).toContainEqual({ name: bound, value: 'm' })
})

test.each([['name', false], ['name', true], ['id', false], ['id', true]])('pages of one in the order of %s (descending: %s) have every document once', async (property, descending) => {
  const server = await startCosmosEmulator({ partitions: 4 })
  const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'library', create: true }, [
    { name: 'books', partitionKey: [['shelf']], indexes: [{ orderBy: ['name'] }], untyped: true },
  ])
  onTestFinished(async () => {
    await store.close()
    await server.close()
  })
  const ids = textsInOrder.filter((text) => text.trim() !== '')
  for (const [at, text] of ids.entries()) {
    const shelf = `s${(at * 7) % ids.length}`
    await store.write([{ kind: 'put', container: 'books', key: { partition: [shelf], id: text }, body: { id: text, name: text, shelf } }])
  }
  const found: string[] = []
  for (let after: Query['after']; found.length <= ids.length;) {
    const [next] = await store.query({ container: 'books', orderBy: { path: [property], descending, required: true }, limit: 1, ...(after ? { after } : {}) })
    if (!next) break
    found.push(next.key.id)
    after = { value: next.key.id, id: next.key.id }
  }
  expect(found).toEqual(descending ? ids.toReversed() : ids)
})
