// The request units that a plan expects, beside those that the migration takes on Cosmos DB. Index terms and reads of other types are in both.

import { expect, test } from 'vitest'
import { planMigration } from '../../../src/evolve/migrate/plan-migration.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { openCosmosTestStore } from '../../store/cosmos/local.ts'
import { keptStore, migrate, noAnswers, serving } from './migrating.ts'

const author = 'type Author @document(container: "authors") { id: ID! name: String! books: BookConnection! @reverse(of: "Book.authors") }'
const note = 'type Note { id: ID! text: String! }'
const authors = 'authors: [Author!]! @reference(at: "authorIds")'
const notes = 'notes: [Note!]! @contained(max: 9)'
const old = `type Book @document(container: "books") { id: ID! title: String! @indexed edition: String! year: Int ${authors} ${notes} } ${author} ${note}`
const edits: Readonly<Record<string, string>> = {
  'container, partition key and kind': old.replace('"books"', '"volumes", partitionKey: "/edition"').replace(authors, 'authors: [Author!]! @snapshot(at: "authors", fields: ["name"])'),
  'container': old.replace('"books"', '"volumes"'),
  'a type of a field': old.replace('year: Int', 'year: String'),
  'a kind': old.replace(authors, 'authors: [Author!]! @snapshot(at: "authors", fields: ["name"])'),
  'objects that become documents': old.replace(notes, 'notes: [Note!]! @reference(at: "noteIds")').replace('type Note {', 'type Note @document(container: "notes") {'),
}

test.each(Object.keys(edits))('%s: within a tenth', async (name) => {
  const store = await keptStore((layout) => openCosmosTestStore(layout, 1), [old, edits[name]!])
  await serving(store, old, () => Promise.resolve(), {
    Book: Array.from({ length: 300 }, (_, at) => ({ id: `b${at}`, title: `Book ${at}`, edition: `e${at % 7}`, year: 2000 + (at % 20), authorIds: [`a${at % 20}`], notes: [{ id: `n${at}`, text: 'x'.repeat(100) }] })),
    Author: Array.from({ length: 20 }, (_, at) => ({ id: `a${at}`, name: `Author ${at}` })),
  })
  const plan = await planMigration(readDeclaration(edits[name]!), store, noAnswers)
  const expected = plan.reduce((sum, { cost }) => sum + cost.requestCharge, 0)
  const { requestCharge } = await migrate(store, edits[name]!)
  expect.soft(expected / requestCharge).toBeGreaterThan(0.9)
  expect(expected / requestCharge).toBeLessThan(1.1)
}, 60_000)
