// A relation's test is data: a small schema, documents, and operations with their answers and the
// reads they make. Each operation runs on every store, and in three ways: as planned, with lookups only,
// and naive. The answers must agree, and the naive cost in the cost report must be the cost of the
// naive run.

import { describe, expect, test } from 'vitest'
import type { Derive } from '../../src/relations/kind.ts'
import { expectCost, expectReads } from '../calls.ts'
import { openGateway, stores, type Ask, type Documents } from '../harness.ts'

export interface RelationCase {
  readonly query: string
  readonly variables?: object
  readonly answer: unknown
  /** One line per round trip: `wave operation container`, with the number of keys where there are any. */
  readonly reads: readonly string[]
  /** The round trips of the naive run. */
  readonly naive: number
}

export function relationSuite(
  name: string, sdl: string, documents: Documents, cases: { readonly [behaviour: string]: RelationCase }, derive: Derive = {},
): void {
  for (const { name: storeName, store } of stores) {
    const open = (options: object) => openGateway({ typeDefs: sdl, store, documents, derive, ...options })
    // Nothing is written here, so all cases share what the first one opens.
    let opened: Promise<{ chosen: Ask; naive: Ask }> | undefined
    const gateways = () => (opened ??= Promise.all([open({}), open({ strategy: 'naive' })]).then(([chosen, naive]) => ({ chosen, naive })))
    describe(`${name} on ${storeName}`, () => {
      for (const [behaviour, { query, variables = {}, answer, reads, naive }] of Object.entries(cases)) {
        test(behaviour, async () => {
          const chosen = await (await gateways()).chosen(query, { variables })
          expect(chosen.errors).toBeUndefined()
          expect(chosen.data).toEqual(answer)
          expectReads(chosen.report, reads)
          // More where a query asks in several places; how many exactly, the naive run shows.
          if (chosen.report.estimated) expect(chosen.report.naive.roundTrips).toBe(naive)
          else expect(chosen.report.naive.roundTrips).toBeGreaterThanOrEqual(naive)
          await expectAllWaysAgree(await gateways(), query, variables)
        })
      }
    })
  }
}

/** The operation as planned, with lookups only, and naive. */
export async function expectAllWaysAgree(gateways: { chosen: Ask; naive: Ask }, query: string, variables: object): Promise<void> {
  const [chosen, lookedUp, naive] = await Promise.all([
    gateways.chosen(query, { variables }),
    gateways.chosen(lookingUp(query), { variables }),
    gateways.naive(query, { variables }),
  ])
  expect(lookedUp.data).toEqual(chosen.data)
  expect(naive.data).toEqual(chosen.data)
  expectCost(naive.report.naive, naive.report)
  for (const { report } of [chosen, lookedUp]) {
    expectCost(report.naive, naive.report)
    expect(report.saved.byBatching + report.saved.bySnapshots).toBe(report.naive.roundTrips - report.made.roundTrips)
  }
}

/** The operation with `@read(from: REFERENCE)`, unless it has a `@read` of its own. */
function lookingUp(query: string): string {
  if (query.includes('@read')) return query
  return query.trimStart().startsWith('{') ? `query @read(from: REFERENCE) ${query}` : query.replace('{', '@read(from: REFERENCE) {')
}
