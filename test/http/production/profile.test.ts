// What production hides and refuses, next to what development allows.

import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeIn, serve, type Answer, type Sent, type Served } from './serve.ts'

let quick: Served
let plain: Served
let open: Served
let friendly: Served
beforeAll(async () => {
  ;[quick, plain, open, friendly] = await Promise.all([
    serve(), serve({ compiles: false }), serve({ origins: ['https://shop.example', 'http://localhost:5173'] }), serve({ development: true }),
  ])
})
afterAll(() => Promise.all([quick, plain, open, friendly].map((served) => served.close())))

const json = { 'content-type': 'application/json' }
const cages = '{ cages { totalCount } }'
const write = 'mutation { createKeeper(input: { id: "k9", name: "Eve" }) { keeper { id } } }'

describe('introspection', () => {
  test.each(['{ __schema { queryType { name } } }', '{ __type(name: "Cage") { name } }', '{ ...F } fragment F on Query { __schema { types { name } } }', '{ named: __schema { types { name } } }', 'mutation { __typename ... on Mutation { __type(name: "Cage") { name } } }'])('%s is refused', async (query) => {
    for (const served of [quick, plain]) {
      for (let time = 0; time < 2; time++) {
        const answer = await served.ask(query)
        expect(answer.data).toBeUndefined()
        expect(answer.errors!.map(({ extensions }) => extensions.code)).toContain('INTROSPECTION_DISABLED')
      }
    }
  })

  test('is refused with a hint where to get the schema', async () => {
    expect((await quick.ask('{ __schema { queryType { name } } }')).errors).toEqual([{
      message: expect.stringContaining('quire schema') as string, locations: [{ line: 1, column: 3 }], extensions: { code: 'INTROSPECTION_DISABLED' },
    }])
  })

  test('does not include __typename', async () => {
    for (let time = 0; time < 2; time++) expect((await quick.ask('{ __typename cage(id: "c1") { __typename } }')).data).toEqual({ __typename: 'Query', cage: { __typename: 'Cage' } })
  })

  test('is answered in development, and if the option is set', async () => {
    expect((await friendly.ask('{ __schema { queryType { name } } }')).data).toEqual({ __schema: { queryType: { name: 'Query' } } })
    const told = await serve({ introspection: true })
    expect((await told.ask('{ __schema { queryType { name } } }')).data).toEqual({ __schema: { queryType: { name: 'Query' } } })
    await told.close()
  })
})

describe('errors do not suggest names', () => {
  test.each<[string, string, object?]>([
    ['a field', '{ cage(id: "c1") { nam } }'],
    ['an argument', '{ cages(frst: 1) { totalCount } }'],
    ['an argument of a directive', '{ told @skip(iff: true) }'],
    ['an inline fragment', '{ cage(id: "c1") { ... on Cag { id } } }'],
    ['a fragment', '{ cage(id: "c1") { ...F } } fragment F on Cagee { id }'],
    ['the type of a variable', 'query ($m: Mod) { told(mood: $m) }'],
    ['a value of an enum', '{ told(mood: HAPY) }'],
    ['a value of an enum as text', '{ told(mood: "HAPPY") }'],
    ['a value of an enum in a list', '{ told(moods: [HAPPI]) }'],
    ['a field of an input', 'mutation { createKeeper(input: { id: "k", nam: "Eve" }) { keeper { id } } }'],
    ['a field without its own', '{ cages }'],
    ['a variable of an enum', 'query ($m: Mood) { told(mood: $m) }', { m: 'HAPY' }],
    ['a variable of an enum in a list', 'query ($m: [Mood!]) { told(moods: $m) }', { m: ['HAPI'] }],
    ['a variable of an input', 'mutation ($i: CreateKeeperInput!) { createKeeper(input: $i) { keeper { id } } }', { i: { id: 'k', nam: 'Eve', name: 'Eve' } }],
  ])('%s', async (_, query, variables) => {
    for (const served of [quick, plain]) {
      for (let time = 0; time < 2; time++) {
        const { text, errors } = await served.ask(query, variables)
        expect(errors!.length).toBeGreaterThan(0)
        expect(text).not.toMatch(/did you mean/i)
      }
    }
    // Otherwise this test would show nothing.
    expect((await friendly.ask(query, variables)).text).toMatch(/Did you mean/)
  })

  test('of a subscription either', async () => {
    const sent = { headers: { ...json, accept: 'text/event-stream' }, body: JSON.stringify({ query: 'subscription ($m: Mood) { cageOpened(mood: $m) { id } }', variables: { m: 'HAPY' } }) }
    expect((await quick.send(sent)).text).toMatch(/Value \\"HAPY\\" does not exist in \\"Mood\\" enum\."/)
    expect((await friendly.send(sent)).text).toMatch(/Did you mean/)
  })

  test('and validation stops after some errors', async () => {
    const { errors } = await quick.ask(`{ ${Array.from({ length: 100 }, (_, at) => `no${at}`).join(' ')} }`)
    expect(errors!.length).toBeLessThanOrEqual(21)
  })
})

describe('what a page of another site can make a browser send', () => {
  const fields = `query=${encodeURIComponent(write)}`
  const boundary = `--b\r\ncontent-disposition: form-data; name="operations"\r\n\r\n${JSON.stringify({ query: write })}\r\n--b\r\ncontent-disposition: form-data; name="map"\r\n\r\n{}\r\n--b--\r\n`
  const sent: [string, Sent][] = [
    ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: fields }],
    ['a form with files', { headers: { 'content-type': 'multipart/form-data; boundary=b' }, body: boundary }],
    ['plain text', { headers: { 'content-type': 'text/plain' }, body: JSON.stringify({ query: write }) }],
    ['plain text that mentions JSON', { headers: { 'content-type': 'text/plain; application/json' }, body: JSON.stringify({ query: write }) }],
    ['no type at all', { body: JSON.stringify({ query: write }) }],
  ]
  test.each(sent)('%s is refused', async (_, request) => {
    for (const served of [quick, plain, open, friendly]) {
      expect(await served.send(request)).toMatchObject({
        status: 415, errors: [{ message: expect.stringContaining('content-type: application/json') as string, extensions: { code: 'UNSUPPORTED_MEDIA_TYPE' } }],
      })
      expect((await served.ask('{ keeper(id: "k9") { id } }')).data).toEqual({ keeper: null })
    }
  })

  test('a link is refused', async () => {
    for (const served of [quick, plain, open]) {
      expect(await served.send({ method: 'GET', path: `/graphql?query=${encodeURIComponent(cages)}` })).toMatchObject({
        status: 403, errors: [{ message: expect.stringContaining('graphql-require-preflight: 1') as string, extensions: { code: 'PREFLIGHT_REQUIRED' } }],
      })
    }
  })

  test('a link is followed in development', async () => {
    expect(await friendly.send({ method: 'GET', path: `/graphql?query=${encodeURIComponent(cages)}` })).toMatchObject({ status: 200, data: { cages: { totalCount: 2 } } })
  })

  test.each([['graphql-require-preflight', '1'], ['apollo-require-preflight', 'true'], ['x-apollo-operation-name', 'Q'], ['x-graphql-yoga-csrf', '1'], ['content-type', 'application/json']])('a GET with %s is answered, unless it writes', async (name, value) => {
    for (const served of [quick, plain]) {
      expect(await served.send({ method: 'GET', path: `/graphql?query=${encodeURIComponent(cages)}`, headers: { [name]: value } })).toMatchObject({ status: 200, data: { cages: { totalCount: 2 } } })
      expect(await served.send({ method: 'GET', path: `/graphql?query=${encodeURIComponent(write)}`, headers: { [name]: value } })).toMatchObject({ status: 405, errors: [{ extensions: { code: 'BAD_REQUEST' } }] })
    }
  })
})

test.each(['gzip', 'br', 'deflate, gzip', 'GZIP', 'unheard-of'])('a body with content-encoding %s is refused as such', async (encoding) => {
  for (const served of [quick, plain, friendly]) {
    expect(await served.send({ headers: { ...json, 'content-encoding': encoding }, body: gzipSync(JSON.stringify({ query: cages })) })).toMatchObject({
      status: 415, errors: [{ message: expect.stringContaining('without content-encoding') as string, extensions: { code: 'UNSUPPORTED_MEDIA_TYPE' } }],
    })
    expect((await served.post({ query: cages }, { 'content-encoding': 'identity' })).data).toEqual({ cages: { totalCount: 2 } })
  }
})

function askFrom(served: Served, origin: string): Promise<Answer> {
  return served.post({ query: cages }, { origin })
}

function preflight(served: Served, origin: string): Promise<Answer> {
  return served.send({ method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type, authorization' } })
}

/** The CORS headers of an answer. */
function corsOf({ headers }: Answer): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control') || name === 'vary'))
}

describe('pages of other sites', () => {
  test('get no CORS headers in production', async () => {
    for (const served of [quick, plain]) {
      for (const origin of ['https://evil.example', 'null']) {
        expect(corsOf(await preflight(served, origin))).toEqual({})
        for (let time = 0; time < 2; time++) expect(corsOf(await askFrom(served, origin))).toEqual({})
        expect(corsOf(await served.send({ method: 'GET', path: '/', headers: { origin } }))).toEqual({ vary: 'accept-encoding' })
      }
    }
  })

  test('may read answers when they are on the list, without cookies', async () => {
    expect(await preflight(open, 'https://shop.example')).toMatchObject({ status: 204 })
    expect(corsOf(await preflight(open, 'https://shop.example'))).toEqual({
      'access-control-allow-origin': 'https://shop.example', 'access-control-allow-methods': 'GET, POST', 'access-control-allow-headers': 'content-type, authorization', 'access-control-max-age': '600',
      'access-control-expose-headers': 'quire-session, x-request-id', vary: 'origin',
    })
    for (let time = 0; time < 2; time++) {
      const answer = await askFrom(open, 'http://localhost:5173')
      expect(answer.data).toEqual({ cages: { totalCount: 2 } })
      expect(corsOf(answer)).toEqual({ 'access-control-allow-origin': 'http://localhost:5173', 'access-control-expose-headers': 'quire-session, x-request-id', vary: 'origin' })
    }
  })

  test.each(['https://evil.example', 'null', 'https://shop.example.evil.example', 'http://shop.example', 'https://SHOP.example'])('%s is not on it', async (origin) => {
    expect(corsOf(await preflight(open, origin))).toEqual({ vary: 'origin' })
    expect(corsOf(await askFrom(open, origin))).toEqual({ vary: 'origin' })
  })

  test('answers vary by origin, also for requests without one', async () => {
    for (let time = 0; time < 2; time++) expect(corsOf(await open.ask(cages))).toEqual({ vary: 'origin' })
  })

  test.each(['http://localhost:5173', 'https://shop.localhost', 'http://127.0.0.1:3000', 'http://[::1]:3000'])('%s may read and write in development, without cookies', async (origin) => {
    expect(corsOf(await askFrom(friendly, origin))).toEqual({ 'access-control-allow-origin': origin, 'access-control-expose-headers': 'quire-session, x-request-id', vary: 'origin' })
    expect(await preflight(friendly, origin)).toMatchObject({ status: 204, headers: { 'access-control-allow-headers': 'content-type, authorization' } })
  })

  test.each(['https://any.example', 'null', 'http://localhost.evil.example', 'http://127.0.0.1.evil.example', 'http://evil.example:4000'])('%s may neither read nor write in development, and learns why', async (origin) => {
    expect(corsOf(await askFrom(friendly, origin))).toEqual({ vary: 'origin' })
    const refused = await preflight(friendly, origin)
    expect(refused).toMatchObject({ status: 403, errors: [{ message: expect.stringContaining('QUIRE_ORIGINS') as string, extensions: { code: 'FORBIDDEN' } }] })
    expect(corsOf(refused)).toEqual({ vary: 'origin' })
  })

  test('may all read if the option says so, and those of the host that was asked in development', async () => {
    const all = await serve({ development: true, origins: 'any' })
    expect(corsOf(await askFrom(all, 'https://any.example'))).toEqual({ 'access-control-allow-origin': '*', 'access-control-expose-headers': 'quire-session, x-request-id' })
    await all.close()
    expect(corsOf(await friendly.post({ query: cages }, { origin: 'http://192.0.2.7:5173', host: '192.0.2.7:4000' }))).toMatchObject({ 'access-control-allow-origin': 'http://192.0.2.7:5173' })
  })
})

describe('headers', () => {
  test('forbid caching an answer or sniffing its type', async () => {
    for (const served of [quick, plain, friendly]) {
      for (const sent of [{ headers: json, body: JSON.stringify({ query: cages }) }, { headers: json, body: '{' }, { method: 'GET', path: '/nowhere' }, { method: 'GET', path: '/health' }]) {
        for (let time = 0; time < 2; time++) expect((await served.send(sent)).headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      }
    }
  })

  test.each(['/', '/docs'])('forbid the page at %s everything it does not need', async (path) => {
    for (const served of [quick, plain, friendly]) {
      const { status, headers } = await served.send({ method: 'GET', path })
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      })
    }
  })

  test('let GraphiQL write its own styles, and nothing else', async () => {
    const { headers } = await friendly.send({ method: 'GET', path: '/graphql', headers: { accept: 'text/html' } })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'( 'unsafe-inline')?;.*frame-ancestors 'none'$/)
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
  })

  test('and there is no GraphiQL in production', async () => {
    expect(await quick.send({ method: 'GET', path: '/graphql', headers: { accept: 'text/html' } })).toMatchObject({ status: 406, text: '' })
  })
})

describe('an exception in a resolver', () => {
  test('is masked, with a code and the request id', async () => {
    for (const served of [quick, plain]) {
      for (let time = 0; time < 2; time++) {
        const { text, errors } = await served.ask('{ fails }')
        expect(errors).toEqual([{ message: 'Unexpected error.', path: ['fails'], locations: [{ line: 1, column: 3 }], extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'mine' } }])
        expect(text).not.toContain('swordfish')
      }
    }
  })

  test('is masked whatever NODE_ENV says', async () => {
    const before = process.env['NODE_ENV']
    process.env['NODE_ENV'] = 'development'
    try {
      expect((await plain.ask('{ fails }')).text).not.toContain('swordfish')
    } finally {
      process.env['NODE_ENV'] = before
    }
  })
})

test('a known operation with an origin is answered the same on the fast path and by Yoga, if no origin is allowed', async () => {
  expect(codeIn(await quick.post({ query: '{ nothing }' }, { origin: 'https://x.example' }))).toBe('GRAPHQL_VALIDATION_FAILED')
  const answers = [await plain.post({ query: cages }, { origin: 'https://x.example' })]
  for (let time = 0; time < 3; time++) answers.push(await quick.post({ query: cages }, { origin: 'https://x.example' }))
  for (const answer of answers) expect(answer).toEqual(answers[0])
})
