// A hundred of the thousand kills that `npm run reliability -- kill` makes.

import { expect, test } from 'vitest'
import { searched } from '../../reliability/canaries.ts'
import { run, defaults } from '../../reliability/scenarios/kill.ts'

test('gateways killed at a hundred random moments lose no acknowledged write and tear none', async () => {
  const { held, figures } = await run({ ...defaults, kills: 100 })
  expect(held, figures).toBe(true)
  // The search saw log lines and answers with errors.
  expect(searched().bytes).toBeGreaterThan(10_000)
  expect(searched().leaks).toEqual([])
}, 600_000)
