// What every store has to do, as tests: one file per operation, and one for what runs through all
// of them. A store's own test file runs this, and tests only what is special to it.

import { describe } from 'vitest'
import { aggregateTest } from './aggregate-test.ts'
import { atomicallyTest } from './atomically-test.ts'
import { changesTest } from './changes-test.ts'
import { countEachTest } from './count-each-test.ts'
import { countTest } from './count-test.ts'
import { lifecycleTest } from './lifecycle-test.ts'
import { meterTest } from './meter-test.ts'
import { pagingTest } from './paging-test.ts'
import { queryEachTest } from './query-each-test.ts'
import { queryTest } from './query-test.ts'
import { readManyTest } from './read-many-test.ts'
import type { OpenStore } from './shelf.ts'
import { sizesTest } from './sizes-test.ts'
import { writeTest } from './write-test.ts'

export type { OpenStore }

/**
 * Tests that a store does everything that Quire asks of one, in vitest. `open` opens an empty store that no other test uses;
 * `numRuns` is how many random cases a test tries.
 *
 * @example
 * ```ts
 * // my-store.test.ts
 * import { conformance } from 'quire-graphql/testing/store'
 *
 * conformance('my', (layout) => openMyStore(layout))
 * ```
 */
export function conformance(name: string, open: OpenStore, numRuns = 200): void {
  describe(`the ${name} store`, () => {
    describe('readMany', () => readManyTest(open))
    describe('query', () => queryTest(open, numRuns))
    describe('pages', () => pagingTest(open, numRuns))
    describe('queryEach', () => queryEachTest(open, numRuns))
    describe('count', () => countTest(open, numRuns))
    describe('countEach', () => countEachTest(open, numRuns))
    describe('aggregate', () => aggregateTest(open, numRuns))
    describe('write', () => writeTest(open))
    describe('atomically', () => atomicallyTest(open))
    describe('changes', () => changesTest(open, numRuns))
    describe('sizes', () => sizesTest(open))
    describe('the meter', () => meterTest(open))
    describe('opening and closing', () => lifecycleTest(open))
  })
}
