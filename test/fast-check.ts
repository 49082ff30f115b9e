// fast-check with a fixed seed: every run tries the same examples, so a failure on one machine fails on all of them.
// SEED=random (or a number) tries others; a failure prints its seed. RUNS=N tries N times as many examples.

import fc from 'fast-check'

const { SEED: seed = '20261116', RUNS: scale = '1' } = process.env
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) })

/** How many examples to try where `npm test` tries `count`; `RUNS=4 npm run test:slow` tries four times as many. */
export function runs(count: number): number {
  return Math.ceil(count * Number(scale))
}

export default fc
