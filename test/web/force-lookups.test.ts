// Forcing lookups: `@read(from: REFERENCE)` is on the operation and on every `@read`, and the document stays valid.

import { buildSchema, parse, print, validate } from 'graphql'
import { expect, test } from 'vitest'
import { forceLookups } from '../../web/graphiql/force-lookups.ts'

const schema = buildSchema(`
  directive @read(from: ReadFrom = AUTO, maxStaleMs: Int, orStale: Boolean = false) on QUERY | MUTATION | SUBSCRIPTION | FIELD
  enum ReadFrom { AUTO SNAPSHOT REFERENCE }
  type Query { post(id: ID): Post }
  type Post { writers: [Post!]! }
`)

test.each([
  ['a shorthand', '{ post { writers { __typename } } }', 'query @read(from: REFERENCE) { post { writers { __typename } } }'],
  ['a named one with variables', 'query Q($id: ID) { post(id: $id) { __typename } }', 'query Q($id: ID) @read(from: REFERENCE) { post(id: $id) { __typename } }'],
  ['one that says otherwise', '{ post { writers @read(from: SNAPSHOT) { __typename } } }', 'query @read(from: REFERENCE) { post { writers @read(from: REFERENCE) { __typename } } }'],
  ['one that says so for itself', 'query @read(maxStaleMs: 3) { post { __typename } }', 'query @read(from: REFERENCE, maxStaleMs: 3) { post { __typename } }'],
  ['one that says it with a variable', 'query ($from: ReadFrom!, $n: Int) { post { writers @read(from: $from, maxStaleMs: $n) { __typename } } }', 'query ($n: Int) @read(from: REFERENCE) { post { writers @read(from: REFERENCE, maxStaleMs: $n) { __typename } } }'],
  ['fragments', 'query { ...F } fragment F on Query { post @read(from: AUTO) { __typename } }', 'query @read(from: REFERENCE) { ...F } fragment F on Query { post @read(from: REFERENCE) { __typename } }'],
])('%s', (_, text, expected) => {
  const changed = forceLookups(text)
  expect(changed).toBe(print(parse(expected)))
  expect(validate(schema, parse(changed))).toEqual([])
})
