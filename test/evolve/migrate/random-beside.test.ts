// A modest number of what random-beside.slow.test.ts does; on Cosmos, where waiting is real, only there.

import { expect, test } from 'vitest'
import { stores } from '../../harness.ts'
import { randomBeside } from './random-beside.ts'

const seeds = { memory: [1, 2, 3], sqlite: [4, 5], postgres: [6], cosmos: [] } as Readonly<Record<string, readonly number[]>>

test.each(stores.flatMap(({ name, store }) => (seeds[name] ?? [7]).map((seed) => ({ name, seed, open: store }))))('on $name, seed $seed', async ({ name, seed, open }) => {
  expect((await randomBeside(open, name, seed, 2)).written).toBeGreaterThan(0)
}, 60_000)

test('on memory, with 250 books of which the first 200 lack a value', async () => {
  expect((await randomBeside(stores[0]!.store, 'memory', 1, 1, 250)).written).toBeGreaterThan(0)
}, 60_000)
