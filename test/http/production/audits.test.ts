// The audits of graphql-http against a production gateway: every audit that does not pass is named here with the reason.
// Development passes all of them (test/http/http.test.ts).

import { serverAudits } from 'graphql-http'
import { expect, test } from 'vitest'
import { createGateway, type GatewayOptions } from '../../../src/gateway.ts'
import { createLog } from '../../../src/observe/log/log.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'

const links = 'a GET without a header that only programs send is refused with 403: any page could make a browser send it'
const schema = 'it asks for __type, and introspection is refused'

const deviations: Record<string, string> = {
  '5A70 MAY accept application/x-www-form-urlencoded formatted GET requests': links,
  'D6D5 MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting application/graphql-response+json': links,
  '6A70 MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting application/json': links,
  '2EA1 SHOULD allow map {variables} parameter when accepting application/graphql-response+json': schema,
  '28B9 MUST allow map {variables} parameter when accepting application/json': schema,
}

async function failing(headers: Record<string, string> = {}, options: Partial<GatewayOptions> = {}): Promise<string[]> {
  const gateway = await createGateway({ typeDefs: 'type Cage @document(container: "cages") { id: ID! }', store: openMemoryStore, log: createLog({ level: 'silent', readable: false }), ...options })
  const audits = serverAudits({ url: 'http://quire/graphql', fetchFn: (url: string, init: RequestInit = {}) => gateway.fetch(url, init.method === 'POST' ? init : { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } }) })
  expect(audits.length).toBeGreaterThanOrEqual(61)
  const failed: string[] = []
  for (const { id, name, fn } of audits) if ((await fn()).status !== 'ok') failed.push(`${id} ${name}`)
  await gateway.dispose()
  return failed
}

test('only the audits named here fail', async () => {
  expect((await failing()).toSorted()).toEqual(Object.keys(deviations).toSorted())
})

test('all audits pass for clients that send the preflight header, with introspection on', async () => {
  expect(await failing({ 'graphql-require-preflight': '1' }, { introspection: true })).toEqual([])
})
