// An observer is told of the same documents whether a compiled plan looks them up in this process or reads them in waves;
// without-promises.test.ts compares the calls and waves of the usual shapes. Operations have pages at their root only: below it, rows of one
// level may need different numbers of reads, and how many calls that takes depends on which answer comes first.

import type { Arbitrary } from 'fast-check'
import { getNamedType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { neverStale } from '../../../src/feed/watermark.ts'
import { createGateway, type GatewayOptions } from '../../../src/gateway.ts'
import { noLimits } from '../../../src/http/limits/request-limits.ts'
import { createLog } from '../../../src/observe/log/log.ts'
import type { OperationEnd } from '../../../src/observe/observers.ts'
import { noBudget } from '../../../src/plan/cost/budget.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { ContainerLayout, Store } from '../../../src/store/store.ts'
import { runs } from '../../fast-check.ts'
import { post } from '../../over-http.ts'
import { domains, type Domain } from '../../random/gateways.ts'
import { holdsForAll } from '../../random/holds-for-all.ts'
import { operationsOver } from '../../random/operations-over.ts'
import { pageSize } from '../../random/random-arguments.ts'
import { randomOperation } from '../../random/random-operation.ts'
import type { WrittenOperation } from '../../random/write-operation.ts'

const places = [
  { name: 'memory', open: openMemoryStore, numRuns: runs(60) },
  { name: 'sqlite', open: (layout: readonly ContainerLayout[]) => openSqliteStore(':memory:', layout), numRuns: runs(25) },
  { name: 'sqlite without a cache', open: (layout: readonly ContainerLayout[]) => openSqliteStore(':memory:', layout, { cacheBytes: 0 }), numRuns: runs(15) },
]

for (const [name, domain] of Object.entries(domains)) {
  describe.for(places)(`random operations over ${name} on $name`, ({ open, numRuns }) => {
    test('are answered from the same documents in every way', async () => {
      const store = await open(readDeclaration(domain.typeDefs, domain.derive).layout)
      const [compiled, reference] = [await openObserved(domain, store), await openObserved(domain, later(store))]
      const operations = await withoutLists(domain)
      let compared = 0
      await holdsForAll(operations, numRuns, async ({ query, variables }) => {
        // The first run makes an operation known, and GraphQL.js may answer it.
        await reference(query, variables)
        const expected = await reference(query, variables)
        // Where something fails, a compiled plan gives up, and what it has read by then counts, too.
        if (!expected || expected.failed) return
        for (let time = 0; time < 2; time++) {
          const seen = (await compiled(query, variables))!
          expect(seen.read).toEqual(expected.read)
          expect(seen.failed).toBe(false)
          // A wave more charges for one call more.
          if (seen.calls === expected.calls) expect(seen.charge).toBe(expected.charge)
        }
        compared++
      })
      expect(compared).toBeGreaterThan(numRuns / 4)
    }, 120_000)
  })
}

/** Any number of root fields, and below them what documents point at. */
async function withoutLists(domain: Domain): Promise<Arbitrary<WrittenOperation>> {
  const { schema, known } = await operationsOver(domain)
  return randomOperation(schema, known, (parent, field) => parent === schema.getQueryType() || !getNamedType(field.type).name.endsWith('Connection'))
}

/** The same store, which answers later and looks nothing up. */
function later(store: Store): Store {
  return {
    ...store, lookIn: () => undefined,
    readMany: async (...given) => store.readMany(...given), query: async (...given) => store.query(...given), queryEach: async (...given) => store.queryEach(...given),
    count: async (...given) => store.count(...given), countEach: async (...given) => store.countEach(...given),
  }
}

interface Observed {
  readonly failed: boolean
  /** How many keys were asked for, or documents found, by operation and container. */
  readonly read: Readonly<Record<string, number>>
  readonly calls: number
  /** In hundredths of RU. */
  readonly charge: number
}

async function openObserved(domain: Domain, store: Store): Promise<(query: string, variables: object) => Promise<Observed | undefined>> {
  let ended: OperationEnd | undefined
  const options: GatewayOptions = {
    // Nothing here lets a gateway look at the mode of a store that answers later.
    ...domain, openReads: true, freshness: () => neverStale, store: async () => store, log: createLog({ level: 'silent', readable: false }), cursorSecret: 'tests',
    pageSizes: { default: pageSize }, budget: noBudget, limits: noLimits, observers: [{ begin: () => ({ end: (end) => void (ended = end), rows: false }) }],
  }
  const gateway = await createGateway(options)
  return async (query, variables) => {
    ended = undefined
    await (await post(gateway, { query, variables })).text()
    const end = ended as OperationEnd | undefined
    if (!end) return undefined
    const read: Record<string, number> = {}
    for (const { operation, container, keys, documents } of end.calls) read[`${operation} ${container}`] = (read[`${operation} ${container}`] ?? 0) + Math.max(keys, documents)
    const charge = Math.round(100 * end.calls.reduce((sum, { requestCharge }) => sum + requestCharge, 0))
    return { failed: end.errors.length > 0, read, calls: end.calls.length, charge }
  }
}
