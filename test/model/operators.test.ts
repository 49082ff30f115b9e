// The meaning of comparisons, checked against plain lists. The conformance tests check that every store agrees.

import fc from '../fast-check.ts'
import { describe, expect, test } from 'vitest'
import { comparisons } from '../../src/model/operators.ts'
import { filterInputSdl } from '../../src/model/api/filters.ts'

/** In order; the last three differ in their order by UTF-16 unit. */
const inOrder = [null, false, true, -1, 0, 2.5, '', '1', 'A', 'a', 'ab', '\ue000', '\uffff', '😀']

describe('comparisons', () => {
  test('by order hold among values of one type, in the order of code points', () => {
    for (const [at, found] of inOrder.entries()) {
      for (const [other, value] of inOrder.entries()) {
        const same = found === null || value === null ? found === value : typeof found === typeof value
        const expected = { eq: at === other, lt: same && at < other, lte: same && at <= other, gt: same && at > other, gte: same && at >= other }
        for (const op of ['eq', 'lt', 'lte', 'gt', 'gte'] as const) expect([found, op, value, comparisons[op].holds(found, value)]).toEqual([found, op, value, expected[op]])
      }
    }
  })

  test('of random texts agree with the order of their UTF-8 bytes', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 4 })
    fc.assert(fc.property(anyText, anyText, (one, other) => {
      expect(comparisons.lt.holds(one, other)).toBe(Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0)
    }))
  })

  test('"in" holds for any of the values, of any type', () => {
    expect([1, '1', null, true].map((found) => comparisons.in.holds(found, ['1', null]))).toEqual([false, true, true, false])
  })

  test('"startsWith" holds for texts only', () => {
    expect(['', 'a', 'ab', 'ba', 1, null].map((found) => comparisons.startsWith.holds(found, 'a'))).toEqual([false, true, true, false, false, false])
  })

  test('without regard to case, a letter is the same in both, and in every form', () => {
    expect(['ΟΔΟΣ', 'οδος', 'οδοσ', 'οδο'].map((found) => comparisons.ieq.holds(found, 'Οδος'))).toEqual([true, true, true, false])
    expect(['Straße', 'STRASSE', 'É', 'e'].map((found) => comparisons.icontains.holds(found, 'é'))).toEqual([false, false, true, false])
  })
})

test('each filter input has the operators of its scalar', () => {
  expect(operatorsOf('String')).toEqual(expect.arrayContaining([...operatorsOf('Int'), 'startsWith', 'icontains']))
  expect(operatorsOf('Int')).toEqual(['eq', 'ne', 'in', 'isNull', 'lt', 'lte', 'gt', 'gte'])
  expect(operatorsOf('Boolean')).toEqual(['eq', 'ne', 'in', 'isNull'])
  expect(operatorsOf('ID', true)).toEqual(['contains', 'containsAny'])
  // A part of an address is no address; a text that is equal to it in upper or lower case is one.
  expect(filterInputSdl({ scalar: 'EmailAddress', many: false })).toMatch(/ieq: EmailAddress .*icontains: String\b/)
})

function operatorsOf(scalar: string, many = false): string[] {
  return [...filterInputSdl({ scalar, many }).matchAll(/(\w+): /g)].map(([, name]) => name!)
}
