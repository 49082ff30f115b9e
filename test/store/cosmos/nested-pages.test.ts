// Pages for many parents whose lists differ in length: a few requests to each physical partition, whatever the number of parents.

import { expect, onTestFinished, test } from 'vitest'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import type { Receipt } from '../../../src/store/store.ts'
import { startCosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'

/** The long lists come first in the order, so that they fill the first pages. */
const lengthOf = (author: number): number => (author < 4 ? 80 : 3 + author % 7)

test.each([1, 4, 16])('first 5 of 20 lists, some long and many short, take at most three requests to each of %i physical partitions', async (partitions) => {
  const server = await startCosmosEmulator({ partitions })
  const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'library', create: true }, [
    { name: 'books', partitionKey: [['id']], indexes: [{ equals: ['authorId'], orderBy: ['year'] }], untyped: true },
  ])
  onTestFinished(async () => {
    await store.close()
    await server.close()
  })
  for (let author = 0; author < 20; author++) {
    for (let number = 0; number < lengthOf(author); number++) {
      const id = `b${author}-${number}`
      await store.write([{ kind: 'put', container: 'books', key: { partition: [id], id }, body: { id, authorId: `a${author}`, year: (author < 4 ? 0 : 1000) + number } }])
    }
  }
  server.clearLog()
  const receipts: Receipt[] = []
  const authors = Array.from({ length: 20 }, (_, author) => `a${author}`)
  const pages = await store.queryEach({ container: 'books', orderBy: { path: ['year'], descending: false, required: true }, limit: 5 }, ['authorId'], authors, (receipt) => receipts.push(receipt))
  expect(pages.map((page) => page.map(({ body }) => body['year']))).toEqual(authors.map((_, author) => Array.from({ length: Math.min(5, lengthOf(author)) }, (_each, number) => (author < 4 ? 0 : 1000) + number)))
  expect(server.log.length).toBeLessThanOrEqual(3 * partitions)
  expect(Math.max(...receipts.map(({ wave }) => wave))).toBeLessThanOrEqual(2)
})
