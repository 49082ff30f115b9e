// Every request has an id: the one it sends if that is safe in headers and logs, otherwise a new one.

import { expect, test } from 'vitest'
import { openZoo } from './zoo.ts'

const made = /^[\w-]{12}-[0-9a-z]{8}$/

test('a safe id that the client sends comes back', async () => {
  const { ask } = await openZoo()
  for (const id of ['a', '7b8d2c1e-0f3a-4d5b-9c6e-1a2b3c4d5e6f', 'Root=1-67891233-abcdef012345678912345678', 'AbC+/=:.-_9', 'x'.repeat(128)]) {
    expect((await ask('{ __typename }', { headers: { 'x-request-id': id } })).headers.get('x-request-id')).toBe(id)
  }
})

test.each([['too long', 'x'.repeat(129)], ['empty', ''], ['with spaces', 'a b'], ['with quotes', '"'], ['with a brace', '{}'], ['with letters of another script', 'caf\u00E9'], ['two of them', 'a, b']])('one that is %s is replaced', async (_, id) => {
  const { ask } = await openZoo()
  expect((await ask('{ __typename }', { headers: { 'x-request-id': id } })).headers.get('x-request-id')).toMatch(made)
})

test('every answer has an id, also of probes and pages, and all are different', async () => {
  const { get } = await openZoo({ openMetrics: true, development: true })
  const paths = ['/', '/docs', '/numbers', '/health', '/ready', '/metrics', '/nowhere', '/graphql', '/graphql?query={', '/graphql?query={__typename}', '/graphql?query={__typename}']
  const ids = await Promise.all(paths.map(async (path) => (await get(path)).headers.get('x-request-id')))
  for (const id of ids) expect(id).toMatch(made)
  expect(new Set(ids).size).toBe(paths.length)
})
