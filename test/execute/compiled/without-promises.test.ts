// A store in this process answers a whole query without a promise, observed or not, and an observer is told of the same calls as
// with a store that answers later, in waves.

import { makeExecutableSchema } from '@graphql-tools/schema'
import { getOperationAST, parse } from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import { OperationCache } from '../../../src/execute/operation-cache.ts'
import { createSteps } from '../../../src/execute/compiled/compile/steps.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { createCursors } from '../../../src/model/keys/cursor.ts'
import { CallLog, wavesOf } from '../../../src/read/call-log.ts'
import { Reads } from '../../../src/read/reads.ts'
import { defaultPageSizes } from '../../../src/plan/field-arguments.ts'
import type { PlanNode } from '../../../src/plan/plan.ts'
import { anyAge } from '../../../src/plan/freshness.ts'
import { createResolvers } from '../../../src/execute/resolvers.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import type { Store, Write } from '../../../src/store/store.ts'

const declaration = readDeclaration(`
  type Cage @document(container: "cages") { id: ID!  name: String!  shout: String  whisper: String  lost: Keeper @reference(at: "lost")  keeper: Keeper @reference(at: "keeper")  others: [Keeper!]! @reference(at: "others", max: 9) }
  type Keeper @document(container: "keepers") { id: ID!  name: String!  home: Cage @snapshot(at: "home", fields: ["name"])  boss: Keeper @reference(at: "boss")  cages: CageConnection! @reverse(of: "Cage.keeper") }`)
interface Row {
  readonly body: { readonly name: string }
}

const custom = { Cage: { shout: ({ body }: Row) => body.name.toUpperCase(), whisper: async ({ body }: Row) => body.name.toLowerCase() } }
const resolvers = createResolvers({ declaration, cursors: createCursors('tests'), pageSizes: defaultPageSizes })
const schema = makeExecutableSchema({ typeDefs: declaration.sdl, resolvers: [resolvers, custom], resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' } })
const openKnown = (trusted: boolean) => new OperationCache({ schema, declaration, steps: createSteps(declaration, new Set(['Cage.shout', 'Cage.whisper']), { cursors: createCursors('tests'), sizes: defaultPageSizes }), limits: { bytes: 10_000_000, rows: 100_000 }, sameObjects: true, bytes: 10_000_000, trusted })

function put(container: string, id: string, body: object): Write {
  return { kind: 'put', container, key: { partition: [id], id }, body: { id, ...body } }
}

let store: Store
beforeAll(async () => {
  store = await openMemoryStore(declaration.layout)
  await store.write([
    put('cages', 'c1', { name: 'North', lost: 'nobody', keeper: 'k1', others: ['k2', 'k1'] }), put('cages', 'c2', { name: 'South', lost: 'nobody', keeper: 'k2', others: [] }),
    put('keepers', 'k1', { name: 'Ada', boss: 'k2', home: { id: 'c1', name: 'North' } }), put('keepers', 'k2', { name: 'Bo' }),
  ])
})

/** The answer and the calls of a store in this process, and of one that answers later. */
async function answersOf(text: string, generates: boolean) {
  const known = openKnown(generates)
  const document = parse(text)
  const operation = known.add(text, undefined, document, getOperationAST(document)!, {})
  const { run: compiledRun, plan } = known.planned(operation, { variables: {}, policy: anyAge, freshness: { boundMs: 0, watermark: Infinity }, access: undefined }, {})
  const run = (of: Store, calls?: CallLog, counts?: Map<PlanNode, number>) => compiledRun!({ context: { quire: { reads: new Reads(of, 'batched', undefined, calls), plan } }, variables: {}, counts })
  const late: Store = {
    ...store, lookIn: () => undefined,
    readMany: async (...given) => store.readMany(...given), query: async (...given) => store.query(...given), queryEach: async (...given) => store.queryEach(...given), count: async (...given) => store.count(...given),
  }
  const [logHere, logLate] = [new CallLog(), new CallLog()]
  // Twice in each way: rows that are cached count as those that are made.
  const rowsIn = async (of: Store): Promise<unknown[]> => {
    const counts = new Map<PlanNode, number>()
    await run(of, undefined, counts)
    return [...counts].filter(([, rows]) => rows > 0).map(([{ coordinate }, rows]) => `${coordinate} ${rows}`).toSorted()
  }
  const rows = [await rowsIn(store), await rowsIn(store), await rowsIn(late), await rowsIn(late)]
  return { rows, unobserved: run(store), observed: run(store, logHere), later: await run(late, logLate), callsHere: callsIn(logHere), callsLater: callsIn(logLate) }
}

/** Everything about the calls but their times; wave by wave, and within a wave by container. */
function callsIn(log: CallLog): unknown[] {
  const { of } = wavesOf(log.calls)
  return log.calls.map(({ operation, container, keys, documents, requestCharge }, at) => ({ wave: of[at]!, operation, container, keys, documents, requestCharge }))
    .toSorted((one, other) => one.wave - other.wave || one.container.localeCompare(other.container))
}

/** An operation that is asked for the first time is written by closures. */
const ways = ['generated code', 'closures'] as const

const queries = [
  ['a document', '{ cage(id: "c1") { name } }'],
  ['a document that is not there', '{ cage(id: "nobody") { name keeper { name } } }'],
  ['a list', '{ cages { nodes { name } } }'],
  ['a list with all there is about it', '{ cages(first: 1) { edges { cursor node { name } } nodes { id } pageInfo { hasNextPage endCursor } totalCount } }'],
  ['documents of a list, and their documents', '{ cages { nodes { others { name boss { name } } } totalCount } }'],
  ['two relations of a row', '{ cages { nodes { keeper { name } others { name } } } }'],
  ['the same documents through nodes and edges', '{ cages { nodes { keeper { name } } edges { node { others { name } } } } }'],
  ['a document that comes again below', '{ keeper(id: "k2") { name boss { name } } }'],
  ['documents that come again further down', '{ cages { nodes { keeper { name boss { name boss { name } } } others { boss { name } } } } }'],
  ['documents that do not exist', '{ cages { nodes { lost { name } others { name } } } }'],
  ['two documents', '{ one: cage(id: "c1") { name } two: cage(id: "c2") { name } }'],
  ['two lists', '{ cages { nodes { name } } keepers { nodes { name } } }'],
  ['two lists with documents of one container', '{ cages { nodes { keeper { name } } } keepers { nodes { boss { name } } } }'],
  ['relations of a row and its lists', '{ keepers { nodes { boss { name } cages { nodes { name } } } } }'],
  ['lists of each row', '{ keepers { nodes { cages { nodes { name keeper { name } } } } } }'],
  ['lists of each row beside documents of other rows', '{ keepers { nodes { cages { nodes { name } } } } cages { nodes { keeper { name boss { name } } } } }'],
  ['snapshots of documents that several rows point at', '{ cages { nodes { keeper { name home { name } boss { home { name } } } others { home { name } } } } }'],
  ['a document whose list points back at it', '{ keeper(id: "k1") { cages { nodes { keeper { name } } } } }'],
  ['documents of a list and a document beside it', '{ cages { nodes { keeper { name } } } keeper(id: "k2") { name } }'],
  ['documents that rows and documents below them point at', '{ cage(id: "c1") { keeper { name } } cages { nodes { keeper { boss { name } cages { nodes { name } } } } } }'],
  ['a document of any type', '{ node(nodeId: "WyJDYWdlIiwiYzEiXQ") { nodeId ... on Cage { name } } }'],
  ["a resolver of the schema's own", '{ cages { nodes { shout keeper { name } } } }'],
] as const

test.each(queries.flatMap(([name, text]) => ways.map((way) => [name, way, text] as const)))('%s, by %s', async (_, way, text) => {
  const { rows, unobserved, observed, later, callsHere, callsLater } = await answersOf(text, way === 'generated code')
  expect(rows[0]).toEqual(rows[2])
  expect(rows[1]).toEqual(rows[2])
  expect(rows[3]).toEqual(rows[2])
  expect(unobserved).toBeTypeOf('string')
  expect(unobserved).toBe(later)
  expect(observed).toBe(later)
  expect(callsHere).toEqual(callsLater)
})

test.each(ways)('a resolver that returns a promise is waited for by %s', async (way) => {
  const { observed, later, callsHere, callsLater } = await answersOf('{ cages { nodes { keeper { name } whisper others { name } } } }', way === 'generated code')
  expect(observed).toBeInstanceOf(Promise)
  expect(await observed).toBe(later)
  expect(callsHere).toEqual(callsLater)
})

test.each(ways)('rows are counted as often as they are shown, by %s', async (way) => {
  const { rows } = await answersOf('{ cages { nodes { keeper { home { name } boss { home { name } } } others { home { name } } } } }', way === 'generated code')
  expect(rows[0]).toEqual(['Cage.keeper 2', 'Cage.others 2', 'Keeper.boss 2', 'Keeper.home 1', 'Keeper.home 2', 'Keeper.home 2'])
})
