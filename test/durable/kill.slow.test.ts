// A hundred of the thousand kills that `npm run reliability -- kill` makes.

import { expect, test } from 'vitest'
import { searched } from '../../reliability/canaries.ts'
import { run, defaults } from '../../reliability/scenarios/kill.ts'

test('killed at any moment, a hundred times, gateways have lost nothing that they acknowledged, and torn nothing', async () => {
  const { held, figures } = await run({ ...defaults, kills: 100 })
  expect(held, figures).toBe(true)
  // Lines of the log, and answers with errors among them.
  expect(searched().bytes).toBeGreaterThan(10_000)
  expect(searched().leaks).toEqual([])
}, 600_000)
