// Gateways that share the change feed of Cosmos DB, on a small scale: what `npm run reliability -- shared-feed` does at full length.

import { expect, test } from 'vitest'
import { defaults, run } from '../../reliability/scenarios/shared-feed.ts'

test('three gateways write each effect once, and go on when one is killed', async ({ annotate }) => {
  const { held, figures } = await run({ ...defaults, gateways: '3', changes: 60, latencyMs: 5, leaseMs: 2000 })
  await annotate(figures)
  expect(figures).toContain('one killed in the middle')
  expect(held, figures).toBe(true)
}, 180_000)
