// A schema folder: the files beside its SDL, and the messages for mistakes in them.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { ConfigError } from '../../src/errors.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { readSeedCount, readSeedFile, seedBatches } from '../../src/serve/schema-folder/seed-file.ts'
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

async function open(files: Record<string, string | Buffer>): Promise<Ask> {
  write(files)
  return openGateway({ ...(await readSchemaFolder(folder)), store: openMemoryStore })
}

function write(files: Record<string, string | Buffer>): void {
  for (const [name, text] of Object.entries({ 'zoo.graphql': zoo, 'derive.js': 'export const derive = { Cage: { label: ({ id }) => `Cage ${id}` } }', 'resolvers.js': 'export const resolvers = { Mutation: { visit: () => ({}) } }', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

const documents = {
  Cage: [{ id: 'c1', newest: [{ id: 'v2', number: 2, by: 'Ben' }], countOfVisits: 3 }, { id: 'c2', cageId: 'c2' }],
  cages: [{ id: 'c1.visits.0', cageId: 'c1', type: 'visits', entries: [{ id: 'v0', number: 0, by: 'Ada' }, { id: 'v1', number: 1, by: 'Cleo' }] }],
  Reading: [{ id: 'r1', day: '2018-08-09' }, { id: 'r2', day: '2018-08-09', partitionKey: '2018-08-09.3' }],
}

test('its documents fill a new store, those of no type under the name of their container', async () => {
  // Some editors put a byte order mark first.
  const ask = await open({ 'documents.json': `\uFEFF${JSON.stringify(documents)}` })
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

test('documents.ts fills a new store, and lays long lists out in buckets', async () => {
  const ask = await open({
    'documents.ts': `
      type Visit = { id: string; by: string }
      export function documents({ withEntries, model }: { withEntries: Function; model: { documents: Map<string, unknown> } }) {
        const visits: Visit[] = ['Ada', 'Ben', 'Cleo', 'Dora'].map((by, index) => ({ id: 'v' + index, by }))
        const { document, buckets } = withEntries('Cage.visits', { id: 'c1' }, visits)
        return { Cage: [document], cages: buckets, Reading: [...model.documents.keys()].map((id) => ({ id, day: '2018-08-09' })) }
      }`,
  })
  const { data, errors } = await ask('{ cages { nodes { visits { totalCount nodes { by } } } } readings { nodes { id } } }')
  expect(errors).toBeUndefined()
  expect(data).toEqual({
    cages: { nodes: [{ visits: { totalCount: 4, nodes: [{ by: 'Dora' }, { by: 'Cleo' }, { by: 'Ben' }, { by: 'Ada' }] } }] },
    readings: { nodes: [{ id: 'Beast' }, { id: 'Cage' }, { id: 'Reading' }] },
  })
})

test('documents.ts may export the documents themselves', async () => {
  const ask = await open({ 'documents.js': 'export const documents = { Cage: [{ id: "c7" }] }' })
  expect((await ask('{ cages { nodes { label } } }')).data).toEqual({ cages: { nodes: [{ label: 'Cage c7' }] } })
})

test('seed.ts generates documents for a count, in batches of the size that the writer wants', async () => {
  write({
    'seed.ts': `
      export const seed = {
        singular: 'cage', plural: 'cages', max: 9,
        *batches(count: number, { withEntries }: { withEntries: Function }) {
          for (let at = 0; at < count; at++) {
            const { document, buckets } = withEntries('Cage.visits', { id: 'c' + at }, [{ id: 'v0', by: 'Ada' }, { id: 'v1', by: 'Ben' }])
            yield { Cage: [document], cages: buckets }
          }
        },
      }`,
  })
  const seed = await readSeedFile(folder)
  const { typeDefs, derive } = await readSchemaFolder(folder)
  const { model } = readDeclaration(typeDefs, derive)
  expect(readSeedCount('9', seed.value)).toBe(9)
  const batches = [...seedBatches(model, seed, 3, 3)]
  expect(batches.map(({ documents: count, writes }) => [count, writes.map(({ key }) => key.id)])).toEqual([
    [2, ['c0', 'c0.visits.0', 'c1', 'c1.visits.0']], [1, ['c2', 'c2.visits.0']],
  ])
})

describe('mistakes in seed.ts', () => {
  const complete = `singular: 'cage', plural: 'cages', max: 9`
  const wrong: { [mistake: string]: { text: string; says: RegExp } } = {
    'no export': { text: 'export const seeds = {}', says: /seed\.js has no export "seed"/ },
    'no function': { text: `export const seed = { ${complete} }`, says: /seed\.js: .*batches/ },
    'an async generator': { text: `export const seed = { ${complete}, async *batches() { yield {} } }`, says: /seed\.js: batches\(\) .*async/ },
    'an error of its own': { text: `export const seed = { ${complete}, *batches() { throw new Error('Not today') } }`, says: /seed\.js failed: Error: Not today\n +at .*seed\.js/ },
    'an unknown type': { text: `export const seed = { ${complete}, *batches() { yield { Lion: [] } } }`, says: /seed\.js: Lion / },
  }
  for (const [mistake, { text, says }] of Object.entries(wrong)) {
    test(mistake, async () => {
      write({ 'seed.js': text })
      const { typeDefs, derive } = await readSchemaFolder(folder)
      const { model } = readDeclaration(typeDefs, derive)
      await expect((async () => [...seedBatches(model, await readSeedFile(folder), 1, 1)])()).rejects.toThrow(says)
    })
  }

  test('no file', async () => {
    await expect(readSeedFile(folder)).rejects.toThrow(/no seed\.ts in .*batches/)
  })

  test.each(['0', '10', '-1', '1.5', 'many', ''])('the count %j', (count) => {
    expect(() => readSeedCount(count, { singular: 'cage', plural: 'cages', max: 9, batches: () => [] })).toThrow(/of cages from 1 to 9/)
  })
})

test('a file that cannot be loaded is said in a line', async () => {
  await expect(open({ 'resolvers.js': 'throw new Error("Not today")' })).rejects.toThrow(/resolvers\.js cannot be loaded: \S*resolvers\.js:1: Not today/)
})

test('GraphiQL opens with the operations in operations/, and with those beside the SDL', async () => {
  await open({ 'operations/1-all-cages.graphql': '# Each of them.\nquery All { cages { nodes { id } } }', 'visit.graphql': 'mutation { visit(input: { cageId: "c1", by: "Ada" }) { cage { id } } }' })
  const { examples } = await readSchemaFolder(folder)
  expect(examples?.map(({ title }) => title)).toEqual(['All cages', 'Visit'])
})

test('a schema of one’s own is kept in a file of its own', () => {
  expect(readConfig({ QUIRE_SCHEMA: 'examples/zoo/' }).store).toEqual({ kind: 'sqlite', file: '.quire/zoo.db' })
})

describe('mistakes in documents', () => {
  const wrong: { [mistake: string]: { text: string; says: RegExp } } = {
    'a list instead of an object': { text: '[]', says: /expected an object .*"Cage"/ },
    'a type that does not exist': { text: '{ "Lion": [] }', says: /Lion is neither .* Cage, Reading, Beast/ },
    'no list': { text: '{ "Cage": {} }', says: /Cage is not a list/ },
    'no id': { text: '{ "Cage": [{ "id": "c1" }, { "id": 2 }] }', says: /Cage number 2 has no id/ },
    'a bucket without its partition': { text: '{ "cages": [{ "id": "c1.visits.0" }] }', says: /cages c1\.visits\.0 .*\/cageId/ },
    'nothing to compute a partition key from': { text: '{ "Reading": [{ "id": "r1" }] }', says: /Reading r1 .*\/partitionKey/ },
    'another partition than its own': { text: '{ "Cage": [{ "id": "c1", "cageId": "c2" }] }', says: /Cage c1 .*\/cageId is c2 and should be c1\./ },
    'a suffix that does not exist': {
      text: '{ "Reading": [{ "id": "r1", "day": "2018-08-09", "partitionKey": "2018-08-09.4" }] }',
      says: /Reading r1 .*\/partitionKey is 2018-08-09\.4 and should be one of 2018-08-09\.1 to 2018-08-09\.3\./,
    },
    'another suffix than its hash': {
      text: '{ "Beast": [{ "id": "lion", "wing": "east", "partitionKey": "east.1" }] }',
      says: /Beast lion .*\/partitionKey is east\.1 and should be east\.5\./,
    },
  }
  for (const [mistake, { text, says }] of Object.entries(wrong)) {
    test.each(['documents.json', 'documents.js'])(`${mistake} in %s`, async (file) => {
      const error = await open({ [file]: file.endsWith('.json') ? text : `export const documents = () => (${text})` }).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(ConfigError)
      expect((error as ConfigError).message).toMatch(says)
      expect((error as ConfigError).message).toMatch(new RegExp(`^${file}: `))
    })
  }

  const inCode: { [mistake: string]: { text: string; says: RegExp } } = {
    'an error of its own': { text: 'export function documents() { throw new Error("Not today") }', says: /^documents\.js failed: Error: Not today\n +at documents .*documents\.js/ },
    'a promise': { text: 'export async function documents() { return {} }', says: /^documents\.js: .*promise/ },
    'entries of a field that is no bucketed list': { text: 'export const documents = ({ withEntries }) => withEntries("Cage.label", { id: "c1" }, [])', says: /^documents\.js: .*Cage\.label.* not declared @bucketed/ },
    'entries of no field': { text: 'export const documents = ({ withEntries }) => withEntries("Cage.lions", { id: "c1" }, [])', says: /^documents\.js: .*Cage\.lions.*no such field/ },
    'an entry without an id': { text: 'export const documents = ({ withEntries }) => withEntries("Cage.visits", { id: "c1" }, [{ id: "v1" }, {}])', says: /^documents\.js: entry 2 of Cage\.visits of c1 has no id/ },
  }
  for (const [mistake, { text, says }] of Object.entries(inCode)) {
    test(mistake, async () => expect(open({ 'documents.js': text })).rejects.toThrow(says))
  }

  test('no export', async () => {
    await expect(open({ 'documents.js': 'export const others = {}' })).rejects.toThrow(/documents\.js has no export "documents"/)
  })

  test('two files', async () => {
    await expect(open({ 'documents.js': 'export const documents = {}', 'documents.json': '{}' })).rejects.toThrow(/both documents\.js and documents\.json/)
  })

  test('no JSON', async () => {
    await expect(open({ 'documents.json': Buffer.from('{ "Cage": "é" }', 'latin1') })).rejects.toThrow(/documents\.json cannot be read: .*not UTF-8/)
    await expect(open({ 'documents.json': '{ "Cage": [' })).rejects.toThrow(/documents\.json is not JSON: .+/)
  })
})
