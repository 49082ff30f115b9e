// A hundred of the thousand kills that `npm run reliability -- kill` makes.

import { expect, test } from 'vitest'
import { heard } from '../../reliability/planted.ts'
import { run, usual } from '../../reliability/shows/kill.ts'

test('killed at any moment, a hundred times, gateways have lost nothing that they acknowledged, and torn nothing', async () => {
  const { held, figures } = await run({ ...usual, kills: 100 })
  expect(held, figures).toBe(true)
  // Lines of the log, and answers with errors among them.
  expect(heard().bytes).toBeGreaterThan(10_000)
  expect(heard().leaks).toEqual([])
}, 600_000)
