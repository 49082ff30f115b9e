// Random operations have the same answer from snapshots, by lookups and naive, and the cost report of each says what
// really happened. The operations are the same on every run.

import fc, { runs } from '../fast-check.ts'
import {
  parse, print, TypeInfo, visit, visitWithTypeInfo, type DirectiveNode, type GraphQLSchema, type OperationDefinitionNode,
} from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CostReport } from '../../src/observe/cost-report.ts'
import { hundredths } from '../../src/store/cost-model.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { ContainerLayout } from '../../src/store/store.ts'
import { expectCost, storeCalls } from '../calls.ts'
import { openCosmosTestStore } from '../store/cosmos/local.ts'
import { stores, type Answer, type Ask } from '../harness.ts'
import { boundMs, domains, openGateways, type Gateways } from './gateways.ts'
import { holdsForAll } from './holds-for-all.ts'
import { outOfOrder, slowStore } from '../../bench/stores/slow-store.ts'
import { FeatureCounts } from './operation-features.ts'

const places = [
  ...stores,
  { name: 'a store that answers out of order', store: async (layout: readonly ContainerLayout[]) => slowStore(await openMemoryStore(layout), outOfOrder()) },
  { name: 'cosmos in four physical partitions', store: (layout: readonly ContainerLayout[]) => openCosmosTestStore(layout, 4) },
]

/** How many operations run on each store: on the first, enough to use every feature; on the others, some of the same. */
const many = Math.max(150, runs(150))
const runsOn: readonly number[] = [many, runs(15), runs(6), runs(6), runs(6)]

const timeoutMs = 120_000

for (const [name, domain] of Object.entries(domains)) {
  describe.for(places)(`random operations over ${name} on $name`, (place) => {
    const numRuns = runsOn[places.indexOf(place)]!
    let gateways: Gateways
    beforeAll(async () => {
      gateways = await openGateways(domain, place.store)
    }, timeoutMs)

    test('have the same answer from snapshots, by lookups and naive, and true cost reports', async () => {
      const { schema, operations, chosen, naive } = gateways
      const used = new FeatureCounts(schema)
      await holdsForAll(operations, numRuns, async (operation) => {
        const { query, variables } = operation
        const [free, lookedUp, yardstick] = await Promise.all([
          chosen(query, { variables }), chosen(reread(query, '@read(from: REFERENCE)'), { variables }), naive(query, { variables }),
        ])
        for (const answer of [free, lookedUp, yardstick]) {
          expectSame(answer, yardstick)
          expectTrue(answer.report, yardstick.report)
        }
        for (const { report } of [free, lookedUp]) expectBatched(report)
        // Naively, everything is looked up that can be: copies answer only filters by what nothing else has an index of.
        expect(fromSnapshots(lookedUp.report)).toEqual(fromSnapshots(yardstick.report))
        expect(fromSnapshots(lookedUp.report).filter(({ because }) => !because.startsWith('in the filter, '))).toEqual([])
        used.add(operation, free)
      })
      // Fewer operations cannot use everything.
      if (numRuns === many) expect(used.below(1), used.toString()).toEqual([])
    }, timeoutMs)

    test('are never answered from snapshots that may be older than they allow', async () => {
      const { schema, operations, aged, agedNaive, drifted } = gateways
      let noticed = 0
      const limits = fc.record({
        maxStaleMs: fc.constantFrom(0, 1, boundMs - 1, boundMs, boundMs + 1),
        said: fc.constantFrom('by the header', 'on the operation', 'on the root fields'),
      })
      await holdsForAll(fc.tuple(operations, limits), Math.ceil(numRuns / 3), async ([{ query, variables }, { maxStaleMs, said }]) => {
        const read = `@read(maxStaleMs: ${maxStaleMs})`
        const limit = {
          'by the header': (ask: Ask) => ask(reread(query), { variables, headers: { 'quire-max-stale-ms': String(maxStaleMs) } }),
          'on the operation': (ask: Ask) => ask(reread(query, read), { variables }),
          'on the root fields': (ask: Ask) => ask(rereadRoots(schema, query, read), { variables }),
        }[said]
        const [free, limited, yardstick] = await Promise.all([aged(reread(query), { variables }), limit(aged), limit(agedNaive)])
        for (const answer of [limited, yardstick]) {
          expectSame(answer, free)
          expectTrue(answer.report, yardstick.report)
        }
        for (const { report } of [free, limited]) {
          expect(report.staleness.boundMs).toBe(fromSnapshots(report).some(({ resolved }) => resolved > 0) ? boundMs : 0)
        }
        if (maxStaleMs < boundMs) {
          expect(fromSnapshots(limited.report)).toEqual([])
          expectSame(await limit(drifted), free)
        } else {
          expect(limited.report.relations).toEqual(free.report.relations)
          if (JSON.stringify((await limit(drifted)).data) !== JSON.stringify(free.data)) noticed++
        }
      })
      // Where old snapshots are allowed, some answers must show the wrong ones: otherwise this test proves nothing.
      if (numRuns === many) expect(noticed).toBeGreaterThan(0)
    }, timeoutMs)
  })
}

function expectSame(answer: Answer, expected: Answer): void {
  expect(answer.errors).toBeUndefined()
  expect(answer.data).toEqual(expected.data)
  // The order of keys is part of the answer too.
  expect(JSON.stringify(answer.data)).toBe(JSON.stringify(expected.data))
}

/** The reported naive cost is the cost of the naive run, and every figure follows from the calls. */
function expectTrue({ made, naive, saved, calls, estimated }: CostReport, yardstick: CostReport): void {
  expectCost(naive, yardstick)
  expect(made).toEqual({
    roundTrips: calls.length,
    waves: new Set(calls.map(({ wave }) => wave)).size,
    requestCharge: hundredths(calls.reduce((sum, { requestCharge }) => sum + requestCharge, 0)),
  })
  expect(saved.byBatching + saved.bySnapshots).toBe(naive.roundTrips - made.roundTrips)
  // Where lists of very different lengths are paged together, a store may need one more request.
  expect(made.roundTrips).toBeLessThanOrEqual(estimated ? naive.roundTrips : 2 * naive.roundTrips)
  expect(made.waves).toBeLessThanOrEqual(estimated ? naive.waves : 2 * naive.waves)
}

/** Waves are counted without gaps, and each wave reads the documents of a container in one call. */
function expectBatched(report: CostReport): void {
  expect([...new Set(report.calls.map(({ wave }) => wave))]).toEqual(Array.from({ length: report.made.waves }, (_, index) => index + 1))
  const reads = storeCalls(report).filter(({ operation }) => operation === 'read').map(({ wave, container }) => `${wave} ${container}`)
  expect(reads).toEqual([...new Set(reads)])
}

function fromSnapshots({ relations }: CostReport): CostReport['relations'] {
  return relations.filter(({ from }) => from === 'SNAPSHOT')
}

/** The operation with its own `@read` directives removed, and this one added to the whole. */
function reread(query: string, read?: string): string {
  const bare = visit(parse(query), { Directive: ({ name }) => (name.value === 'read' ? null : undefined) })
  const used = new Set<string>()
  visit(bare, { VariableDefinition: () => false, Variable: ({ name }) => void used.add(name.value) })
  return print(visit(bare, {
    VariableDefinition: ({ variable }) => (used.has(variable.name.value) ? undefined : null),
    OperationDefinition: { leave: (node) => ({ ...node, directives: read === undefined ? [] : [readDirective(read)] }) },
  }))
}

/** The same with `@read` on every root field, including those in fragments. */
function rereadRoots(schema: GraphQLSchema, query: string, read: string): string {
  const info = new TypeInfo(schema)
  const isRoot = () => info.getParentType() === schema.getQueryType()
  return print(visit(parse(reread(query)), visitWithTypeInfo(info, {
    Field: (node) => (isRoot() ? { ...node, directives: [...(node.directives ?? []), readDirective(read)] } : undefined),
  })))
}

function readDirective(text: string): DirectiveNode {
  const [definition] = parse(`query ${text} { __typename }`).definitions
  return (definition as OperationDefinitionNode).directives![0]!
}
