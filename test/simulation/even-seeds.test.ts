// The other half of the seeds of simulate.test.ts.

import { test } from 'vitest'
import { findNothing } from './find-nothing.ts'

test('nothing is found in 250 runs of even seeds, which have every kind of store and fault', { timeout: 600_000 }, async () => findNothing(2))
