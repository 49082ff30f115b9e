// Runs every second seed of the simulation, and expects that none of its checks finds anything.

import { expect } from 'vitest'
import { defaultFaults, storeKinds, type FaultKind } from '../../reliability/simulation/scenario.ts'
import { simulate } from '../../reliability/simulation/simulate.ts'

const count = 250

export async function findNothing(first: 1 | 2): Promise<void> {
  const found: string[] = []
  const seen = { stores: new Set<string>(), faults: new Set<FaultKind>(), effects: new Set<string>(), reads: 0, writes: 0 }
  for (let seed: number = first; seed < first + 2 * count; seed += 2) {
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
  expect(seen.reads).toBeGreaterThan(10 * count)
  expect(seen.writes).toBeGreaterThan(5 * count)
}
