// Runs in which the simulation once found something: docs/reliability.md says what.

import { describe, expect, test } from 'vitest'
import type { ScenarioLimits } from '../../reliability/simulation/scenario.ts'
import { simulate } from '../../reliability/simulation/simulate.ts'

const kept: readonly { readonly seeds: readonly number[]; readonly limits: ScenarioLimits }[] = [
  // A clock that is ahead moved the watermark into the future, and tokens of sessions were times of different clocks.
  { seeds: [1, 4, 13, 15, 36, 37, 45, 46, 50, 56, 58], limits: { faults: ['clocks'], store: 'file', effects: 'feed' } },
  // Gateways that started in the other mode took snapshots for current although the feed was not drained.
  { seeds: [9, 28, 48, 52, 61, 65, 91], limits: { faults: ['modes'], store: 'file' } },
  // A write in the millisecond of a look at the feed counted as propagated.
  { seeds: [61, 131], limits: { faults: ['shared milliseconds'], store: 'file', effects: 'feed' } },
  // A change of a body alone was never seen, and the next write of another field overwrote it.
  { seeds: [1, 2, 3, 4, 5, 7, 8], limits: { faults: ['other programs'], store: 'sqlite' } },
  // After a look that took as long as its machine slept, subscribers heard nothing for three times as long.
  { seeds: [265], limits: {} },
  // A supervisor started a gateway in the old mode while the mode was being changed, and the new mode was refused for ever.
  { seeds: [2111], limits: {} },
]

describe.each(kept)('$limits', ({ seeds, limits }) => {
  test.each(seeds)('seed %i finds nothing any more', async (seed) => {
    expect((await simulate(seed, limits)).findings).toEqual([])
  })
})
