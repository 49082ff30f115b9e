// Which plans ask the store for one thing at a time: those are answered without a promise where the store reads
// synchronously, the others in waves. equivalence.random.test.ts tests that both answer the same.

import { makeExecutableSchema } from '@graphql-tools/schema'
import { getOperationAST, parse } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { OperationCache } from '../../../src/execute/operation-cache.ts'
import { createSteps } from '../../../src/execute/compiled/compile/steps.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { createCursors } from '../../../src/model/keys/cursor.ts'
import { Reads } from '../../../src/read/reads.ts'
import { defaultPageSizes } from '../../../src/plan/field-arguments.ts'
import { anyAge } from '../../../src/plan/freshness.ts'
import { createResolvers } from '../../../src/execute/resolvers.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import type { Store, Write } from '../../../src/store/store.ts'

const declaration = readDeclaration(`
  type Cage @document(container: "cages") { id: ID!  name: String!  shout: String  keeper: Keeper @reference(at: "keeper")  others: [Keeper!]! @reference(at: "others", max: 9) }
  type Keeper @document(container: "keepers") { id: ID!  name: String!  boss: Keeper @reference(at: "boss")  cages: CageConnection! @reverse(of: "Cage.keeper") }`)
const custom = { Cage: { shout: ({ body }: { body: { name: string } }) => body.name.toUpperCase() } }
const resolvers = createResolvers({ declaration, cursors: createCursors('tests'), pageSizes: defaultPageSizes })
const schema = makeExecutableSchema({ typeDefs: declaration.sdl, resolvers: [resolvers, custom], resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' } })
const known = new OperationCache({ schema, declaration, steps: createSteps(declaration, new Set(['Cage.shout'])), sameObjects: true, bytes: 10_000_000 })

function put(container: string, id: string, body: object): Write {
  return { kind: 'put', container, key: { partition: [id], id }, body: { id, ...body } }
}

let store: Store
beforeAll(async () => {
  store = await openMemoryStore(declaration.layout)
  await store.write([
    put('cages', 'c1', { name: 'North', keeper: 'k1', others: ['k2', 'k1'] }), put('cages', 'c2', { name: 'South', keeper: 'k2', others: [] }),
    put('keepers', 'k1', { name: 'Ada', boss: 'k2' }), put('keepers', 'k2', { name: 'Bo' }),
  ])
})

/** The answer as it comes, and the same from a store without synchronous reads. */
async function answersOf(text: string): Promise<{ readonly atOnce: unknown; readonly inWaves: string }> {
  const document = parse(text)
  const operation = known.add(text, undefined, document, getOperationAST(document)!)
  const { run: compiledRun, plan } = known.planned(operation, { variables: {}, policy: anyAge, freshness: { boundMs: 0, watermark: Infinity }, access: undefined })
  const run = (of: Store) => compiledRun!({ context: { quire: { reads: new Reads(of, 'batched'), plan } }, variables: {}, counts: undefined })
  const late: Store = { ...store, readMany: async (...given) => store.readMany(...given), query: async (...given) => store.query(...given), count: async (...given) => store.count(...given) }
  return { atOnce: run(store), inWaves: await run(late) }
}

describe('a query that asks for one thing at a time is answered synchronously', () => {
  test.each([
    ['a document', '{ cage(id: "c1") { name } }'],
    ['a document that is not there', '{ cage(id: "nobody") { name keeper { name } } }'],
    ['a list', '{ cages { nodes { name } } }'],
    ['a list with all there is about it', '{ cages(first: 1) { edges { cursor node { name } } nodes { id } pageInfo { hasNextPage endCursor } totalCount } }'],
    ['documents of a list, and their documents', '{ cages { nodes { others { name boss { name } } } totalCount } }'],
    ['two relations of a row', '{ cages { nodes { keeper { name } others { name } } } }'],
    ['the same documents through nodes and edges', '{ cages { nodes { keeper { name } } edges { node { others { name } } } } }'],
    ['a document that comes again below', '{ keeper(id: "k2") { name boss { name } } }'],
  ])('%s', async (_, text) => {
    const { atOnce, inWaves } = await answersOf(text)
    expect(atOnce).toBeTypeOf('string')
    expect(atOnce).toBe(inWaves)
  })
})

describe('a query with reads that can be batched goes in waves', () => {
  test.each([
    ['two documents', '{ one: cage(id: "c1") { name } two: cage(id: "c2") { name } }'],
    ['two lists', '{ cages { nodes { name } } keepers { nodes { name } } }'],
    ['relations of a row and its lists', '{ keepers { nodes { boss { name } cages { nodes { name } } } } }'],
    ['lists of each row', '{ keepers { nodes { cages { nodes { name } } } } }'],
    ['a document of any type', '{ node(nodeId: "WyJDYWdlIiwiYzEiXQ") { nodeId ... on Cage { name } } }'],
    ['a resolver of the schema\'s own', '{ cages { nodes { shout } } }'],
  ])('%s', async (_, text) => {
    const { atOnce, inWaves } = await answersOf(text)
    expect(atOnce).toBeInstanceOf(Promise)
    expect(await atOnce).toBe(inWaves)
  })
})
