// SQLite's log after a power failure.

import { expect, test } from 'vitest'
import { run } from '../../reliability/scenarios/power.ts'

test('every acknowledged write survives any damage of the log after the last acknowledged commit', async () => {
  const { held, figures } = await run({ rounds: 2, damages: 12, seed: 1 })
  expect(held, figures).toBe(true)
}, 300_000)
