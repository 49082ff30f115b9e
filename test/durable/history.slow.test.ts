// A short run of each setup of `npm run reliability -- history`: real gateways, kills, and what clients saw.

import { expect, test } from 'vitest'
import { missingTools } from '../../reliability/durability/missing-tools.ts'
import { defaults, run } from '../../reliability/scenarios/history.ts'

const missing = missingTools(['faketime'])

test.each(['sqlite-together', 'sqlite-feed', 'cosmos'])(`no client is told what it should not be: %s${missing ? ` (with right clocks: ${missing})` : ''}`, { timeout: 300_000 }, async (setup) => {
  expect(await run({ ...defaults, minutes: 0.2, setup, clockSeconds: missing ? 0 : defaults.clockSeconds })).toMatchObject({ held: true })
})
