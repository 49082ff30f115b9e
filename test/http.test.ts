// GraphQL over HTTP, by the audits of the people who wrote its specification.

import { serverAudits } from 'graphql-http'
import { expect, test } from 'vitest'
import { createGateway } from '../src/gateway.ts'
import { openMemoryStore } from '../src/store/memory.ts'

const gateway = await createGateway({
  typeDefs: 'type Cage @document(container: "cages") { id: ID! }',
  store: openMemoryStore,
  development: true,
})

const audits = serverAudits({
  url: 'http://quire/graphql',
  fetchFn: (url: string, init: RequestInit) => gateway.fetch(url, init),
})

test('there are as many audits as ever', () => {
  expect(audits.length).toBeGreaterThanOrEqual(61)
})

for (const audit of audits) {
  test(audit.name, async () => {
    expect(await audit.fn()).toMatchObject({ status: 'ok' })
  })
}
