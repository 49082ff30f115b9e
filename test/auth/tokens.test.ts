// Tokens over real HTTP, with a key server: a valid one identifies the viewer, an invalid one is refused with the reason, on
// the fast path and in Yoga, and nobody gets in while keys are unavailable.

import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Gateway } from '../../src/http/gateway-server.ts'
import { createGateway } from '../../src/gateway.ts'
import { defaultClaims } from '../../src/auth/claims.ts'
import { createJwtIdentity } from '../../src/auth/jwt-identity.ts'
import { createLog } from '../../src/observe/log/log.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { audience, forged, issuer, openIssuer, type Issuer } from './tokens.ts'
import { listenOn } from '../over-http.ts'

const typeDefs = `
  type Note @document(container: "notes") @readable(owner: "writer", roles: ["support"]) { id: ID!  writer: String!  text: String! }
  type Word @document(container: "words") { id: ID! }`
const notes = ['ada', 'bob'].map((writer) => ({ id: `note-${writer}`, writer, text: `Note of ${writer}` }))

interface Opened {
  readonly gateway: Gateway
  readonly server: Server
  readonly ask: (token: string | undefined, query?: string, headers?: Record<string, string>) => Promise<Asked>
}

interface Asked {
  readonly status: number
  readonly challenge: string | null
  readonly retryAfter: string | null
  readonly text: string
  readonly data?: unknown
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
}

async function open(jwks: string, claims = defaultClaims): Promise<Opened> {
  const gateway = await createGateway({
    typeDefs, cursorSecret: 'tests', store: openMemoryStore, identity: await createJwtIdentity({ jwks, issuer, audience, claims }), log: createLog({ level: 'silent', readable: false }),
    seed: () => notes.map((body) => ({ kind: 'put', container: 'notes', key: { partition: [body.id], id: body.id }, body }) as const),
  })
  const { server, port } = await listenOn(gateway)
  const address = `http://127.0.0.1:${port}/graphql`
  return {
    gateway, server,
    ask: async (token, query = '{ notes { nodes { text } } }', headers = {}) => {
      const response = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers }, body: JSON.stringify({ query }) })
      const text = await response.text()
      return { status: response.status, challenge: response.headers.get('www-authenticate'), retryAfter: response.headers.get('retry-after'), text, ...(JSON.parse(text) as object) }
    },
  }
}

async function close({ gateway, server }: Opened): Promise<void> {
  server.closeAllConnections()
  server.close()
  await gateway.dispose()
}

let issuing: Issuer
let opened: Opened
let ask: Opened['ask']
beforeAll(async () => {
  issuing = await openIssuer()
  opened = await open(issuing.address)
  ask = opened.ask
})
afterAll(async () => {
  await close(opened)
  issuing.close()
})

const ofAda = { data: { notes: { nodes: [{ text: 'Note of ada' }] } } }
const everything = { data: { notes: { nodes: [{ text: 'Note of ada' }, { text: 'Note of bob' }] } } }

describe('a token identifies the viewer', () => {
  test.each(['RS256', 'ES256', 'PS256', 'EdDSA'])('signed with %s, each time it is sent', async (alg) => {
    const token = await issuing.token({}, { alg })
    for (let time = 0; time < 3; time++) expect(await ask(token)).toMatchObject({ status: 200, ...ofAda })
  })

  test('with roles in a list, or separated by spaces', async () => {
    expect(await ask(await issuing.token({ roles: ['support'] }))).toMatchObject(everything)
    expect(await ask(await issuing.token({ roles: 'reader support' }))).toMatchObject(everything)
  })

  test('among several audiences, and with a clock that is a little off', async () => {
    expect(await ask(await issuing.token({ aud: ['other', audience] }, { expiresInS: -3, notBeforeInS: 3 }))).toMatchObject(ofAda)
  })

  test('and another token on the next request identifies another viewer', async () => {
    const [ada, bob] = [await issuing.token(), await issuing.token({ sub: 'bob' })]
    for (const [token, text] of [[ada, 'ada'], [bob, 'bob'], [ada, 'ada'], [bob, 'bob']] as const) expect((await ask(token)).data).toEqual({ notes: { nodes: [{ text: `Note of ${text}` }] } })
  })

  test('however the scheme is written', async () => {
    expect(await ask(undefined, undefined, { authorization: `bearer  ${await issuing.token()}` })).toMatchObject(ofAda)
  })
})

test('without a token, what is open is answered, and what a rule protects is not', async () => {
  for (let time = 0; time < 2; time++) {
    expect(await ask(undefined, '{ words { totalCount } }')).toMatchObject({ status: 200, data: { words: { totalCount: 0 } } })
    expect(await ask(undefined)).toMatchObject({ status: 200, data: null, errors: [{ message: expect.stringMatching(/Query\.notes .*bearer token/) as string, extensions: { code: 'UNAUTHENTICATED' } }] })
  }
})

describe('an invalid token is refused with the reason, also for what is open to everyone', () => {
  test.each<[string, RegExp, () => Promise<string> | string]>([
    ['a token without a signature', /algorithm/, () => forged({ alg: 'none' })],
    ['a signature by the public key as a secret', /algorithm/, () => {
      const unsigned = forged({ alg: 'HS256', kid: 'RS256' }).replace(/\.$/, '')
      return `${unsigned}.${createHmac('sha256', issuing.publicPem).update(unsigned).digest('base64url')}`
    }],
    ['an expired token', /expired/, () => issuing.token({}, { expiresInS: -60 })],
    ['a token that is not valid yet', /nbf/, () => issuing.token({}, { notBeforeInS: 60 })],
    ['a token for another audience', /another audience/, () => issuing.token({ aud: 'bank' })],
    ['a token without an audience', /no audience/, () => issuing.token({ aud: undefined })],
    ['a token of another issuer', /another issuer/, () => issuing.token({ iss: 'https://elsewhere.example' })],
    ['a token that never expires', /no expiry/, () => issuing.token({ exp: undefined })],
    ['a token without a subject', /no viewer id/, () => issuing.token({ sub: undefined })],
    ['a token with an empty subject', /no viewer id/, () => issuing.token({ sub: '' })],
    ['an unknown key', /unknown key/, () => issuing.token({}, { key: issuing.keys.other, kid: 'unknown' })],
    ['an unknown key under a known name', /signature/, () => issuing.token({}, { key: issuing.keys.other, kid: 'RS256' })],
    ['a changed payload', /signature/, async () => {
      const [header, , signature] = (await issuing.token()).split('.')
      return `${header}.${forged({}, { sub: 'bob' }).split('.')[1]}.${signature}`
    }],
    ['garbage', /not a JSON Web Token/, () => 'garbage'],
    ['three parts of garbage', /not a JSON Web Token/, () => 'a.b.c'],
    ['an empty token', /no bearer token/, () => ''],
    ['two tokens', /no bearer token/, async () => `${await issuing.token()} ${await issuing.token()}`],
    ['roles that are not a list', /roles/, () => issuing.token({ roles: { support: true } })],
  ])('%s', async (_, reason, make) => {
    const token = await make()
    for (const query of ['{ words { totalCount } }', '{ notes { nodes { text } } }', 'mutation { deleteNote(input: { id: "note-ada" }) { note { id } } }']) {
      for (let time = 0; time < 2; time++) {
        const { status, challenge, text, errors, data } = await ask(token, query)
        const message = errors?.[0]?.message
        expect(message).toMatch(reason)
        expect({ status, challenge, errors, data }).toEqual({ status: 401, challenge: `Bearer error="invalid_token", error_description="${message}"`, errors: [{ message, extensions: { code: 'UNAUTHENTICATED' } }], data: undefined })
        if (token.length > 10) expect(text).not.toContain(token.slice(0, 10))
      }
    }
  })

  test('another authentication scheme', async () => {
    expect(await ask(undefined, undefined, { authorization: 'Basic YWRhOmFkYQ==' })).toMatchObject({ status: 401, errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
  })

  test('also with tracing on', async () => {
    expect(await ask('garbage', undefined, { 'quire-trace': '1' })).toMatchObject({ status: 401 })
  })
})

test('settings name the claims with the id and the tenant, and every token must have them', async () => {
  const { ask: askTenant, ...tenants } = await open(issuing.address, { id: 'person.id', roles: 'https://login.example/roles', tenant: 'org' })
  expect(await askTenant(await issuing.token({ org: 'one', person: { id: 'bob' } }))).toMatchObject({ data: { notes: { nodes: [{ text: 'Note of bob' }] } } })
  expect(await askTenant(await issuing.token({ org: 'one', person: { id: 'bob' }, 'https://login.example/roles': ['support'] }))).toMatchObject(everything)
  for (const org of [undefined, '', 7, ['one']]) {
    expect(await askTenant(await issuing.token({ org, person: { id: 'bob' } }))).toMatchObject({ status: 401, errors: [{ message: expect.stringContaining('tenant') as string, extensions: { code: 'UNAUTHENTICATED' } }] })
  }
  await close({ ...tenants, ask: askTenant })
})

test('keys can be in a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-keys-'))
  const file = join(folder, 'keys.json')
  writeFileSync(file, issuing.jwks)
  const fromFile = await open(file)
  expect(await fromFile.ask(await issuing.token())).toMatchObject(ofAda)
  await close(fromFile)
  writeFileSync(file, '{ "keys": 1 }')
  await expect(open(file)).rejects.toThrow(`${file} is not a JSON Web Key Set.`)
  await expect(open(join(folder, 'none.json'))).rejects.toThrow(/none\.json.*ENOENT/)
  rmSync(folder, { recursive: true })
})

describe('the key server', () => {
  let other: Issuer
  let served: Opened
  beforeAll(async () => {
    other = await openIssuer()
    served = await open(other.address)
  })
  afterAll(async () => {
    await close(served)
    other.close()
  })

  test('lets nobody in while it is down: requests with a token are told to try again', async () => {
    for (const answers of ['nothing', 'an error', 'no JSON'] as const) {
      const failing = await openIssuer()
      failing.answers = answers
      const without = await open(failing.address)
      const token = await failing.token()
      for (let time = 0; time < 3; time++) {
        expect(await without.ask(token)).toMatchObject({ status: 503, retryAfter: '5', errors: [{ extensions: { code: 'IDENTITY_UNAVAILABLE' } }] })
      }
      // A failed fetch is not repeated for a while.
      if (answers !== 'no JSON') expect(failing.asked()).toBe(1)
      expect(await without.ask(undefined, '{ words { totalCount } }')).toMatchObject({ status: 200 })
      await close(without)
      failing.close()
    }
  })

  test('is not needed for a token that was verified before', async () => {
    const token = await other.token()
    expect(await served.ask(token)).toMatchObject(ofAda)
    other.answers = 'nothing'
    expect(await served.ask(token)).toMatchObject(ofAda)
    other.answers = 'keys'
  })

  test('does not matter to a verified token that expires: it is refused', async () => {
    const token = await other.token({}, { expiresInS: 60 })
    expect(await served.ask(token)).toMatchObject(ofAda)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 71_000 })
    expect(await served.ask(token)).toMatchObject({ status: 401, errors: [{ message: expect.stringContaining('expired') as string }] })
    vi.useRealTimers()
  })

  test('is not asked again for each unknown key', async () => {
    await served.ask(await other.token())
    const before = other.asked()
    for (let number = 0; number < 5; number++) expect(await served.ask(await other.token({}, { key: other.keys.other, kid: `unknown-${number}` }))).toMatchObject({ status: 401 })
    expect(other.asked()).toBe(before)
  })
})
