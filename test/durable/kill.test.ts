// A hundred of the thousand kills that `npm run reliability -- kill` makes.

import { expect, test } from 'vitest'
import { run, usual } from '../../reliability/shows/kill.ts'

test('killed at any moment, a hundred times, gateways have lost nothing that they acknowledged, and torn nothing', async () => {
  const { held, figures } = await run({ ...usual, kills: 100 })
  expect(held, figures).toBe(true)
}, 600_000)
