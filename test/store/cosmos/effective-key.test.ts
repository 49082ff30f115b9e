// Effective partition keys, compared with the SDK's own hash functions. The SDK does not export them, so
// this test imports its internal modules.

import type { PartitionKeyDefinition, PrimitivePartitionKeyValue } from '@azure/cosmos'
import fc from '../../fast-check.ts'
import { describe, expect, test } from 'vitest'
import { hashPartitionKey } from '../../../node_modules/@azure/cosmos/dist/esm/utils/hashing/hash.js'
import { effectiveKey, type KeyValue } from '../../../src/store/cosmos/read-many/effective-key.ts'
import { effectiveKeys } from './vectors/effective-keys.ts'

const single = { paths: ['/pk'], kind: 'Hash', version: 2 } as PartitionKeyDefinition
const hierarchical = { paths: ['/a', '/b', '/c'], kind: 'MultiHash', version: 2 } as PartitionKeyDefinition

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  // Halves of a surrogate pair by themselves, too.
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 100 }).map((units) => String.fromCharCode(...units)),
)
/** As JSON carries them: -0 is 0. */
const number = fc.oneof(fc.double({ noNaN: true }), fc.integer()).map((each) => each + 0)
const value: fc.Arbitrary<KeyValue> = fc.oneof(text, number, fc.boolean(), fc.constant(null), fc.constant(undefined))

test('-0 is hashed as 0, which it becomes in JSON', () => {
  expect(effectiveKey([-0], single)).toBe(effectiveKey([0], single))
})

test.each(effectiveKeys)('%s is hashed as other SDKs say', (_, one, hash) => {
  expect(effectiveKey([one], single)).toBe(hash)
  // Each level of a hierarchical key has its own hash.
  expect(effectiveKey(['redmond', one], hierarchical)).toBe(`22E342F38A486A088463DFF7838A5963${hash}`)
})

describe('a key with one level is hashed as the SDK hashes it', () => {
  test.each([
    ['texts of any characters', text],
    ['numbers', number],
    ['values of any type', value],
  ])('%s', (_, arbitrary: fc.Arbitrary<KeyValue>) => {
    fc.assert(fc.property(arbitrary, (one) => { expectSame([one], single) }), { seed: 7, numRuns: 500 })
  })

  test('texts of every length from 0 to 100', () => {
    for (let length = 0; length <= 100; length++) expectSame(['kö'.repeat(50).slice(0, length)], single)
  })

  test.each([[''], ['\0'], ['ÿ'], ['👩‍👩‍👧'], [0], [1], [-1.5], [Number.MAX_SAFE_INTEGER], [Number.MIN_VALUE], [Infinity], [true], [false], [null], [undefined]])('%j', (one) => {
    expectSame([one], single)
  })
})

describe('a hierarchical key', () => {
  test('is hashed as the SDK hashes it, whole or in part', () => {
    fc.assert(fc.property(fc.array(value, { minLength: 1, maxLength: 3 }), (values) => { expectSame(values, hierarchical) }), { seed: 7, numRuns: 500 })
  })

  test('begins with the hash of its upper levels, so that all keys below them are together', () => {
    const upper = effectiveKey(['contoso'], hierarchical)!
    expect(upper).toMatch(/^[0-3][0-9A-F]{31}$/)
    expect(effectiveKey(['contoso', 'ann', 7], hierarchical)).toBe(`${upper}${effectiveKey(['ann'], single)}${effectiveKey([7], single)}`)
  })
})

describe('a key whose effective key is not known', () => {
  test.each<[string, Partial<PartitionKeyDefinition>]>([
    ['of version 1', { kind: 'Hash', version: 1 } as PartitionKeyDefinition],
    ['of no version, which is the first', { kind: 'Hash' } as PartitionKeyDefinition],
    ['of no kind and no version', {}],
    ['that is not hashed', { kind: 'Range', version: 2 } as unknown as PartitionKeyDefinition],
  ])('%s', (_, definition) => {
    expect(effectiveKey(['a'], definition)).toBeUndefined()
  })
})

/** Documents that lack the property are `{}` to the SDK. */
function expectSame(values: readonly KeyValue[], definition: PartitionKeyDefinition): void {
  const sent = values.map((one) => (one === undefined ? {} : one)) as PrimitivePartitionKeyValue[]
  expect(effectiveKey(values, definition)).toBe(hashPartitionKey(sent, definition))
}
