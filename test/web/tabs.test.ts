// Tabs are titled by their operation's name, and stored per set of examples.

import { parse } from 'graphql'
import { afterEach, expect, test, vi } from 'vitest'
import { readExamples } from '../../src/serve/schema-folder/examples.ts'
import { named, openingTabs, rememberedFor } from '../../web/graphiql/tabs.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['a shorthand', '# Said\n{ a }', '# Said\nquery OlderReviews { a }'],
  ['an unnamed query', 'query { a }', 'query OlderReviews { a }'],
  ['an unnamed query with variables', 'query ($n: Int) { a }', 'query OlderReviews ($n: Int) { a }'],
  ['an unnamed mutation', 'mutation { a }', 'mutation OlderReviews { a }'],
  ['one that has a name', 'query Mine { a }', 'query Mine { a }'],
])('%s is titled', (_, text, expected) => {
  expect(named(text, 'Older reviews')).toBe(expected)
  expect(parse(named(text, 'Older reviews'))).toBeDefined()
})

test('every example is a tab with a title of its own', () => {
  const names = openingTabs(readExamples('schema/library'), null).defaultTabs.map(({ query }) => /^query (\w+) /m.exec(query)?.[1])
  expect(names).toEqual(['SnapshotCovers', 'SnapshotMisses', 'ReverseReference', 'FourLevels', 'NewestReviews', 'OlderReviews', 'Portfolios', 'SyntheticKey', 'Contained', 'FilterByRelation', 'NestedFilter', 'Aggregates'])
})

test('the page opens with the operation in its URL', () => {
  const examples = [{ title: 'One', text: '{ a }' }, { title: 'Two', text: '{ b }' }]
  expect(openingTabs(examples, '{ c }')).toEqual({ defaultTabs: [{ query: '{ c }' }, { query: 'query One { a }' }, { query: 'query Two { b }' }], initialQuery: '{ c }' })
  expect(openingTabs(examples, '{ b }')).toEqual({ defaultTabs: [{ query: 'query Two { b }' }, { query: 'query One { a }' }], initialQuery: 'query Two { b }' })
})

test('another schema on the same address does not get the tabs of this one, but the same theme', () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value), removeItem: (key: string) => kept.delete(key),
  })
  const [one, other] = [rememberedFor([{ title: 'A', text: '{ a }' }]), rememberedFor([{ title: 'B', text: '{ b }' }])]
  one.setItem('graphiql:tabState', 'mine')
  one.setItem('graphiql:theme', 'dark')
  expect([one.getItem('graphiql:tabState'), other.getItem('graphiql:tabState'), other.getItem('graphiql:theme')]).toEqual(['mine', null, 'dark'])
  one.removeItem('graphiql:tabState')
  expect(one.getItem('graphiql:tabState')).toBeNull()
})
