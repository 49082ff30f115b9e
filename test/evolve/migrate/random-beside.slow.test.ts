// Random declarations over the same data, migrated beside gateways that write, killed at random points and resumed.

import { expect, test } from 'vitest'
import { stores } from '../../harness.ts'
import { randomBeside } from './random-beside.ts'

const sizes = { memory: 15, sqlite: 10, postgres: 4, cosmos: 1 } as Readonly<Record<string, number>>

test.each(stores.flatMap(({ name, store }) => Array.from({ length: sizes[name] ?? 4 }, (_, seed) => ({ name, seed: 100 + seed, open: store }))))('on $name, seed $seed', async ({ name, seed, open }) => {
  expect((await randomBeside(open, name, seed, seed % 5)).written).toBeGreaterThan(0)
}, 300_000)
