// What fails for a random example is told with a small one, and looking for that ends.

import { expect, test } from 'vitest'
import fc from '../fast-check.ts'
import { holdsForAll } from './holds-for-all.ts'

const lists = fc.array(fc.nat(), { minLength: 50, maxLength: 60 })

/** What was tried of a claim that holds for no list with an even number, and what was told. */
async function tried(triesToShrink?: number) {
  const examples: number[][] = []
  const holds = async (list: number[]) => {
    examples.push(list)
    expect(list.filter((each) => each % 2 === 0)).toEqual([])
  }
  const error = await holdsForAll(lists, 10, holds, triesToShrink).then(() => undefined, (reason: Error) => reason)
  return { examples, told: error?.message ?? '' }
}

test('an example that fails is told, and a smaller one where there is one', async () => {
  const { examples, told } = await tried()
  expect(told).toContain('Property failed after 1 tests')
  expect(told).toContain(`Counterexample: [[${examples.findLast(hasEven)!.join(',')}]]`)
  expect(sum(examples.findLast(hasEven)!)).toBeLessThan(sum(examples[0]!))
})

test('after so many tries it is told as small as it is by then', async () => {
  const { examples, told } = await tried(5)
  expect(examples).toHaveLength(1 + 5)
  expect(told).toContain(`Counterexample: [[${examples.findLast(hasEven)!.join(',')}]]`)
})

test('what holds is tried as often as was said', async () => {
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
