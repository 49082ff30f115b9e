// A disk that fills up and is freed again.

import { expect, test } from 'vitest'
import { run, missingForDisk } from '../../reliability/scenarios/disk.ts'

const missing = missingForDisk()

test.skipIf(missing !== undefined)(`on a full disk writes are refused and reads succeed, and with free space the same process writes again${missing ? ` (skipped: mounting is not permitted, and ${missing})` : ''}`, async () => {
  const { held, figures } = await run({ rounds: 3, seed: 1 })
  expect(held, figures).toBe(true)
}, 300_000)
