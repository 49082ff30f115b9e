// Checks a property for random examples. Shrinking a counterexample is limited by tries, not by time: so it is reported
// before the test times out, and it is the same on every machine.

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
