// A disk that is full, and then is not.

import { expect, test } from 'vitest'
import { run, whyNoDisk } from '../../reliability/scenarios/disk.ts'

const missing = whyNoDisk()

test.skipIf(missing !== undefined)(`on a full disk writes are refused and reads go on, and with room again the same process writes${missing ? ` (skipped: nothing can be mounted here, and ${missing})` : ''}`, async () => {
  const { held, figures } = await run({ rounds: 3, seed: 1 })
  expect(held, figures).toBe(true)
}, 300_000)
