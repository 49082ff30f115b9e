// Each check of a history finds the bug that is planted for it, and finds nothing in the same runs without it.

import { describe, expect, test } from 'vitest'
import { checks } from '../../reliability/history/check-history.ts'
import { plantedBugs } from '../../reliability/simulation/planted-bugs.ts'
import { simulate } from '../../reliability/simulation/simulate.ts'

const maxSeeds = 40

test('every check has a bug to find', () => {
  expect(new Set(plantedBugs.map(({ finds }) => finds))).toEqual(new Set([...Object.keys(checks), 'drift', 'does not end']))
})

describe.each(plantedBugs)('$what', ({ finds, limits, plant }) => {
  test(`is found as: ${finds}`, async () => {
    const found = new Set<string>()
    let seed = 0
    while (!found.has(finds) && seed < maxSeeds) for (const { check } of (await simulate(++seed, { ...limits, planted: plant() })).findings) found.add(check)
    expect([...found]).toContain(finds)
    expect((await simulate(seed, limits)).findings).toEqual([])
  })
})
