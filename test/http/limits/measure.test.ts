// What is too much is refused before it is validated, wherever it hides, and in time that its text explains.

import { getIntrospectionQuery, GraphQLError, print } from 'graphql'
import { describe, expect, test } from 'vitest'
import { defaultLimits, type Limits } from '../../../src/http/limits/limits.ts'
import { bytesOf } from '../../../src/execute/document-bytes.ts'
import { parseWithin } from '../../../src/http/limits/parse-within.ts'
import { isNestedBeyond } from '../../../src/http/limits/nesting.ts'

const few: Limits = { bodyBytes: 1000, tokens: 40, depth: 3, nesting: 6, fields: 8, aliases: 2, repeats: 3, directives: 2 }

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

describe('a document is parsed as ever', () => {
  test.each(['{ a }', '{ a { b { c } } }', 'query Q($x: [Int!]) { a(x: $x) @skip(if: true) { ...F } } fragment F on A { b }', '{ one: a two: a }', '{ a a a }'])('%s', (text) => {
    expect(words(print(parseWithin(text, few)))).toBe(words(text))
  })
})

describe('is refused, with the place where it becomes too much', () => {
  test.each<[string, string, string, string, Partial<Limits>?]>([
    ['a token too many', `{ ${'a '.repeat(39)}}`, 'The document has more than 40 tokens. Ask for less at a time.', '1:81', { fields: 100, repeats: 100 }],
    ['a field too deep', '{ a { b { c { d } } } }', 'The operation is more than 3 fields deep. Ask for what is further down by its id.', '1:3'],
    ['a field too deep by way of a fragment', '{ a { b { ...F } } } fragment F on A { c { d } }', 'The operation is more than 3 fields deep. Ask for what is further down by its id.', '1:3'],
    ['a field too deep by way of an inline fragment', '{ a { ... on A { b { c { d } } } } }', 'The operation is more than 3 fields deep. Ask for what is further down by its id.', '1:3'],
    ['a field too many', '{ a b c d e f g h i }', 'The operation has more than 8 fields, with fragments counted wherever they are spread. Ask for less at a time.', '1:19'],
    ['a field too many in fragments', '{ a { ...F } b { ...F } } fragment F on A { c d e f }', 'The operation has more than 8 fields, with fragments counted wherever they are spread. Ask for less at a time.', '1:14'],
    ['an alias too many', '{ one: a two: a three: a }', 'The operation has more than 2 aliases, with fragments counted wherever they are spread. Ask for less at a time.', '1:17'],
    ['an alias too many in fragments', '{ a { ...F } b { ...F } } fragment F on A { one: c two: d }', 'The operation has more than 2 aliases, with fragments counted wherever they are spread. Ask for less at a time.', '1:14'],
    ['a directive too many', '{ a @x @y @z }', 'The document has more than 2 directives. Leave some out.', '1:11'],
    ['a field too often', '{ a a a a }', 'a is asked for more than 3 times at one place. Ask for it once.', '1:9'],
    ['a field too often in places that become one', '{ a { b b } ... { a { b } } a { ...F } } fragment F on A { b }', 'b is asked for more than 3 times at one place. Ask for it once.', '1:60'],
    ['a field too often in a fragment that nobody spreads', '{ a } fragment F on A { b b b b }', 'b is asked for more than 3 times at one place. Ask for it once.', '1:31'],
    ['a list in too many lists', '{ a(x: [[[[[[1]]]]]]) }', 'The document is nested more than 6 levels deep. Ask for less at a time.', '1:12'],
    ['an object in too many objects', '{ a(x: {x: {x: {x: {x: {x: 1}}}}}) }', 'The document is nested more than 6 levels deep. Ask for less at a time.', '1:24', { nesting: 6 }],
    ['a type in too many lists', 'query ($x: [[[[[[Int]]]]]]) { a }', 'The document is nested more than 6 levels deep. Ask for less at a time.', '1:17'],
    ['braces in braces', '{'.repeat(30), 'Syntax Error: Expected Name, found "{".', '1:2'],
    ['fragments in fragments', `{ ...F0 } ${Array.from({ length: 8 }, (_, at) => `fragment F${at} on A { ...F${at + 1} }`).join(' ')} fragment F8 on A { a }`, 'The document is nested more than 6 levels deep. Ask for less at a time.', '1:165', { tokens: 200 }],
    ['a fragment in itself', '{ ...F } fragment F on A { a { ...F } }', 'Cannot spread fragment "F" within itself.', '1:10'],
    ['fragments in each other', '{ ...F } fragment F on A { ...G } fragment G on A { ...F }', 'Cannot spread fragment "F" within itself.', '1:10'],
  ])('%s', (_, text, message, at, limits) => {
    expect(refused(text, limits)).toMatchObject({ message, locations: [at] })
  })

  test('comments beyond the number of tokens', () => {
    expect(refused(`{ a }\n${'#\n'.repeat(41)}`)?.message).toMatch(/^Syntax Error: Document contains more than 40 comments/)
  })
})

test('every refusal for size has the same code', () => {
  for (const text of ['{ a b c d e f g h i }', '{ a { b { c { d } } } }', '{ a @x @y @z }', '{ a a a a }']) expect(refused(text)?.code).toBe('LIMIT_EXCEEDED')
})

test('the number of fields in fragments of fragments is known without counting them one by one', () => {
  // 2 to the power of 500 fields; each fragment is looked at once.
  const bomb = `{ ...F0 } ${Array.from({ length: 500 }, (_, at) => `fragment F${at} on A { x: a { ...F${at + 1} } y: a { ...F${at + 1} } }`).join(' ')} fragment F500 on A { a }`
  expect(refused(bomb, { ...defaultLimits, tokens: 20_000, nesting: 2000, depth: 2000, aliases: 1e9 })?.message).toBe('The operation has more than 2000 fields, with fragments counted wherever they are spread. Ask for less at a time.')
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

test('variables that are nested deeper than any stack are looked at only as deep as they may be', () => {
  const deep: unknown = JSON.parse('['.repeat(1_000_000) + ']'.repeat(1_000_000))
  for (const most of [0, 1, 100, 500]) expect(isNestedBeyond(deep, most)).toBe(true)
})

test('a document is as heavy as its tokens and comments', () => {
  const [light, heavy, commented] = ['{ aLongNameThatIsOneToken }', '{ a b c d e f g h i j k l }', '{ aLongNameThatIsOneToken }\n#\n#\n#\n#\n#'].map((text) => bytesOf(parseWithin(text, defaultLimits))) as [number, number, number]
  expect(heavy).toBeGreaterThan(light + 10 * 500)
  expect(commented).toBeGreaterThan(light + 5 * 500)
})

test('what tools ask to know the schema is within the limits', () => {
  const query = getIntrospectionQuery({ descriptions: true, specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true, inputValueDeprecation: true, oneOf: true })
  expect(() => parseWithin(query, defaultLimits)).not.toThrow()
})
