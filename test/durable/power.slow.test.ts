// What is left of SQLite's log when the power fails.

import { expect, test } from 'vitest'
import { run } from '../../reliability/scenarios/power.ts'

test('whatever becomes of the log behind the last acknowledged commit, everything acknowledged is there', async () => {
  const { held, figures } = await run({ rounds: 2, damages: 12, seed: 1 })
  expect(held, figures).toBe(true)
}, 300_000)
