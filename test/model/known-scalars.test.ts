// Known scalars: what clients may write, the one form in which a value is stored, and that the order of stored values is that of the values.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareScalars } from '../../src/model/keys/compare-scalars.ts'
import type { Scalar } from '../../src/model/keys/position.ts'
import { knownScalars } from '../../src/model/values/known-scalars.ts'

describe('what is stored, and shown', () => {
  test.each<[string, unknown, unknown, unknown]>([
    ['DateTime', '2024-02-29T10:00:00+02:00', '2024-02-29T08:00:00.000Z', '2024-02-29T08:00:00.000Z'],
    ['DateTime', '2024-02-29T10:00:00.120000Z', '2024-02-29T10:00:00.120Z', '2024-02-29T10:00:00.120Z'],
    ['DateTime', new Date(0), '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
    ['Date', '2024-02-29', '2024-02-29', '2024-02-29'],
    ['UUID', '3F2504E0-4F89-41D3-9A0C-0305E82C3301', '3f2504e0-4f89-41d3-9a0c-0305e82c3301', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
    ['URL', 'https://Example.com/ü', 'https://example.com/%C3%BC', 'https://example.com/%C3%BC'],
    ['EmailAddress', 'a.b@example.com', 'a.b@example.com', 'a.b@example.com'],
    ['Decimal', '12.50', 12.5, '12.5'], ['Decimal', 0.1, 0.1, '0.1'], ['Decimal', '-0', 0, '0'], ['Decimal', '0.0000001', 1e-7, '0.0000001'], ['Decimal', '999999999999999', 999999999999999, '999999999999999'],
    ['BigInt', '42', 'p0242', '42'], ['BigInt', -42, 'n9757', '-42'], ['BigInt', '-0', 'p010', '0'], ['BigInt', '9223372036854775808', 'p199223372036854775808', '9223372036854775808'], ['BigInt', 7n, 'p017', '7'],
    ['JSON', { a: [1, null] }, { a: [1, null] }, { a: [1, null] }],
  ])('%s %s', (name, given, stored, shown) => {
    const scalar = knownScalars[name]!
    expect(scalar.store(given)).toEqual(stored)
    expect(scalar.show(stored)).toEqual(shown)
    expect(scalar.fits(stored)).toBe(true)
  })
})

test.each<[string, unknown]>([
  ['DateTime', '2024-02-30T10:00:00Z'], ['DateTime', 'yesterday'], ['DateTime', 5], ['DateTime', '2024-01-01T00:00:00.0001Z'], ['DateTime', new Date(NaN)], ['DateTime', ''],
  ['Date', '2024-02-30'], ['Date', '2024-2-3'], ['Date', 20240203],
  ['UUID', 'x'], ['UUID', 1], ['URL', 'a b'], ['URL', {}], ['EmailAddress', 'a'], ['EmailAddress', 'a b@c.d'], ['EmailAddress', null],
  ['Decimal', '1e3'], ['Decimal', 'x'], ['Decimal', '1234567890123456'], ['Decimal', '0.1234567890123456'], ['Decimal', Infinity], ['Decimal', true], ['Decimal', ''], ['Decimal', 1e21],
  ['BigInt', '1.5'], ['BigInt', 1.5], ['BigInt', 2 ** 60], ['BigInt', 'p0242'], ['BigInt', '9'.repeat(99)], ['BigInt', ''], ['BigInt', []],
])('%s refuses %j', (name, given) => {
  expect(() => knownScalars[name]!.store(given)).toThrow()
})

test.each<[string, unknown]>([
  ['DateTime', '2024-02-29T10:00:00+02:00'], ['DateTime', 0], ['Date', '2024-02-29T00:00:00Z'], ['UUID', '3F2504E0-4F89-41D3-9A0C-0305E82C3301'], ['Decimal', '1'], ['BigInt', 42], ['BigInt', '42'], ['BigInt', 'p0342'], ['BigInt', 'p0201'], ['BigInt', 'n010'],
])('%s: %j is not as it is stored', (name, stored) => {
  expect(knownScalars[name]!.fits(stored)).toBe(false)
})

/** Values of a scalar, and how they are compared. */
function sameOrder<T>(name: string, values: fc.Arbitrary<T>, written: (value: T) => unknown, compare: (one: T, other: T) => number): void {
  const { store, show } = knownScalars[name]!
  test(name, () => {
    fc.assert(fc.property(values, values, (one, other) => {
      const [first, second] = [store(written(one)) as Scalar, store(written(other)) as Scalar]
      expect(Math.sign(compareScalars(first, second))).toBe(Math.sign(compare(one, other)))
      expect(store(show(first))).toEqual(first)
    }), { numRuns: 500 })
  })
}

describe('the order of stored values is that of the values', () => {
  sameOrder('BigInt', fc.oneof(fc.bigInt({ min: -100n, max: 100n }), fc.bigInt({ min: -(10n ** 97n), max: 10n ** 97n })), String, (one, other) => (one < other ? -1 : one > other ? 1 : 0))
  sameOrder('DateTime', fc.date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }), (date) => date.toISOString(), (one, other) => one.getTime() - other.getTime())
  sameOrder('Decimal', fc.integer({ min: -999_999_999, max: 999_999_999 }), (hundredths) => `${hundredths < 0 ? '-' : ''}${Math.trunc(Math.abs(hundredths) / 100)}.${String(Math.abs(hundredths) % 100).padStart(2, '0')}`, (one, other) => one - other)
})
