// The development server answers only to its own hosts, so that a page of another site cannot reach it under a name of its own. A gateway
// that is mounted in another server leaves hosts to that server.

import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { createGateway } from '../../src/gateway.ts'
import { createHostCheck } from '../../src/serve/allowed-hosts.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { startZoo } from '../http/load/process.ts'
import { listenOn } from '../over-http.ts'

const isAllowed = (env: NodeJS.ProcessEnv, host: string | undefined): boolean => createHostCheck(readConfig({ QUIRE_STORE: 'memory', ...env }))?.(host) ?? true

test.each(['localhost', 'localhost:4000', 'LOCALHOST:4000', 'api.localhost:4000', '127.0.0.1:4000', '[::1]:4000', '192.0.2.7', '[2001:db8::1]:4000', 'localhost.', undefined])('development answers to %s', (host) => {
  expect(isAllowed({ NODE_ENV: 'development' }, host)).toBe(true)
})

test.each(['evil.example', 'evil.example:4000', 'localhost.evil.example', '127.0.0.1.evil.example', 'devbox:4000'])('development does not answer to %s, and production does', (host) => {
  expect(isAllowed({ NODE_ENV: 'development' }, host)).toBe(false)
  expect(isAllowed({ NODE_ENV: 'production' }, host)).toBe(true)
})

test('the bound host and the names of a setting are answered as well', () => {
  expect(isAllowed({ NODE_ENV: 'development', HOST: 'devbox' }, 'devbox:4000')).toBe(true)
  const named = { QUIRE_ALLOWED_HOSTS: 'devbox, api.test' }
  for (const host of ['api.test', 'devbox:80', 'localhost:4000']) expect(isAllowed({ NODE_ENV: 'production', ...named }, host)).toBe(true)
  expect(isAllowed({ NODE_ENV: 'production', ...named }, 'evil.example')).toBe(false)
  expect(isAllowed({ NODE_ENV: 'development', QUIRE_ALLOWED_HOSTS: 'any' }, 'evil.example')).toBe(true)
  expect(() => readConfig({ QUIRE_ALLOWED_HOSTS: 'http://devbox' })).toThrow('QUIRE_ALLOWED_HOSTS')
})

async function statusOf(port: number, host: string): Promise<{ status: number | undefined; text: string }> {
  const sent = request({ port, host: '127.0.0.1', path: '/graphql', method: 'POST', headers: { host, 'content-type': 'application/json' } })
  sent.end(JSON.stringify({ query: '{ __typename }' }))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode, text }
}

test('a gateway in development that is mounted in another server answers to every host', async () => {
  const gateway = await createGateway({ typeDefs: 'type Cage @document(container: "cages") { id: ID! }', store: openMemoryStore, development: true })
  const { port, closeServer } = await listenOn(gateway)
  onTestFinished(async () => {
    closeServer()
    await gateway.dispose()
  })
  expect(await statusOf(port, 'devbox.example')).toMatchObject({ status: 200 })
})

test('the server refuses a host that it does not know, and says what to set', async () => {
  const { port } = await startZoo('type Cage @document(container: "cages") { id: ID! }', 'export const resolvers = {}', { QUIRE_ALLOWED_HOSTS: 'devbox' })
  expect(await statusOf(port, 'evil.example')).toMatchObject({ status: 403, text: expect.stringMatching(/QUIRE_ALLOWED_HOSTS.*FORBIDDEN/) as string })
  expect(await statusOf(port, `localhost:${port}`)).toMatchObject({ status: 200 })
})
