// A failing property is reported with a small counterexample, and the search for it ends.

import { expect, test } from 'vitest'
import fc from '../fast-check.ts'
import { holdsForAll } from './holds-for-all.ts'

const lists = fc.array(fc.nat(), { minLength: 50, maxLength: 60 })

/** Checks a property that fails for lists with an even number: the examples that were tried, and the error message. */
async function tried(triesToShrink?: number) {
  const examples: number[][] = []
  const holds = async (list: number[]) => {
    examples.push(list)
    expect(list.filter((each) => each % 2 === 0)).toEqual([])
  }
  const error = await holdsForAll(lists, 10, holds, triesToShrink).then(() => undefined, (reason: Error) => reason)
  return { examples, message: error?.message ?? '' }
}

test('the smallest counterexample found is reported', async () => {
  const { examples, message } = await tried()
  expect(message).toContain('Property failed after 1 tests')
  expect(message).toContain(`Counterexample: [[${examples.findLast(hasEven)!.join(',')}]]`)
  expect(sum(examples.findLast(hasEven)!)).toBeLessThan(sum(examples[0]!))
})

test('shrinking stops after the given number of tries', async () => {
  const { examples, message } = await tried(5)
  expect(examples).toHaveLength(1 + 5)
  expect(message).toContain(`Counterexample: [[${examples.findLast(hasEven)!.join(',')}]]`)
})

test('a property that holds is tried the given number of times', async () => {
  const examples: number[][] = []
  await holdsForAll(lists, 10, async (list) => void examples.push(list), 0)
  expect(examples).toHaveLength(10)
})

function hasEven(list: number[]): boolean {
  return list.some((each) => each % 2 === 0)
}

function sum(list: number[]): number {
  return list.reduce((all, each) => all + each, 0)
}
