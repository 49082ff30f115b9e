// The fast path asks only the rules that can find something: a document that it takes is one that all rules take.

import { buildSchema, parse, specifiedRules, validate, type ValidationRule } from 'graphql'
import { describe, expect, test } from 'vitest'
import { documentReader } from '../../../src/http/limits/read-document.ts'
import { defaultLimits } from '../../../src/http/limits/request-limits.ts'
import { createRulesFor } from '../../../src/http/limits/rules-for.ts'
import { domains } from '../../random/gateways.ts'
import { holdsForAll } from '../../random/holds-for-all.ts'
import { operationsOver } from '../../random/operations-over.ts'
import { runs } from '../../fast-check.ts'

const schema = buildSchema(`
  directive @once(a: Int) on FIELD
  interface Named { name: String }
  type Cage implements Named { name: String  size(of: Int = 1): Int  open(hours: [Int!]!): Boolean }
  input Filter { name: String }
  type Query { cage(id: ID!): Cage  cages(filter: Filter): [Cage]  named: Named }
  type Mutation { shut: Cage }
  type Subscription { opened: Cage  shut: Cage }`)

/** For each rule a document that it rejects. */
const rejected: Record<string, string> = {
  ExecutableDefinitionsRule: '{ named { name } } type Cage { name: String }',
  UniqueOperationNamesRule: 'query A { named { name } } query A { named { name } }',
  LoneAnonymousOperationRule: '{ named { name } } query A { named { name } }',
  SingleFieldSubscriptionsRule: 'subscription { opened { name } shut { name } }',
  KnownTypeNamesRule: '{ named { ... on Nothing { name } } }',
  FragmentsOnCompositeTypesRule: '{ named { ... on Filter { name } } }',
  VariablesAreInputTypesRule: 'query ($a: Cage) { cages(filter: $a) { name } }',
  ScalarLeafsRule: '{ named }',
  FieldsOnCorrectTypeRule: '{ nothing }',
  UniqueFragmentNamesRule: '{ named { ...A } } fragment A on Named { name } fragment A on Named { name }',
  KnownFragmentNamesRule: '{ named { ...A } }',
  NoUnusedFragmentsRule: '{ named { name } } fragment A on Named { name }',
  PossibleFragmentSpreadsRule: '{ cage(id: 1) { ... on Query { __typename } } }',
  NoFragmentCyclesRule: '{ named { ...A } } fragment A on Named { ...A }',
  UniqueVariableNamesRule: 'query ($a: ID!, $a: ID!) { cage(id: $a) { name } }',
  NoUndefinedVariablesRule: '{ cage(id: $a) { name } }',
  NoUnusedVariablesRule: 'query ($a: ID) { named { name } }',
  KnownDirectivesRule: '{ named @nothing { name } }',
  UniqueDirectivesPerLocationRule: '{ named @once @once { name } }',
  KnownArgumentNamesRule: '{ named(a: 1) { name } }',
  UniqueArgumentNamesRule: '{ cage(id: 1, id: 1) { name } }',
  ValuesOfCorrectTypeRule: '{ cage(id: 1) { size(of: "a") } }',
  ProvidedRequiredArgumentsRule: '{ cage { name } }',
  VariablesInAllowedPositionRule: 'query ($a: String) { cage(id: $a) { name } }',
  OverlappingFieldsCanBeMergedRule: '{ cage(id: 1) { name: size name } }',
  UniqueInputFieldNamesRule: '{ cages(filter: { name: "a", name: "b" }) { name } }',
  MaxIntrospectionDepthRule: `{ __schema { types { ${'fields { type { '.repeat(4)} name ${'} } '.repeat(4)} } } }`,
}

const find = (name: string): ValidationRule => specifiedRules.find((rule) => rule.name === name)!

describe('no rule is left out of a document that it rejects', () => {
  const rulesFor = createRulesFor([])

  test('and every rule of GraphQL has such a document here', () => {
    expect(Object.keys(rejected).toSorted()).toEqual(specifiedRules.map(({ name }) => name).toSorted())
  })

  test.each(Object.entries(rejected))('%s', (name, text) => {
    const document = parse(text)
    expect(validate(schema, document, [find(name)])).not.toEqual([])
    expect(rulesFor(text, document)).toContain(find(name))
  })

  test.each(Object.entries(rejected))('written with what other rules look for, too: %s', (name, text) => {
    const more = `${text} # $ @ ...`
    expect(rulesFor(more, parse(more))).toContain(find(name))
  })
})

test.each(['{ named { name } }', 'mutation { shut { name } }', '{ cage(id: 1) { name size(of: 2) } }', 'query ($a: ID!) { cage(id: $a) { ... on Named { name @once } } }'])('what all rules take is read: %s', (text) => {
  expect(validate(schema, parse(text))).toEqual([])
  expect(documentReader(schema, { limits: defaultLimits, introspection: true })(text)).toMatchObject({ kind: 'Document' })
})

test('rules of our own always apply', () => {
  const read = documentReader(schema, { limits: defaultLimits, introspection: false })
  expect(read('{ __schema { queryType { name } } }')).toBeUndefined()
  expect(read('{ cage(id: 1) { size(of: 1e999) } }')).toBeUndefined()
})

test('a document over a limit is not read', () => {
  const read = documentReader(schema, { limits: { ...defaultLimits, depth: 1, fields: 3 }, introspection: false })
  expect(() => read('{ named { name } }')).toThrow('more than 1 fields deep')
  expect(() => read('fragment A on Query { a: __typename b: __typename c: __typename d: __typename }')).toThrow('more than 3 fields')
})

test.each(Object.entries(domains))('random operations over %s, damaged in one place, are judged as all rules judge them', async (_, domain) => {
  const over = await operationsOver(domain)
  const rulesFor = createRulesFor([])
  let invalid = 0
  await holdsForAll(over.operations, runs(100), async ({ query }) => {
    for (const text of [query, query.replace(/\$\w+/, '$other'), query.replace(/on \w+/, 'on Query'), query.replace(/@\w+/, '@other'), query.replace(/\.\.\.\w+/, '...other'), query.replace(/\w+: /, 'other: ')]) {
      const document = parse(text)
      const errors = validate(over.schema, document)
      if (errors.length > 0) invalid++
      expect(validate(over.schema, document, rulesFor(text, document)).map(({ message }) => message)).toEqual(errors.map(({ message }) => message))
    }
  })
  expect(invalid).toBeGreaterThan(10)
})
