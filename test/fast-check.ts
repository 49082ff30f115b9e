// fast-check with a fixed seed: every run tries the same examples, so a failure on one machine fails on all of them.
// SEED=random (or a number) tries others; a failure prints its seed. RUNS=N tries N times as many examples; vitest.config.ts sets it for each tier.

import fc from 'fast-check'

const { SEED: seed = '20261116', RUNS: scale = '1' } = process.env
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) })

/** How many examples to try where RUNS=1 tries `count`; `npm test` tries fewer of them, `npm run test:slow` as many and more. */
export function runs(count: number): number {
  return Math.ceil(count * Number(scale))
}

/** Every how many-th of a list to try where RUNS=1 tries every `count`-th. */
export function everyHowMany(count: number): number {
  return Math.max(1, Math.round(count / Number(scale)))
}

/** Whether RUNS asks for all that a test can try; `npm test` leaves some stores out. */
export const triesAll = Number(scale) >= 1

export default fc
