// Runs of the simulation: the same seed gives the same run, and many seeds find nothing. `npm run simulate -- --seed N` shows one.

import { expect, test } from 'vitest'
import { defaultFaults, storeKinds, type FaultKind } from '../../reliability/simulation/scenario.ts'
import { simulate } from '../../reliability/simulation/simulate.ts'

const seeds = 500

test.each(storeKinds)('the same seed gives the same run to the letter: %s', async (store) => {
  for (const seed of [1, 2, 3]) {
    const [one, other]: string[][] = [[], []]
    await simulate(seed, { store, trace: one! })
    await simulate(seed, { store, trace: other! })
    expect(one!.length).toBeGreaterThan(100)
    expect(other).toEqual(one)
  }
})

test('another seed gives another run', async () => {
  const [one, other]: string[][] = [[], []]
  await simulate(1, { trace: one! })
  await simulate(2, { trace: other! })
  expect(other).not.toEqual(one)
})

test(`nothing is found in ${seeds} runs, which have every kind of store and fault`, { timeout: 600_000 }, async () => {
  const found: string[] = []
  const seen = { stores: new Set<string>(), faults: new Set<FaultKind>(), effects: new Set<string>(), reads: 0, writes: 0 }
  for (let seed = 1; seed <= seeds; seed++) {
    const { scenario, findings, reads, writes } = await simulate(seed)
    found.push(...findings.map(({ check, message }) => `seed ${seed}: ${check}: ${message}`))
    seen.stores.add(scenario.store)
    seen.effects.add(scenario.effects)
    for (const fault of scenario.faults) seen.faults.add(fault)
    seen.reads += reads
    seen.writes += writes
  }
  expect(found).toEqual([])
  expect(seen.stores).toEqual(new Set(storeKinds))
  expect(seen.effects).toEqual(new Set(['together', 'feed']))
  expect(seen.faults).toEqual(new Set(defaultFaults))
  expect(seen.reads).toBeGreaterThan(10 * seeds)
  expect(seen.writes).toBeGreaterThan(5 * seeds)
})
