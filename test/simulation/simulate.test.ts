// Runs of the simulation: the same seed gives the same run, and many seeds find nothing, half of them here and half in even-seeds.test.ts, for two workers.
// `npm run simulate -- --seed N` shows one.

import { expect, test } from 'vitest'
import { storeKinds } from '../../reliability/simulation/scenario.ts'
import { simulate } from '../../reliability/simulation/simulate.ts'
import { findNothing } from './find-nothing.ts'

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

test('nothing is found in 250 runs of odd seeds, which have every kind of store and fault', { timeout: 600_000 }, async () => findNothing(1))
