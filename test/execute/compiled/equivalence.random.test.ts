// Compiled plans against GraphQL.js, the reference: the same answers to random operations, to the letter, read from the
// same documents; and with broken documents the same errors and nulls.

import { describe, expect, test } from 'vitest'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { createGateway, type GatewayOptions } from '../../../src/gateway.ts'
import { noBudget } from '../../../src/plan/cost/budget.ts'
import { noLimits } from '../../../src/http/limits/request-limits.ts'
import { createLog } from '../../../src/observe/log/log.ts'
import type { Observer } from '../../../src/observe/observers.ts'
import type { RelationRows } from '../../../src/plan/plan.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { ContainerLayout, Store } from '../../../src/store/store.ts'
import { runs } from '../../fast-check.ts'
import { neverStale } from '../../../src/feed/watermark.ts'
import { recordingStore, type RecordedCall } from '../../read/recording-store.ts'
import { domains, type Domain } from '../../random/gateways.ts'
import { holdsForAll } from '../../random/holds-for-all.ts'
import { outOfOrder, slowStore } from '../../../bench/stores/slow-store.ts'
import { operationsOver } from '../../random/operations-over.ts'
import { pageSize } from '../../random/random-arguments.ts'
import { damaged } from './damaged-store.ts'
import { failedIn, type Answer } from './failed-in.ts'
import { post } from '../../over-http.ts'

const places = [
  { name: 'memory', open: openMemoryStore, numRuns: runs(120) },
  { name: 'sqlite', open: (layout: readonly ContainerLayout[]) => openSqliteStore(':memory:', layout), numRuns: runs(50) },
  { name: 'a store that answers out of order', open: async (layout: readonly ContainerLayout[]) => slowStore(await openMemoryStore(layout), outOfOrder()), numRuns: runs(50) },
]

const timeoutMs = 120_000

type Ask = (query: string, variables: object, watched?: boolean) => Promise<{ text: string; read: readonly string[]; calls: number; resolved: readonly string[] }>

for (const [name, domain] of Object.entries(domains)) {
  describe.for(places)(`random operations over ${name} on $name`, ({ open, numRuns }) => {
    test('are answered to the letter as GraphQL.js answers them, from the same documents', async () => {
      const { compiled, reference, operations } = await openBoth(domain, open, (store) => store)
      let [made, asked] = [0, 0]
      await holdsForAll(operations, numRuns, async ({ query, variables }) => {
        const slow = await reference(query, variables)
        expect(JSON.parse(slow.text)).not.toHaveProperty('errors')
        // Two texts run for the first time. Then code is generated: watched, its rows are counted; unwatched, they are written and
        // remembered; and then they are what was remembered.
        for (const [text, watched] of [[query, true], [`${query} `, false], [query, true], [query, false], [query, false]] as const) {
          const quick = await compiled(text, variables, watched)
          expect(quick.text).toBe(slow.text)
          expect(quick.read).toEqual(slow.read)
          if (watched) expect(quick.resolved).toEqual(slow.resolved)
          made += quick.calls
          asked += slow.calls
        }
      })
      // Level by level a little more travels together than row by row; now and then a little less.
      expect(made).toBeLessThanOrEqual(asked)
    }, timeoutMs)

    test('have the same errors and nulls where documents are broken', async () => {
      const { compiled, reference, operations } = await openBoth(domain, open, damaged)
      let failed = 0
      const fewerRuns = Math.ceil(numRuns / 3)
      await holdsForAll(operations, fewerRuns, async ({ query, variables }) => {
        const expected = JSON.parse((await reference(query, variables)).text) as Answer
        // The first time and later.
        for (let time = 0; time < 2; time++) {
          const answer = JSON.parse((await compiled(query, variables)).text) as Answer
          expect(JSON.stringify(answer.data)).toBe(JSON.stringify(expected.data))
          expect(failedIn(answer)).toEqual(failedIn(expected))
        }
        if (expected.errors) failed++
      })
      expect(failed).toBeGreaterThan(fewerRuns / 10)
    }, timeoutMs)
  })
}

/** Two gateways over one store, one with compiled plans and one without. */
async function openBoth(domain: Domain, open: GatewayOptions['store'], change: (store: Store) => Store) {
  const layout = readDeclaration(domain.typeDefs, domain.derive).layout
  const store = await open(layout)
  const ask = async (compiles: boolean): Promise<Ask> => {
    const { store: recorded, calls } = recordingStore(change(store))
    const resolved: string[] = []
    let watches = true
    const observer: Observer = { begin: () => (watches ? { end: ({ rows }) => resolved.push(...relationsOf(rows())) } : undefined) }
    // The store answers late, and nothing here lets the gateway look at its mode in between.
    const gateway = await createGateway({ ...domain, openReads: true, freshness: () => neverStale, store: async () => recorded, compiles, observers: [observer], log: createLog({ level: 'silent', readable: false }), cursorSecret: 'tests', pageSizes: { default: pageSize }, budget: noBudget, limits: noLimits })
    return async (query, variables, watched = true) => {
      calls.length = 0
      resolved.length = 0
      watches = watched
      const response = await post(gateway, { query, variables })
      return { text: await response.text(), read: readBy(calls), calls: calls.length, resolved: [...resolved] }
    }
  }
  return { compiled: await ask(true), reference: await ask(false), operations: (await operationsOver(domain)).operations }
}

/** How many rows of each relation there were, and where they came from. */
function relationsOf(rows: Iterable<RelationRows>): string[] {
  return [...rows].map(({ field, from, count }) => `${field} ${from} ${count}`).toSorted()
}

/** The documents that were read by key. In which calls is not the same: a level waits for all of its rows. */
function readBy(calls: readonly RecordedCall[]): string[] {
  return [...new Set(calls.filter(({ method }) => method === 'readMany').flatMap(({ container, keys }) => keys.map((key) => `${container} ${String(key)}`)))].toSorted()
}
