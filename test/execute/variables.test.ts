// Variables and arguments of the fast path are what GraphQL.js makes of them, or are left to GraphQL.js.

import { buildSchema, getArgumentValues, getOperationAST, getVariableValues, parse, type FieldNode, type OperationDefinitionNode } from 'graphql'
import fc from '../fast-check.ts'
import { describe, expect, test } from 'vitest'
import { argumentsOf, fittingVariables } from '../../src/execute/arguments/variables.ts'

const schema = buildSchema(`
  enum Order { UP DOWN }
  input Range { from: Int = 3, to: Int! }
  input Where { any: [Where!], not: Where, range: Range, in: [Int], texts: [String!], order: Order = DOWN, text: String, toString: Int }
  scalar Date
  input One @oneOf { a: Int, b: String }
  type Query {
    find(int: Int, float: Float, text: String = "usual", id: ID, flag: Boolean!, count: Int! = 7, order: Order = UP, range: Range, ids: [ID!], where: Where, one: One): String
  }`)
Object.assign(schema.getType('Date')!, {
  parseValue: (day: unknown) => {
    if (typeof day !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(day)) throw new TypeError('Not a date.')
    return { day }
  },
})
const field = schema.getQueryType()!.getFields()['find']!

function operationOf(text: string): { readonly operation: OperationDefinitionNode; readonly node: FieldNode } {
  const operation = getOperationAST(parse(text))!
  return { operation, node: operation.selectionSet.selections[0] as FieldNode }
}

const value = fc.oneof(
  fc.constantFrom(null, true, false, 0, -0, 1, 1.5, 2 ** 31, -(2 ** 31), 1e300, '', 'text', '7'), fc.integer(), fc.double(), fc.string(), fc.array(fc.string(), { maxLength: 2 }), fc.record({ to: fc.integer() }),
)

/** Mostly what fits, so that all variables of a request often do. */
function mostly(right: fc.Arbitrary<unknown>, wrong: fc.Arbitrary<unknown> = value): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 19, arbitrary: right }, { weight: 1, arbitrary: wrong })
}

describe('variables', () => {
  const simple = 'query ($int: Int, $float: Float, $text: String = "t", $id: ID, $flag: Boolean!, $count: Int! = 5) { find(flag: $flag) }'

  test('of built-in scalars are coerced as GraphQL.js does, or left to it', () => {
    const { variableDefinitions = [] } = operationOf(simple).operation
    const quick = fittingVariables(schema, variableDefinitions)!
    let answered = 0
    const given = fc.record({
      int: mostly(fc.integer()), float: mostly(fc.double()), text: mostly(fc.string()), id: mostly(fc.string()), flag: mostly(fc.boolean()), count: mostly(fc.integer()), other: value,
    }, { requiredKeys: [] })
    fc.assert(fc.property(given, (each) => {
      const found = quick(each)
      const { coerced } = getVariableValues(schema, variableDefinitions, each)
      if (!found) return
      answered++
      expect(found).toStrictEqual(coerced)
      expect(Object.keys(found)).toEqual(Object.keys(coerced!))
    }), { numRuns: 1000 })
    expect(answered).toBeGreaterThan(100)
  })

  test('that fit are never left to GraphQL.js', () => {
    const quick = fittingVariables(schema, operationOf(simple).operation.variableDefinitions!)!
    expect(quick({ int: 1, float: 1.5, text: 'a', id: 'b', flag: true, count: 2 })).toEqual({ int: 1, float: 1.5, text: 'a', id: 'b', flag: true, count: 2 })
    expect(quick({ int: null, flag: false })).toEqual({ int: null, text: 't', flag: false, count: 5 })
  })

  test('that are not given are not read from the prototype', () => {
    expect(fittingVariables(schema, operationOf('query ($toString: String) { find(text: $toString, flag: true) }').operation.variableDefinitions!)!({})).toEqual({})
  })

  test('named like the prototype are left to GraphQL.js', () => {
    expect(fittingVariables(schema, operationOf('query ($__proto__: String) { find(flag: true) }').operation.variableDefinitions!)).toBeUndefined()
  })

  describe('of enums, lists, input objects and custom scalars', () => {
    const declared = 'query ($order: Order, $range: Range = { to: 9 }, $ids: [ID!], $where: Where, $wheres: [[Where!]!]!, $one: One, $date: Date) { find(flag: true) }'
    const { variableDefinitions = [] } = operationOf(declared).operation
    const coerce = fittingVariables(schema, variableDefinitions)!
    const order = mostly(fc.constantFrom('UP', 'DOWN', null), fc.constant('up'))
    const range = mostly(fc.record({ from: fc.option(fc.integer()), to: fc.integer() }, { requiredKeys: ['to'] }), fc.record({ to: fc.integer(), extra: fc.integer() }))
    const { where } = fc.letrec((tie) => ({
      where: fc.record({
        any: fc.oneof({ depthSize: 'small' }, fc.constant(null), fc.array(tie('where'), { maxLength: 2 })), not: fc.oneof({ depthSize: 'small' }, fc.constant(null), tie('where')),
        range, in: mostly(fc.array(fc.option(fc.integer())), fc.integer()), texts: fc.array(fc.string()), order, text: fc.option(fc.string()), toString: fc.integer(),
      }, { requiredKeys: ['toString'] }),
    }))
    const given = fc.record({ order, range, ids: mostly(fc.array(fc.string())), where, wheres: fc.array(fc.array(where, { maxLength: 2 }), { maxLength: 2 }), one: mostly(fc.constant(null), fc.record({ a: fc.integer() })), date: mostly(fc.constant('2024-02-29')) }, { requiredKeys: ['wheres'] })

    test('are coerced as GraphQL.js does, or left to it', () => {
      let answered = 0
      fc.assert(fc.property(given, (each) => {
        const found = coerce(each)
        const { coerced } = getVariableValues(schema, variableDefinitions, each)
        if (!found) return
        answered++
        expect(found).toStrictEqual(coerced)
        expect(JSON.stringify(found)).toBe(JSON.stringify(coerced))
      }), { numRuns: 2000 })
      expect(answered).toBeGreaterThan(100)
    })

    test('that fit are never left to GraphQL.js', () => {
      const nested = { any: [{ not: { order: 'UP', toString: 1 }, toString: 2 }], range: { to: 2 }, in: [1, null], toString: 3 }
      expect(coerce({ order: 'DOWN', ids: ['a'], where: nested, wheres: [[nested], []], date: '2024-02-29' })).toEqual({
        order: 'DOWN', range: { from: 3, to: 9 }, ids: ['a'], date: { day: '2024-02-29' },
        where: { any: [{ not: { order: 'UP', toString: 1 }, order: 'DOWN', toString: 2 }], range: { from: 3, to: 2 }, in: [1, null], order: 'DOWN', toString: 3 },
        wheres: [[{ any: [{ not: { order: 'UP', toString: 1 }, order: 'DOWN', toString: 2 }], range: { from: 3, to: 2 }, in: [1, null], order: 'DOWN', toString: 3 }], []],
      })
    })

    test.each([[{ wheres: [], order: 'up' }], [{ wheres: [], ids: 'a' }], [{ wheres: [], range: [] }], [{ wheres: [], date: 'never' }], [{ wheres: [], one: { a: 1 } }], [{}], [{ wheres: null }], [JSON.parse('{"wheres":[],"where":{"toString":1,"__proto__":{}}}') as object]])('that do not fit, or need a conversion, are left to it: %j', (each) => {
      expect(coerce(each as Record<string, unknown>)).toBeUndefined()
    })
  })
})

describe('arguments', () => {
  const written = [
    'find(flag: true)', 'find(flag: $flag)', 'find(flag: $flag, int: $int, text: $text)', 'find(int: 3, flag: $flag, count: $count, order: DOWN)',
    'find(flag: $flag, range: { to: $int })', 'find(flag: $flag, ids: ["a", $id])', 'find(flag: $flag, range: $range, ids: $ids)', 'find(flag: $flag, text: null, range: { to: 4 })',
    'find(flag: $flag, where: { range: { from: $int, to: 5 }, text: $text })', 'find(flag: $flag, where: { not: { range: { to: $int }, order: UP }, texts: $ids })',
    'find(flag: true, where: { any: [{ text: $text }, { in: [1, $int, null] }], in: $int })', 'find(flag: true, where: { texts: [$text, "b"], any: { not: $where }, range: $range })',
    'find(flag: true, where: { in: [$int, $count], toString: $toString })', 'find(flag: true, one: { a: $int })', 'find(flag: true, where: $where, range: { from: null, to: $int })',
    'find(flag: true, ids: $id)', 'find(flag: true, where: { texts: null, any: [$where] })',
  ]

  test.each(written)('%s', (text) => {
    const { node } = operationOf(`query Any { ${text} }`)
    const quick = argumentsOf(field, node)
    const variables = fc.record({
      flag: fc.constantFrom(true, false, null), int: fc.option(fc.integer()), text: fc.option(fc.string()), count: fc.option(fc.integer()), id: fc.option(fc.string()),
      range: fc.option(fc.record({ from: fc.integer(), to: fc.integer() })), ids: fc.option(fc.array(fc.string())), where: fc.option(fc.record({ text: fc.string() })),
    }, { requiredKeys: [] })
    fc.assert(fc.property(variables, (each) => {
      const [found, expected] = [outcome(() => quick(each)), outcome(() => getArgumentValues(field, node, each))]
      expect(found).toStrictEqual(expected)
      expect(Object.keys(found)).toEqual(Object.keys(expected))
    }), { numRuns: 300 })
  })
})

function outcome(work: () => object): object {
  try {
    return work()
  } catch (error) {
    return { error: String(error) }
  }
}
