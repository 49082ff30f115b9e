// The texts of leaf values against `JSON.stringify` of what GraphQL.js serializes.

import fc from '../../fast-check.ts'
import { GraphQLBoolean, GraphQLEnumType, GraphQLFloat, GraphQLID, GraphQLInt, GraphQLScalarType, GraphQLString, type GraphQLLeafType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { GiveUp } from '../../../src/execute/compiled/json-writer.ts'
import { leafText } from '../../../src/execute/compiled/leaf-text.ts'
import { quoted } from '../../../src/model/json/quote-json.ts'

const leaves: readonly GraphQLLeafType[] = [
  GraphQLString, GraphQLID, GraphQLInt, GraphQLFloat, GraphQLBoolean,
  new GraphQLEnumType({ name: 'Size', values: { SMALL: {}, LARGE: { value: 7 } } }),
  new GraphQLScalarType({ name: 'Anything' }),
]

const values = fc.oneof(
  fc.string(), fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom('\ud800', '\udfff', '"', '\\', '\u2028', '\n', '\u007f') }),
  fc.integer(), fc.double(), fc.bigInt(), fc.boolean(), fc.constantFrom('SMALL', 7, -0, 2 ** 31, -(2 ** 31), 2 ** 31 - 1, 1e21, 1e-7, '12', {}, [], { a: 1 }, new Date(0)),
)

describe.for(leaves)('$name', (type) => {
  test.each([true, false])('is written as GraphQL.js serializes it, and gives up where that fails; required: %s', (required) => {
    const text = leafText(type, required)
    fc.assert(fc.property(values, (value) => {
      const expected = expectedText(type, value)
      if (expected === undefined) expect(() => text(value)).toThrow()
      else expect(text(value)).toBe(expected)
    }), { seed: 3, numRuns: 500 })
  })

  test('null is written if the type is nullable, and gives up if not', () => {
    for (const nothing of [null, undefined]) {
      expect(leafText(type, false)(nothing)).toBe('null')
      expect(() => leafText(type, true)(nothing)).toThrow(GiveUp)
    }
  })
})

test('strings are quoted as JSON quotes them', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => quoted(text) === JSON.stringify(text)), { seed: 3, numRuns: 2000 })
})

/** Undefined where GraphQL.js would answer with an error. */
function expectedText(type: GraphQLLeafType, value: unknown): string | undefined {
  try {
    return JSON.stringify(type.serialize(value))
  } catch {
    return undefined
  }
}
