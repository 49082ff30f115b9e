// Replacing workers: at once, unless they keep ending.

import { expect, test } from 'vitest'
import { BackOff } from '../../../src/serve/workers/back-off.ts'

test('the first is replaced at once, those that end soon after longer and longer pauses, up to half a minute', () => {
  const backOff = new BackOff()
  expect(Array.from({ length: 9 }, () => backOff.after(100))).toEqual([0, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
})

test('one that lived long enough is replaced at once again', () => {
  const backOff = new BackOff()
  for (let count = 0; count < 5; count++) backOff.after(100)
  expect([backOff.after(61_000), backOff.after(100)]).toEqual([0, 500])
})
