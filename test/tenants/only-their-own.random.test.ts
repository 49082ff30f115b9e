// Two tenants with equal ids see only their own documents: every operation on the shared store returns exactly
// what a store with only that tenant's documents returns.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CostReport } from '../../src/observe/cost-report.ts'
import { noLimits } from '../../src/http/limits/request-limits.ts'
import { noBudget } from '../../src/plan/cost/budget.ts'
import type { ContainerLayout } from '../../src/store/store.ts'
import { openCosmosTestStore } from '../store/cosmos/local.ts'
import fc, { runs, triesAll } from '../fast-check.ts'
import { stores } from '../harness.ts'
import { domains } from '../random/gateways.ts'
import { randomOperation } from '../random/random-operation.ts'
import { randomMutation } from './random-mutation.ts'
import { openTwoTenants, shown, type TwoTenants } from './two-tenants.ts'


const places = [...stores, { name: 'cosmos in four physical partitions', store: (layout: readonly ContainerLayout[]) => openCosmosTestStore(layout, 4) }]
const timeoutMs = 120_000
/** How many operations are tried on each store. */
const numRuns: Readonly<Record<string, number>> = { memory: runs(4), sqlite: runs(2) }

for (const [domainName, domain] of Object.entries(domains)) {
  // TenantStore is the same above every store: tenant-store.test.ts tests it on all of them.
  describe.for(places.filter(({ name }) => triesAll || domainName !== 'the shipped library' || name === 'memory' || name === 'sqlite'))(`two tenants of ${domainName} on $name`, ({ name, store }) => {
    let world: TwoTenants
    beforeAll(async () => {
      world = await openTwoTenants(domain, store)
    }, timeoutMs)
    afterAll(() => world?.close())

    test('have different documents, or the following tests would show nothing', async () => {
      const [one, other] = await Promise.all(world.twins.map(async ({ documents }) => (await documents())[0]))
      expect(one!.length).toBeGreaterThan(0)
      expect(other!.map((document) => ({ ...document, body: {} }))).toEqual(one!.map((document) => ({ ...document, body: {} })))
      expect(other).not.toEqual(one)
    })

    test('get the answers, errors and cost reports of a store of their own', async () => {
      await fc.assert(fc.asyncProperty(randomOperation(world.schema, world.known), async ({ query, variables }) => {
        await Promise.all(world.twins.map(async ({ shared, alone }) => {
          const [together, apart] = await Promise.all([shared(query, { variables }), alone(query, { variables })])
          expect(shown(together)).toBe(shown(apart))
          expectCosts(together.report, apart.report, name)
        }))
      }), { numRuns: numRuns[name] ?? runs(1) })
    }, timeoutMs)

    test('get the same answers from compiled plans, also when the other tenant has just sent the same operation', async () => {
      const twins = await world.openTwins({ development: false, compiles: true, budget: noBudget, limits: noLimits })
      await fc.assert(fc.asyncProperty(randomOperation(world.schema, world.known), async ({ query, variables }) => {
        // One after the other, twice: the cached answer of one tenant is there when the other asks.
        for (const { shared, alone } of [...twins, ...twins]) {
          expect(shown(await shared(query, { variables }))).toBe(shown(await alone(query, { variables })))
        }
      }), { numRuns: numRuns[name] ?? runs(1) })
    }, timeoutMs)

    // With effects through the feed, all documents of the library would have to be followed first.
    const followed = name.startsWith('cosmos') && domainName === 'the shipped library'
    test.skipIf(followed)('write only their own documents: after random writes of both, each tenant\'s equal those of a store of its own', async () => {
      let done = 0
      // Enough that both tenants write: the first write of a tenant adds Quire's own fields to all of its documents.
      const writeRuns = Math.max(5, (numRuns[name] ?? runs(1)) / 2)
      await fc.assert(fc.asyncProperty(fc.array(randomMutation(world), { minLength: 1, maxLength: 4 }), fc.integer({ min: 0, max: 1 }), async (mutations, whose) => {
        const { shared, alone } = world.twins[whose]!
        for (const { query, variables } of mutations) {
          const answer = await shared(query, { variables })
          expect(shown(answer)).toBe(shown(await alone(query, { variables })))
          if (answer.data) done++
        }
      }), { numRuns: writeRuns })
      expect(done).toBeGreaterThan(writeRuns / 2)
      for (const { documents, findings } of world.twins) {
        const [together, apart] = await documents()
        expect(together).toEqual(apart)
        expect(await findings()).toEqual([])
      }
    }, timeoutMs)
  })
}

/**
 * Round trips and waves are the same. Charges are not: every document contains its tenant, and the cost model depends on
 * the size. On several physical partitions the shared store asks only those of the tenant, while a store of its own has
 * to ask all of them: then the shared store needs fewer round trips.
 */
function expectCosts(together: CostReport, apart: CostReport, place: string): void {
  for (const [one, other] of [[together.made, apart.made], [together.naive, apart.naive]] as const) {
    expect(one.waves).toBeLessThanOrEqual(other.waves)
    if (place === 'cosmos in four physical partitions') continue
    expect([one.roundTrips, one.waves]).toEqual([other.roundTrips, other.waves])
  }
}
