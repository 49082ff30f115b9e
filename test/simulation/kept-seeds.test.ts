// Runs in which the simulation once found something: docs/reliability.md says what. Each belongs to a kind of fault, and runs as
// soon as gateways are held to that kind by default.

import { describe, expect, test } from 'vitest'
import { defaultFaults, type FaultKind, type ScenarioLimits } from '../../reliability/simulation/scenario.ts'
import { simulate } from '../../reliability/simulation/simulate.ts'

const kept: readonly { readonly fault: FaultKind; readonly seeds: readonly number[]; readonly limits: ScenarioLimits }[] = [
  // A clock that is ahead moved the watermark into the future, and tokens of sessions were times of different clocks.
  { fault: 'clocks', seeds: [1, 4, 13, 15, 36, 37, 45, 46, 50, 56, 58], limits: { store: 'file', effects: 'feed' } },
  // Gateways that started in the other mode took snapshots for current although the feed was not drained.
  { fault: 'modes', seeds: [9, 28, 48, 52, 61, 65, 91], limits: { store: 'file' } },
  // A write in the millisecond of a look at the feed counted as propagated.
  { fault: 'shared milliseconds', seeds: [61, 131], limits: { store: 'file', effects: 'feed' } },
  // A change of a body alone was never seen, and the next write of another field overwrote it.
  { fault: 'other programs', seeds: [1, 2, 3, 4, 5, 7, 8], limits: { store: 'sqlite' } },
]

describe.each(kept)('$fault', ({ fault, seeds, limits }) => {
  test.skipIf(!defaultFaults.includes(fault)).each(seeds)('seed %i finds nothing any more', async (seed) => {
    const { scenario, findings } = await simulate(seed, { ...limits, faults: [fault] })
    expect(scenario.faults).toContain(fault)
    expect(findings).toEqual([])
  })
})
