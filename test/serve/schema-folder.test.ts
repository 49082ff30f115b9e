// A folder that is served: what is beside its SDL, and each mistake in its documents with one line that
// says what to write.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/config.ts'
import { openDomain } from '../../src/serve/domain.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { openGateway, type Ask } from '../harness.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const zoo = `
  type Cage @document(container: "cages", partitionKey: "/cageId", type: "cage") {
    id: ID! label: String! @derived
    visits: VisitConnection! @bucketed(at: "newest", recent: 1, size: 2, key: "cageId", type: "visits")
  }
  type Visit { id: ID! by: String! }
  type Reading @document(container: "readings", partitionKey: { concat: ["day"], suffix: { random: 3 } }) { id: ID! day: String! }
  type Beast @document(container: "beasts", partitionKey: { concat: ["wing"], suffix: { hashOf: "id", spread: 7 } }) { id: ID! wing: String! }
  extend type Mutation { visit(input: VisitInput!): VisitPayload! }
  input VisitInput { clientMutationId: String cageId: ID! by: String! }
  type VisitPayload { cage: Cage! }
`

async function open(files: Record<string, string>): Promise<Ask> {
  for (const [name, text] of Object.entries({ 'zoo.graphql': zoo, 'derive.js': 'export const derive = { Cage: { label: ({ id }) => `Cage ${id}` } }', ...files })) writeFileSync(join(folder, name), text)
  return openGateway({ ...(await openDomain(readConfig({ QUIRE_SCHEMA: folder }))), store: openMemoryStore })
}

const documents = {
  Cage: [{ id: 'c1', newest: [{ id: 'v2', number: 2, by: 'Ben' }], countOfVisits: 3 }, { id: 'c2', cageId: 'c2' }],
  cages: [{ id: 'c1.visits.0', cageId: 'c1', type: 'visits', entries: [{ id: 'v0', number: 0, by: 'Ada' }, { id: 'v1', number: 1, by: 'Cleo' }] }],
  Reading: [{ id: 'r1', day: '2018-08-09' }, { id: 'r2', day: '2018-08-09', partitionKey: '2018-08-09.3' }],
}

test('its documents fill a new store, those of no type under the name of their container', async () => {
  const ask = await open({ 'documents.json': JSON.stringify(documents) })
  const { data, errors } = await ask('{ cages { nodes { label visits { nodes { by } } } } readings { nodes { id } } }')
  expect(errors).toBeUndefined()
  expect(data).toEqual({
    cages: { nodes: [{ label: 'Cage c1', visits: { nodes: [{ by: 'Ben' }, { by: 'Cleo' }, { by: 'Ada' }] } }, { label: 'Cage c2', visits: { nodes: [] } }] },
    readings: { nodes: [{ id: 'r1' }, { id: 'r2' }] },
  })
})

test('its resolvers serve what the SDL adds to the mutations', async () => {
  const ask = await open({
    'documents.json': JSON.stringify(documents),
    'resolvers.js': `export default { Mutation: { visit: (_, { input }, { quire }, info) => quire.mutate(input, info, async (change) => ({ cage: await change.append('Cage.visits', input.cageId, input) })) } }`,
  })
  const { data } = await ask('mutation { visit(input: { cageId: "c1", by: "Dora" }) { cage { visits(first: 2) { totalCount nodes { by } } } } }')
  expect(data).toEqual({ visit: { cage: { visits: { totalCount: 4, nodes: [{ by: 'Dora' }, { by: 'Ben' }] } } } })
})

test('a file that cannot be loaded is said in a line', async () => {
  await expect(open({ 'resolvers.js': 'throw new Error("Not today")' })).rejects.toThrow('resolvers.js cannot be loaded: Not today')
})

test('its operations are no part of the schema, and what GraphiQL opens with', async () => {
  await open({ '1-all-cages.graphql': '# Each of them.\nquery All { cages { nodes { id } } }', 'visit.graphql': 'mutation { visit(input: { cageId: "c1", by: "Ada" }) { cage { id } } }' })
  const { examples } = await openDomain(readConfig({ QUIRE_SCHEMA: folder }))
  expect(examples?.map(({ title }) => title)).toEqual(['All cages', 'Visit'])
})

test('a schema of one’s own is kept in a file of its own', () => {
  expect(readConfig({ QUIRE_SCHEMA: 'examples/zoo/' }).store).toEqual({ kind: 'sqlite', file: '.quire/zoo.db' })
})

describe('what is wrong with its documents is said in a line', () => {
  const wrong: { [mistake: string]: { text: string; says: string } } = {
    'a list instead of an object': { text: '[]', says: 'documents.json has to be an object with a list of documents for each type.' },
    'a type that does not exist': { text: '{ "Lion": [] }', says: 'documents.json has documents of Lion, which is neither a document type nor a container. There are Cage, Reading, Beast.' },
    'no list': { text: '{ "Cage": {} }', says: 'documents.json has to have a list of documents under Cage.' },
    'no id': { text: '{ "Cage": [{ "id": "c1" }, { "id": 2 }] }', says: 'Cage number 2 in documents.json has no id. Give it one, as text.' },
    'a bucket without its partition': { text: '{ "cages": [{ "id": "c1.visits.0" }] }', says: 'cages c1.visits.0 in documents.json does not say which partition it is in: /cageId is missing.' },
    'nothing to make a key of': { text: '{ "Reading": [{ "id": "r1" }] }', says: 'Reading r1 in documents.json does not say which partition it is in: /partitionKey is missing.' },
    'another partition than its own': { text: '{ "Cage": [{ "id": "c1", "cageId": "c2" }] }', says: 'Cage c1 in documents.json has c2 at /cageId, and belongs to c1. Leave it out, or write that.' },
    'a suffix that is none': {
      text: '{ "Reading": [{ "id": "r1", "day": "2018-08-09", "partitionKey": "2018-08-09.4" }] }',
      says: 'Reading r1 in documents.json has 2018-08-09.4 at /partitionKey, and belongs to one of 2018-08-09.1 to 2018-08-09.3. Leave it out, or write that.',
    },
    'another suffix than its hash': {
      text: '{ "Beast": [{ "id": "lion", "wing": "east", "partitionKey": "east.1" }] }',
      says: 'Beast lion in documents.json has east.1 at /partitionKey, and belongs to east.5. Leave it out, or write that.',
    },
  }
  for (const [mistake, { text, says }] of Object.entries(wrong)) {
    test(mistake, async () => expect(open({ 'documents.json': text })).rejects.toThrow(new ConfigError(says)))
  }

  test('no JSON', async () => {
    await expect(open({ 'documents.json': '{ "Cage": [' })).rejects.toThrow(/documents\.json is not JSON: .+/)
  })
})
