// Documents beyond the limits are refused before validation, also if the excess hides in fragments, in time linear in their length.

import { getIntrospectionQuery, GraphQLError, print } from 'graphql'
import { describe, expect, test } from 'vitest'
import { defaultLimits, exceededMessage, type LimitName, type Limits } from '../../../src/http/limits/request-limits.ts'
import { bytesOf } from '../../../src/execute/document-bytes.ts'
import { parseWithin } from '../../../src/http/limits/parse-within.ts'
import { isNestedBeyond } from '../../../src/model/json/json.ts'

const few: Limits = { bodyBytes: 1000, tokens: 40, depth: 3, nesting: 6, fields: 8, aliases: 2, spreads: 20, fragments: 10, repeats: 3, directives: 2, introspections: 1, steps: 2000, answerBytes: 1000, answerRows: 10 }

function refused(text: string, limits: Partial<Limits> = {}): { message: string; code: unknown; locations: unknown } | undefined {
  try {
    parseWithin(text, { ...few, ...limits })
    return undefined
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    return { message: error.message, code: error.extensions['code'], locations: error.locations?.map(({ line, column }) => `${line}:${column}`) }
  }
}

function words(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

describe('a document within the limits is parsed', () => {
  test.each(['{ a }', '{ a { b { c } } }', 'query Q($x: [Int!]) { a(x: $x) @skip(if: true) { ...F } } fragment F on A { b }', '{ one: a two: a }', '{ a a a }'])('%s', (text) => {
    expect(words(print(parseWithin(text, few)))).toBe(words(text))
  })
})

describe('a document beyond a limit is refused, with the place where it exceeds it', () => {
  test.each<[string, string, [LimitName, string?], string, Partial<Limits>?]>([
    ['a token too many', `{ ${'a '.repeat(39)}}`, ['tokens'], '1:81', { fields: 100, repeats: 100 }],
    ['a field too deep', '{ a { b { c { d } } } }', ['depth'], '1:3'],
    ['a field too deep by way of a fragment', '{ a { b { ...F } } } fragment F on A { c { d } }', ['depth'], '1:3'],
    ['a field too deep by way of an inline fragment', '{ a { ... on A { b { c { d } } } } }', ['depth'], '1:3'],
    ['a field too many', '{ a b c d e f g h i }', ['fields'], '1:19'],
    ['a field too many in fragments', '{ a { ...F } b { ...F } } fragment F on A { c d e f }', ['fields'], '1:14'],
    ['an alias too many', '{ one: a two: a three: a }', ['aliases'], '1:17'],
    ['an alias too many in fragments', '{ a { ...F } b { ...F } } fragment F on A { one: c two: d }', ['aliases'], '1:14'],
    ['a fragment too many', `{ a ${'... { b } '.repeat(3)}}`, ['spreads'], '1:25', { spreads: 2, repeats: 100 }],
    ['a fragment too many in fragments that do not exist', '{ ...F ...F } fragment F on A { ...G ...G } fragment G on A { ...None ...None }', ['spreads'], '1:8', { spreads: 10 }],
    ['a definition of a fragment too many', '{ ...F } fragment F on A { a } fragment G on A { a } fragment H on A { a }', ['fragments'], '1:54', { fragments: 2 }],
    ['a directive too many', '{ a @x @y @z }', ['directives'], '1:11'],
    ['a field too often', '{ a a a a }', ['repeats', 'a'], '1:9'],
    ['a field too often in places that become one', '{ a { b b } ... { a { b } } a { ...F } } fragment F on A { b }', ['repeats', 'b'], '1:60'],
    ['a field too often in a fragment that is never spread', '{ a } fragment F on A { b b b b }', ['repeats', 'b'], '1:31'],
    ['a list in too many lists', '{ a(x: [[[[[[1]]]]]]) }', ['nesting'], '1:12'],
    ['an object in too many objects', '{ a(x: {x: {x: {x: {x: {x: 1}}}}}) }', ['nesting'], '1:24', { nesting: 6 }],
    ['a type in too many lists', 'query ($x: [[[[[[Int]]]]]]) { a }', ['nesting'], '1:17'],
    ['fragments in fragments', `{ ...F0 } ${Array.from({ length: 8 }, (_, at) => `fragment F${at} on A { ...F${at + 1} }`).join(' ')} fragment F8 on A { a }`, ['nesting'], '1:165', { tokens: 200 }],
  ])('%s', (_, text, [name, subject], at, limits = {}) => {
    expect(refused(text, limits)).toEqual({ message: exceededMessage(name, { ...few, ...limits }, subject), code: 'LIMIT_EXCEEDED', locations: [at] })
  })

  test.each([
    ['braces in braces', '{'.repeat(30), 'Syntax Error: Expected Name, found "{".', '1:2'],
    ['a fragment in itself', '{ ...F } fragment F on A { a { ...F } }', 'Cannot spread fragment "F" within itself.', '1:10'],
    ['fragments in each other', '{ ...F } fragment F on A { ...G } fragment G on A { ...F }', 'Cannot spread fragment "F" within itself.', '1:10'],
  ])('%s', (_, text, message, at) => {
    expect(refused(text)).toMatchObject({ message, locations: [at] })
  })

  test('comments beyond the number of tokens', () => {
    expect(refused(`{ a }\n${'#\n'.repeat(41)}`)?.message).toMatch(/^Syntax Error: Document contains more than 40 comments/)
  })
})

test.each(Object.keys(few) as LimitName[])('the message about %s names the limit', (name) => {
  expect(exceededMessage(name, { ...few, [name]: 4711 }, 'title')).toContain('4711')
})

test('the message about repeats names the field', () => {
  expect(exceededMessage('repeats', few, 'title')).toMatch(/\btitle\b/)
})

test('fields in fragments of fragments are counted without visiting each one', () => {
  // 2 to the power of 500 fields; each fragment is visited once.
  const bomb = `{ ...F0 } ${Array.from({ length: 500 }, (_, at) => `fragment F${at} on A { x: a { ...F${at + 1} } y: a { ...F${at + 1} } }`).join(' ')} fragment F500 on A { a }`
  expect(refused(bomb, { ...defaultLimits, fragments: 1000, tokens: 20_000, nesting: 2000, depth: 2000, aliases: 1e9 })?.message).toBe(exceededMessage('fields', defaultLimits))
})

test.each<[string, unknown, boolean]>([
  ['nothing', undefined, false],
  ['null', null, false],
  ['a number', 1, false],
  ['three levels', { a: [{ b: 1 }] }, false],
  ['four levels', { a: [{ b: [] }] }, true],
  ['four levels somewhere', { a: 1, b: [1, 2, { c: {} }], d: [] }, true],
])('whether variables are nested more than three levels deep: %s', (_, value, is) => {
  expect(isNestedBeyond(value, 3)).toBe(is)
})

test('the nesting of variables is checked only down to the limit, so a million levels do not overflow the stack', () => {
  const deep: unknown = JSON.parse('['.repeat(1_000_000) + ']'.repeat(1_000_000))
  for (const max of [0, 1, 100, 500]) expect(isNestedBeyond(deep, max)).toBe(true)
})

test('the bytes of a document grow with its tokens and comments', () => {
  const [light, heavy, commented] = ['{ aLongNameThatIsOneToken }', '{ a b c d e f g h i j k l }', '{ aLongNameThatIsOneToken }\n#\n#\n#\n#\n#'].map((text) => bytesOf(parseWithin(text, defaultLimits))) as [number, number, number]
  expect(heavy).toBeGreaterThan(light + 10 * 500)
  expect(commented).toBeGreaterThan(light + 5 * 500)
})

test('the full introspection query is within the limits', () => {
  const query = getIntrospectionQuery({ descriptions: true, specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true, inputValueDeprecation: true, oneOf: true })
  expect(() => parseWithin(query, defaultLimits)).not.toThrow()
})
