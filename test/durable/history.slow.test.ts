// A short run of each setup of `npm run reliability -- history`: real gateways, kills, and what clients saw.

import { expect, test } from 'vitest'
import { missingTools } from '../../reliability/durability/missing-tools.ts'
import { defaults, run } from '../../reliability/scenarios/history.ts'

const missing = missingTools(['faketime'])

test.each(['sqlite-together', 'sqlite-feed', 'cosmos'])('no client is told what it should not be: %s', { timeout: 300_000 }, async (setup) => {
  expect(await run({ ...defaults, minutes: 0.2, setup })).toMatchObject({ held: true })
})

test.skipIf(missing !== undefined || defaults.clockSeconds === 0)('nor with wrong clocks', { timeout: 300_000 }, async () => {
  expect(await run({ ...defaults, minutes: 0.2, setup: 'sqlite-feed', clockSeconds: 5 })).toMatchObject({ held: true })
})
