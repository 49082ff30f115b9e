// Setting `@read` on one relation of an operation: what changes, and that nothing else does.

import { buildSchema, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { readModeOf, setReadMode, type ReadMode } from '../../web/graphiql/read-directive.ts'

const schema = buildSchema(`
  directive @read(from: ReadFrom = AUTO, maxStaleMs: Int, orStale: Boolean = false) on QUERY | MUTATION | SUBSCRIPTION | FIELD
  enum ReadFrom { AUTO SNAPSHOT REFERENCE }
  interface Thing { id: ID! friends: [Person!]! }
  type Query { post(id: ID): Post person: Person thing: Thing posts: [Post!]! }
  type Post { id: ID! title: String writers(first: Int, after: String): [Person!]! }
  type Person implements Thing { id: ID! name: String friends: [Person!]! posts: [Post!]! }
`)

describe('setting the read mode', () => {
  test.each<[string, string, ReadMode, string]>([
    ['behind a name', '{ post { writers { name } } }', 'REFERENCE', '{ post { writers @read(from: REFERENCE) { name } } }'],
    ['behind arguments', '{ post { writers(first: 3, after: ")") { name } } }', 'FRESH', '{ post { writers(first: 3, after: ")") @read(maxStaleMs: 0) { name } } }'],
    ['behind an alias and a condition', '{ post { w: writers @skip(if: false) { name } } }', 'REFERENCE', '{ post { w: writers @skip(if: false) @read(from: REFERENCE) { name } } }'],
    ['at every place', '{ post { writers { posts { writers { id } } } } }', 'REFERENCE', '{ post { writers @read(from: REFERENCE) { posts { writers @read(from: REFERENCE) { id } } } } }'],
    ['in fragments', 'query { post { ...F } } fragment F on Post { writers { id } }', 'REFERENCE', 'query { post { ...F } } fragment F on Post { writers @read(from: REFERENCE) { id } }'],
    ['in place of another', '{ post { writers @read(maxStaleMs: 9, orStale: true) { id } } }', 'REFERENCE', '{ post { writers @read(from: REFERENCE) { id } } }'],
    ['not at all, to let the gateway choose', '{ post { writers @read(from: REFERENCE) { id } } }', 'AUTO', '{ post { writers { id } } }'],
    ['nowhere, where the relation is below itself', '{ post { writers @read(from: REFERENCE) { posts { writers @read(from: REFERENCE) { id } } } } }', 'AUTO', '{ post { writers { posts { writers { id } } } } }'],
    ['in so many words, below another one', 'query @read(from: REFERENCE) { post { writers { id } } }', 'AUTO', 'query @read(from: REFERENCE) { post { writers @read(from: AUTO) { id } } }'],
    ['in so many words, below a field with another one', '{ post @read(maxStaleMs: 5) { writers { id } } }', 'AUTO', '{ post @read(maxStaleMs: 5) { writers @read(from: AUTO) { id } } }'],
  ])('writes it %s', (_, text, way, expected) => {
    const changed = setReadMode(way, text, schema, 'Post.writers')
    expect(changed).toBe(expected)
    expect(validate(schema, parse(changed!))).toEqual([])
    expect(readModeOf(changed!, schema, 'Post.writers')).toBe(way)
  })

  test('keeps comments, commas and spaces', () => {
    const text = '# First\nquery Q {\n  post (id: 1) { # second\n    writers # third { not a selection\n    {\n      name,\n    }\n  }\n}\n'
    const changed = setReadMode('REFERENCE', text, schema, 'Post.writers')!
    expect(changed).toBe(text.replace('writers', 'writers @read(from: REFERENCE)'))
    expect(setReadMode('AUTO', changed, schema, 'Post.writers')).toBe(text)
  })

  test('reaches fields selected through an interface', () => {
    expect(setReadMode('REFERENCE', '{ thing { friends { id } } }', schema, 'Person.friends')).toBe('{ thing { friends @read(from: REFERENCE) { id } } }')
  })

  test('leaves other operations of the document alone', () => {
    const text = 'query A { post { writers { id } } } query B { post { writers { id } } }'
    expect(setReadMode('REFERENCE', text, schema, 'Post.writers', 'B')).toBe('query A { post { writers { id } } } query B { post { writers @read(from: REFERENCE) { id } } }')
  })

  test.each([['does not select the relation', '{ person { name } }'], ['is not finished', '{ post { writers {']])('returns undefined if the operation %s', (_, text) => {
    expect(setReadMode('REFERENCE', text, schema, 'Post.writers')).toBeUndefined()
    expect(readModeOf(text, schema, 'Post.writers')).toBeUndefined()
  })
})

describe('the read mode of an operation', () => {
  test.each<[string, ReadMode | undefined]>([
    ['{ post { writers { id } } }', 'AUTO'],
    ['{ post { writers @read { id } } }', 'AUTO'],
    ['{ post { writers @read(from: REFERENCE, maxStaleMs: 3) { id } } }', 'REFERENCE'],
    ['{ post { writers @read(from: AUTO, maxStaleMs: 0) { id } } }', 'FRESH'],
    ['{ post { writers @read(from: SNAPSHOT) { id } } }', undefined],
    ['{ post { writers @read(maxStaleMs: 7) { id } } }', undefined],
    ['query ($n: Int!) { post { writers @read(maxStaleMs: $n) { id } } }', undefined],
    ['{ post { writers { id } } posts { writers @read(from: REFERENCE) { id } } }', undefined],
  ])('of %s is %s', (text, way) => {
    expect(readModeOf(text, schema, 'Post.writers')).toBe(way)
  })
})
