// Holds something to be true of random examples. What fails is made smaller for a number of tries and not for a time:
// so it is told before the test runs out of time, and the smallest example found is the same one on every machine.

import type { Arbitrary } from 'fast-check'
import fc from '../fast-check.ts'

/** Enough to leave little more of a long operation than what fails in it. */
const usualTriesToShrink = 500

export async function holdsForAll<T>(
  examples: Arbitrary<T>, numRuns: number, holds: (example: T) => Promise<void>, triesToShrink = usualTriesToShrink,
): Promise<void> {
  let left: number | undefined
  await fc.assert(fc.asyncProperty(examples, async (example) => {
    // What is not tried any more counts as something that holds, and then nothing smaller is looked for below it.
    if (left !== undefined && left-- <= 0) return
    try {
      await holds(example)
    } catch (error) {
      left ??= triesToShrink
      throw error
    }
  }), { numRuns })
}
