// The max cost of an operation, calculated before it runs: never less than it takes, whatever its variables, and calculated
// once for requests with the same page sizes.

import { getVariableValues, Kind, parse, type OperationDefinitionNode } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { readExamples } from '../../../src/serve/schema-folder/examples.ts'
import { servedSchema } from '../../../src/plan/explain/explain.ts'
import { CostGuard, defaultBudget, noBudget } from '../../../src/plan/cost/budget.ts'
import type { CostOptions, PlannedOperation } from '../../../src/plan/cost/max-cost.ts'
import { planOperation } from '../../../src/plan/plan-operation.ts'
import { anyAge } from '../../../src/plan/freshness.ts'
import { neverStale } from '../../../src/feed/watermark.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import fc, { runs } from '../../fast-check.ts'
import { domains, openGateways, type Gateways } from '../../random/gateways.ts'
import { pageSize } from '../../random/random-arguments.ts'
import { randomOperation } from '../../random/random-operation.ts'
import { typeDefs } from '../production/serve.ts'

function costing({ typeDefs: sdl, derive = {} }: Pick<(typeof domains)[string], 'typeDefs' | 'derive'>, options: Partial<CostOptions> = {}) {
  const declaration = readDeclaration(sdl, derive)
  const schema = servedSchema(declaration)
  const costs = new CostGuard({ schema, declaration, pageSizes: { default: 20, max: 1000 }, strategy: 'batched', keysPerRequest: 1000, writesTogether: true, ...options }, noBudget)
  const planned = (query: string, variables: Record<string, unknown> = {}): PlannedOperation => {
    const document = parse(query)
    const operation = document.definitions.find((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION)!
    return { document, operation, plan: planOperation({ schema, declaration, document, operation, variables, policy: anyAge, freshness: neverStale, naive: false }) }
  }
  const of = (query: string, variables: Record<string, unknown> = {}) => {
    const operation = planned(query, variables)
    const { coerced } = getVariableValues(schema, operation.operation.variableDefinitions ?? [], variables)
    return coerced && costs.costOf(operation, coerced)
  }
  return { costs, planned, of }
}

for (const [name, domain] of Object.entries(domains)) {
  describe(`operations over ${name}`, () => {
    let gateways: Gateways
    beforeAll(async () => {
      gateways = await openGateways(domain, openMemoryStore)
    })

    test('never make more round trips than calculated', async () => {
      const { of } = costing(domain, { pageSizes: { default: pageSize, max: 1000 } })
      await fc.assert(fc.asyncProperty(randomOperation(gateways.schema, gateways.known), async ({ query, variables }) => {
        const { report } = await gateways.chosen(query, { variables })
        expect(report.made.roundTrips).toBeLessThanOrEqual(of(query, variables)!.roundTrips)
      }), { seed: 11, numRuns: runs(60) })
    })
  })
}

describe('a cost', () => {
  const { costs, planned, of } = costing({ typeDefs })

  test.each<[string, string, Record<string, unknown>, { roundTrips: number; requestCharge: number }]>([
    ['of a document', '{ cage(id: "c1") { name } }', {}, { roundTrips: 1, requestCharge: 1 }],
    ['of a page as large as usual', '{ cages { nodes { name } } }', {}, { roundTrips: 1, requestCharge: 5 }],
    ['of a page whose size is written', '{ cages(first: 100) { nodes { name } } }', {}, { roundTrips: 1, requestCharge: 13.82 }],
    ['of a page whose size is a variable', 'query ($n: Int) { cages(first: $n) { nodes { name } } }', { n: 100 }, { roundTrips: 1, requestCharge: 13.82 }],
    ['of a page whose size is the default of a variable', 'query ($n: Int = 100) { cages(first: $n) { nodes { name } } }', {}, { roundTrips: 1, requestCharge: 13.82 }],
    ['of a page whose size is a variable that is not given', 'query ($n: Int) { cages(first: $n) { nodes { name } } }', {}, { roundTrips: 1, requestCharge: 5 }],
    ['of a page from the end', 'query ($n: Int) { cages(last: $n) { nodes { name } } }', { n: 100 }, { roundTrips: 1, requestCharge: 13.82 }],
    ['of more than a page can have', '{ cages(first: 100000) { nodes { name } } }', {}, { roundTrips: 1, requestCharge: 113 }],
    ['of a count', '{ cages { totalCount } }', {}, { roundTrips: 1, requestCharge: 2.9 }],
    ['of nothing', '{ __typename }', {}, { roundTrips: 0, requestCharge: 0 }],
    ['of pages in a page', '{ cages(first: 10) { nodes { animals(first: 10) { nodes { name } } } } }', {}, { roundTrips: 2, requestCharge: 42.9 }],
    ['of lists in a page', '{ cages(first: 10) { nodes { keepers { name } } } }', {}, { roundTrips: 2, requestCharge: 28.74 }],
    ['of the same under two names', '{ a: cages { nodes { name } } b: cages { nodes { name } } }', {}, { roundTrips: 1, requestCharge: 10 }],
    ['of different pages', '{ a: cages { nodes { name } } b: cages(first: 3) { nodes { name } } }', {}, { roundTrips: 2, requestCharge: 8.13 }],
    ['of pages that may be the same', 'query ($x: String, $y: String) { a: cages(after: $x) { nodes { name } } b: cages(after: $y) { nodes { name } } }', { x: 'c', y: 'c' }, { roundTrips: 2, requestCharge: 10 }],
    ['by way of fragments', '{ ...F } fragment F on Query { cages(first: 10) { ...G } } fragment G on CageConnection { nodes { animals(first: 10) { nodes { name } } } }', {}, { roundTrips: 2, requestCharge: 42.9 }],
    ['of what is skipped', 'query ($no: Boolean!) { cages { nodes { name } } animals @skip(if: $no) { nodes { name } } }', { no: true }, { roundTrips: 1, requestCharge: 5 }],
    ['of any document', '{ node(nodeId: "x") { ... on Cage { animals { nodes { name } } } } }', {}, { roundTrips: 2, requestCharge: 6 }],
    ['of a mutation', 'mutation { deleteCage(input: { id: "c1" }) { clientMutationId } }', {}, { roundTrips: 2, requestCharge: 10.9 }],
    ['of mutations and what they answer', 'mutation { a: updateCage(input: { id: "c1" }) { cage { animals { nodes { name } } } } b: updateCage(input: { id: "c1" }) { cage { id } } }', {}, { roundTrips: 5, requestCharge: 26.8 }],
    ['of an event', 'subscription { cageOpened { animals { nodes { name } } } }', {}, { roundTrips: 1, requestCharge: 5 }],
  ])('%s', (_, query, variables, cost) => {
    expect(of(query, variables)).toMatchObject(cost)
  })

  test('names the plan node that costs most', () => {
    const { dearest } = of('{ cages(first: 10) { nodes { keepers { name favourites { name mine: cage { there: animals(first: 30) { edges { node { name } } } } } } } } }')!
    expect(dearest).toMatchObject({ field: 'Cage.animals', at: 'cages.keepers.favourites.mine.there' })
    expect(dearest!.node.loc).toMatchObject({ start: 75 })
  })

  test('is cached for the same page sizes', () => {
    const pages = planned('query ($id: ID!, $n: Int, $cursor: String) { cage(id: $id) { animals(first: $n, after: $cursor) { nodes { id } } } }', { id: 'c1' })
    const first = costs.costOf(pages, { id: 'c1', n: 10 })
    expect(costs.costOf(pages, { id: 'c2', n: 10, cursor: 'abc' })).toBe(first)
    expect(costs.costOf(pages, { id: 'c2', n: 11 })).not.toBe(first)
    expect(costs.costOf(pages, { id: 'c1', n: 1000 })).toBe(costs.costOf(pages, { id: 'c1', n: 100_000 }))
    expect(costs.costOf(pages, { id: 'c1' })).toEqual(costs.costOf(pages, { id: 'c1', n: 20 }))
    expect(costs.costOf(pages, { id: 'c1', n: null })).toEqual(costs.costOf(pages, { id: 'c1', n: 20 }))
  })

  test('is evicted if there are many others for the same plan', () => {
    const pages = planned('query ($n: Int) { cages(first: $n) { nodes { id } } }')
    const first = costs.costOf(pages, { n: 1 })
    for (let n = 2; n <= 64; n++) costs.costOf(pages, { n })
    expect(costs.costOf(pages, { n: 1 })).toBe(first)
    costs.costOf(pages, { n: 65 })
    expect(costs.costOf(pages, { n: 1 })).not.toBe(first)
    expect(costs.costOf(pages, { n: 1 })).toEqual(first)
  })

  test('is infinite for an unbounded page', () => {
    const deep = `{ cages(first: 1000) { nodes {${' animals(first: 1000) { nodes { cage {'.repeat(120)} id ${'} } }'.repeat(120)} } } }`
    expect(of(deep)).toMatchObject({ roundTrips: Infinity, requestCharge: Infinity })
  })

  test('is undefined for invalid variables', () => {
    expect(of('query ($n: Int) { cages(first: $n) { nodes { id } } }', { n: 'many' })).toBeUndefined()
  })

  test('counts every read with the naive strategy', () => {
    expect(costing({ typeDefs }, { strategy: 'naive' }).of('{ cages(first: 10) { nodes { animals(first: 10) { nodes { name } } } } }')).toMatchObject({ roundTrips: 11 })
  })
})

test('without an argument, a page has the schema\'s default size', () => {
  const sdl = 'type Cage @document(container: "cages") { id: ID!  animals(first: Int = 500, after: String): AnimalConnection! @reverse(of: "Animal.cage") } type Animal @document(container: "animals") { id: ID!  cage: Cage @reference(at: "cageId") }'
  const { of } = costing({ typeDefs: sdl })
  const cost = of('{ cage(id: "c") { animals { nodes { id } } } }')!
  expect(cost).toMatchObject({ roundTrips: 2, requestCharge: 58.9 })
  expect(of('query ($n: Int) { cage(id: "c") { animals(first: $n) { nodes { id } } } }')).toMatchObject({ requestCharge: cost.requestCharge })
  expect(of('query ($n: Int) { cage(id: "c") { animals(first: $n) { nodes { id } } } }', { n: 500 })).toMatchObject({ requestCharge: cost.requestCharge })
  expect(of('query ($n: Int) { cage(id: "c") { animals(first: $n) { nodes { id } } } }', { n: null })).toMatchObject({ requestCharge: 6 })
})

test('the shipped examples are within the default budget, with and without snapshots', () => {
  const { typeDefs: sdl, derive = {} } = domains['the shipped library']!
  const { costs } = costing({ typeDefs: sdl, derive })
  const declaration = readDeclaration(sdl, derive)
  const schema = servedSchema(declaration)
  for (const { text } of readExamples('schema/library')) {
    const document = parse(text)
    const operation = document.definitions[0] as OperationDefinitionNode
    for (const from of ['AUTO', 'REFERENCE'] as const) {
      const plan = planOperation({ schema, declaration, document, operation, variables: {}, policy: { ...anyAge, from }, freshness: neverStale, naive: false })
      const { roundTrips, requestCharge } = costs.costOf({ plan, document, operation }, {})
      expect(requestCharge, text).toBeLessThan(defaultBudget.requestCharge / 2)
      expect(roundTrips, text).toBeLessThan(defaultBudget.roundTrips / 2)
    }
  }
})

test('a list that a custom resolver returns counts as a page', () => {
  const { of } = costing({ typeDefs: `${typeDefs} extend type Query { nearest(first: Int): CageConnection!  seen: [Cage!]!  best: Cage }` })
  expect(of('{ best { animals { nodes { id } } } }')).toMatchObject({ roundTrips: 1, requestCharge: 5 })
  expect(of('{ seen { animals { nodes { id } } } }')).toMatchObject({ roundTrips: 1, requestCharge: 100 })
  expect(of('query ($n: Int) { nearest(first: $n) { nodes { animals { nodes { id } } } } }', { n: 1000 })).toMatchObject({ roundTrips: 1, requestCharge: 5000 })
})
