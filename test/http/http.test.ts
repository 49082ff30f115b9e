// The audits of graphql-http against a development gateway: all pass.

import { serverAudits } from 'graphql-http'
import { expect, test } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'

const gateway = await createGateway({
  typeDefs: 'type Cage @document(container: "cages") { id: ID! }',
  store: openMemoryStore,
  development: true,
})

const audits = serverAudits({
  url: 'http://quire/graphql',
  fetchFn: (url: string, init: RequestInit) => gateway.fetch(url, init),
})

test('the audit suite is complete', () => {
  expect(audits.length).toBeGreaterThanOrEqual(61)
})

for (const audit of audits) {
  test(audit.name, async () => {
    expect(await audit.fn()).toMatchObject({ status: 'ok' })
  })
}

test.each([
  ['no GraphQL', { query: '{' }, 'GRAPHQL_PARSE_FAILED'],
  ['an unknown field', { query: '{ lions { id } }' }, 'GRAPHQL_VALIDATION_FAILED'],
  ['a wrong type', { query: '{ cages(first: "many") { totalCount } }' }, 'GRAPHQL_VALIDATION_FAILED'],
  ['a missing variable', { query: 'query ($id: ID!) { cage(id: $id) { id } }' }, 'BAD_USER_INPUT'],
  ['a variable of the wrong type', { query: 'query ($n: Int) { cages(first: $n) { totalCount } }', variables: { n: 'many' } }, 'BAD_USER_INPUT'],
  ['an unknown operation', { query: '{ cages { totalCount } }', operationName: 'Other' }, 'OPERATION_RESOLUTION_FAILURE'],
  ['no operation', { query: 'fragment F on Cage { id }' }, 'OPERATION_RESOLUTION_FAILURE'],
  ['variables that are a list', { query: '{ cages { totalCount } }', variables: [] }, 'BAD_REQUEST'],
  ['a query that is a number', { query: 1 }, 'BAD_REQUEST'],
  ['nothing', {}, 'BAD_REQUEST'],
])('%s is refused with a code, and is never a fault of the server', async (_, body, code) => {
  const response = await gateway.fetch('http://quire/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const { errors } = (await response.json()) as { errors: { extensions?: { code?: string } }[] }
  expect(response.status).toBeLessThan(500)
  expect(new Set(errors.map(({ extensions }) => extensions?.code))).toEqual(new Set([code]))
})
