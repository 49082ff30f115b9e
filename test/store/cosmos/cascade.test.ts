// Deleting a document with all that belongs to it: the number of waves depends on how deep the cascade is, not on how many documents it deletes.

import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import { openGateway } from '../../harness.ts'
import { startCosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'

const typeDefs = /* GraphQL */ `
  type Book @document(container: "books", partitionKey: "/bookId", type: "book") {
    id: ID!
    title: String!
    reviews: ReviewConnection! @reverse(of: "Review.book")
  }
  type Review @document(container: "books", partitionKey: "/bookId", type: "review") {
    id: ID!
    text: String!
    book: Book! @reference(at: "bookId", onDelete: CASCADE)
  }
`

test.each([
  [1, 7, 37.2],
  [2, 9, 53.95],
  [30, 38, 501.97],
])('a book with %i reviews in its partition is deleted in at most five waves, with %i round trips and %f RU', async (many, roundTrips, requestCharge) => {
  const server = await startCosmosEmulator({ partitions: 4 })
  const ask = await openGateway({
    typeDefs, settles: false, freshness: () => ({ boundMs: 0, watermark: 0 }),
    documents: { Book: [{ id: 'b1', bookId: 'b1', title: 'One' }], Review: Array.from({ length: many }, (_, at) => ({ id: `r${at}`, bookId: 'b1', text: 'Good' })) },
    store: (layout) => openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'library', create: true }, layout),
  })
  onTestFinished(async () => {
    await ask.close()
    await server.close()
  })
  server.clearLog()
  const { errors, report } = await ask('mutation { deleteBook(input: { id: "b1" }) { book { id } } }')
  expect(errors).toBeUndefined()
  expect(report.made.waves).toBeLessThanOrEqual(5)
  expect(report.made.roundTrips).toBe(server.log.length)
  // docs/modelling.md has the figures.
  expect([report.made.roundTrips, report.made.requestCharge]).toEqual([roundTrips, requestCharge])
  const figures = `${report.made.roundTrips} · ${report.made.waves} · ${report.made.requestCharge}`
  if (many > 1) expect(readFileSync('docs/modelling.md', 'utf8')).toContain(figures)
  // One removal record for each document, in partitions of their own; everything else is a few requests.
  expect(server.log.filter(({ container, operation }) => container === 'quire' && operation === 'batch')).toHaveLength(many + 1)
  expect((await ask('{ books { nodes { id } } reviews { nodes { id } } }')).data).toEqual({ books: { nodes: [] }, reviews: { nodes: [] } })
})
