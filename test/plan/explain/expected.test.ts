// The cost that explain expects of an operation against what the operation really did: on the sample, and on random
// operations over every kind of relation.

import { readFileSync } from 'node:fs'
import fc, { runs } from '../../fast-check.ts'
import { Kind, parse, type OperationDefinitionNode } from 'graphql'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { CostReport } from '../../../src/observe/cost-report.ts'
import { explainedLines } from '../../../src/cli/explain/explain-text.ts'
import { readDeclaration, type Declaration } from '../../../src/relations/declaration.ts'
import { readExamples } from '../../../src/serve/schema-folder/examples.ts'
import { explain, servedSchema, type Explained } from '../../../src/plan/explain/explain.ts'
import { knownFrom } from '../../../src/plan/explain/assumptions.ts'
import { readsOf, type ExplainedNode, type ExplainedRead } from '../../../src/plan/explain/explained-node.ts'
import { timingsOf } from '../../../src/plan/explain/waves.ts'
import { defaultPageSizes } from '../../../src/plan/field-arguments.ts'
import { neverStale } from '../../../src/feed/watermark.ts'
import type { Range } from '../../../src/read/planned-reads.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { startCosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import { openGateway } from '../../harness.ts'
import { boundMs, domains, openGateways, type Gateways } from '../../random/gateways.ts'
import { pageSize } from '../../random/random-arguments.ts'
import { randomOperation } from '../../random/random-operation.ts'

const pageSizes = { default: pageSize, max: 1000 }

for (const [name, domain] of Object.entries(domains)) {
  describe(`the expected cost of operations over ${name}`, () => {
    const declaration: Declaration = readDeclaration(domain.typeDefs, domain.derive)
    const schema = servedSchema(declaration)
    let gateways: Gateways
    beforeAll(async () => {
      gateways = await openGateways(domain, openMemoryStore)
    })

    const explained = (query: string, variables: Record<string, unknown>, aged: boolean): Explained => {
      const document = parse(query)
      const operation = document.definitions.find((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION)!
      return explain({
        schema, declaration, document, operation, variables, pageSizes,
        freshness: aged ? { boundMs, watermark: Date.now() } : neverStale,
      })
    }

    test('holds: each call is made in an expected wave, and all of them are within the bounds', async () => {
      let exact = 0
      let all = 0
      await fc.assert(fc.asyncProperty(randomOperation(gateways.schema, gateways.known), fc.boolean(), async ({ query, variables }, aged) => {
        const { report } = await (aged ? gateways.aged : gateways.chosen)(query, { variables })
        const told = explained(query, variables, aged)
        expectWithin(report, told)
        all++
        exact += Number(report.made.waves === told.expected.waves.most && report.made.roundTrips === told.expected.roundTrips.most)
      }), { seed: 7, numRuns: runs(100) })
      // Where lists are empty or documents known already it is less.
      expect(exact / all).toBeGreaterThan(0.5)
    })
  })
}

test('the examples take exactly the expected waves when no list is empty', async () => {
  const gateways = await openGateways(domains['the shipped library']!, openMemoryStore)
  const { typeDefs, derive } = domains['the shipped library']!
  const declaration = readDeclaration(typeDefs, derive)
  const schema = servedSchema(declaration)
  for (const { text } of readExamples('schema/library')) {
    const document = parse(text)
    const told = explain({ schema, declaration, document, operation: document.definitions[0] as OperationDefinitionNode, pageSizes, freshness: neverStale })
    const { report } = await gateways.chosen(text)
    expectWithin(report, told)
    expect({ waves: told.expected.waves.most, naive: told.naive.waves.most }, text).toEqual({ waves: report.made.waves, naive: report.naive.waves })
  }
})

test('with a store to ask, round trips are exact, charges are within the bounds, and docs/cost-report.md shows them', async () => {
  const domain = domains['the shipped library']!
  const declaration = readDeclaration(domain.typeDefs, domain.derive)
  const store = await openMemoryStore(declaration.layout)
  const ask = await openGateway({ ...domain, store: async () => store })
  const known = await knownFrom(store, declaration.model)
  for (const { file, text } of readExamples('schema/library')) {
    const document = parse(text)
    const operation = document.definitions[0] as OperationDefinitionNode
    const told = explain({ schema: servedSchema(declaration), declaration, document, operation, pageSizes: defaultPageSizes, freshness: neverStale, known })
    const { report } = await ask(text)
    expect(report.made, file).toMatchObject({ roundTrips: told.expected.roundTrips.most, waves: told.expected.waves.most })
    expectIn(report.made.requestCharge, told.expected.requestCharge, file)
    expectIn(report.naive.requestCharge, told.naive.requestCharge, file)
    if (file.startsWith('2-')) expect(readFileSync('docs/cost-report.md', 'utf8')).toContain(explainedLines(told, operation).slice(0, 8).join('\n'))
  }
})

test.each([1, 4])('on Cosmos DB with %i physical partitions no operation takes more than is said', async (partitions) => {
  const domain = domains['the shipped library']!
  const declaration = readDeclaration(domain.typeDefs, domain.derive)
  const server = await startCosmosEmulator({ partitions })
  onTestFinished(() => server.close())
  const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'library', create: true }, declaration.layout)
  const ask = await openGateway({ ...domain, settles: false, freshness: () => ({ boundMs: 0, watermark: 0 }), store: async () => store })
  const known = await knownFrom(store, declaration.model)
  for (const { file, text } of readExamples('schema/library')) {
    const document = parse(text)
    const told = explain({ schema: servedSchema(declaration), declaration, document, operation: document.definitions[0] as OperationDefinitionNode, pageSizes: defaultPageSizes, freshness: neverStale, known })
    const { report: { made } } = await ask(text)
    expectIn(made.roundTrips, told.expected.roundTrips, file)
    expectIn(made.waves, told.expected.waves, file)
    expectIn(made.requestCharge, told.expected.requestCharge, file)
  }
  await ask.close()
})

function expectWithin({ made, naive, calls, relations }: CostReport, { series, expected, naive: alone }: Explained): void {
  expectIn(made.waves, expected.waves)
  expectIn(made.roundTrips, expected.roundTrips)
  expectIn(naive.waves, alone.waves)
  expectIn(naive.roundTrips, alone.roundTrips)
  const reads = readsOf(series.flat())
  const timings = timingsOf(reads)
  for (const { operation, container, wave, for: fields, keys } of calls) {
    const named = reads.filter(({ field, asked }) => fields.includes(field) && asked.container === container && operationOf(asked) === operation)
    expect(named.some((read) => timings.get(read)!.asked.has(wave)), JSON.stringify({ operation, container, wave, fields, waves: named.map((one) => [...timings.get(one)!.asked]) })).toBe(true)
    expect(keys).toBeLessThanOrEqual(mostKeys(reads, container))
  }
  const nodes = allNodes(series.flat())
  const choices = new Set(nodes.flatMap(({ field, choice }) => (choice ? [reasonOf(field, choice)] : [])))
  // What the filter of a list within documents says is told when the list is read.
  const perhaps = new Set(nodes.filter((node) => !series.flat().includes(node)).flatMap(({ children }) => children.flatMap(({ field, path, choice }) => (choice && path.startsWith('filter.') ? [reasonOf(field, choice)] : []))))
  const reported = relations.map((relation) => ({ ...relation, reason: reasonOf(relation.field, relation) }))
  expect(new Set(reported.map(({ reason }) => reason)).isSupersetOf(choices.difference(perhaps))).toBe(true)
  for (const { reason, resolved } of reported) if (resolved > 0) expect(choices).toContain(reason)
}

function allNodes(nodes: readonly ExplainedNode[]): ExplainedNode[] {
  return nodes.flatMap((node) => [node, ...allNodes(node.children)])
}

function reasonOf(field: string, { from, because }: { from: string; because: string }): string {
  return `${field} ${from} ${because}`
}

function mostKeys(reads: readonly ExplainedRead[], container: string): number {
  return reads.filter(({ asked }) => asked.container === container).reduce((sum, { holders, asked }) => sum + holders.most * asked.keys.most, 0)
}

function operationOf({ by, selection }: ExplainedRead['asked']): string {
  if (by === 'count' || by === 'aggregate') return by
  return by === 'page' || selection ? 'query' : 'read'
}

function expectIn(value: number, { least, most }: Range, about?: string): void {
  expect(value, about).toBeGreaterThanOrEqual(least)
  expect(value, about).toBeLessThanOrEqual(most)
}
