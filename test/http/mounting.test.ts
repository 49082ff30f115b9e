// A gateway inside another server: below a path, after middleware that has cut the path, read the body or authenticated the
// viewer, and with requests as Express and Fastify pass them on. examples/servers runs in these frameworks themselves.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { createGunzip, gzipSync } from 'node:zlib'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { Operations } from '../../src/execute/operations.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import type { Gateway } from '../../src/http/gateway-server.ts'
import { createLog } from '../../src/observe/log/log.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'

const typeDefs = `
  type Note @document(container: "notes") @readable(owner: "writer") @writable(owner: "writer") { id: ID! text: String! writer: String! @indexed }
  type Sign @document(container: "signs") @writable(roles: ["editor"]) { id: ID! text: String! }`

const log = createLog({ level: 'silent', readable: false })

async function open(options: Partial<GatewayOptions> = {}): Promise<Gateway> {
  const gateway = await createGateway({
    typeDefs, store: openMemoryStore, log, seed: () => [
      { kind: 'put', container: 'signs', key: { partition: ['s1'], id: 's1' }, body: { id: 's1', text: 'Do not feed' } },
      { kind: 'put', container: 'notes', key: { partition: ['n1'], id: 'n1' }, body: { id: 'n1', text: 'Fed', writer: 'ada' } },
    ],
    ...options,
  })
  afterAll(() => gateway.dispose())
  return gateway
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function ask(address: string, query: string, headers: Record<string, string> = {}): Promise<unknown> {
  return (await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify({ query }) })).json()
}

const query = '{ sign(id: "s1") { text } }'
const answer = { data: { sign: { text: 'Do not feed' } } }

const begun = vi.spyOn(Operations.prototype, 'begin')
afterEach(() => begun.mockClear())

/** Whether the operation was answered without Yoga. The first request makes it known. */
async function takesFastPath(address: string, headers: Record<string, string> = {}): Promise<boolean> {
  expect(await ask(address, query, headers)).toEqual(answer)
  begun.mockClear()
  expect(await ask(address, query, headers)).toEqual(answer)
  return begun.mock.calls.length === 0
}

const gateway = await open()

describe.each(['', '/api', '/a/b-c.d/v1'])('below %j', (mount) => {
  test('operations are answered, on the fast path', async () => {
    const address = await serve(gateway)
    expect(await takesFastPath(`${address}${mount}/graphql`)).toBe(true)
    expect(await ask(`${address}${mount}/graphql/`, query)).toEqual(answer)
    expect(await (await fetch(`${address}${mount}/graphql?${new URLSearchParams({ query }).toString()}`, { headers: { 'graphql-require-preflight': '1' } })).json()).toEqual(answer)
  })

  test('probes are answered, and metrics tell them apart', async () => {
    const observed = await open({ openMetrics: true })
    for (const path of ['health', 'ready', 'graphql?query=%7B__typename%7D']) expect((await observed.fetch(`http://zoo${mount}/${path}`, { headers: { 'graphql-require-preflight': '1' } })).status).toBe(200)
    const metrics = await (await observed.fetch(`http://zoo${mount}/metrics`)).text()
    expect([...metrics.matchAll(/_count\{route="(\w+)"/g)].map(([, route]) => route)).toEqual(['health', 'ready', 'graphql'])
  })

  test.each(['', '/'])('GraphiQL finds its files from …/graphql%s', async (slash) => {
    const developed = await open({ development: true })
    const page = `http://zoo${mount}/graphql${slash}`
    const links = [...(await (await developed.fetch(page, { headers: { accept: 'text/html' } })).text()).matchAll(/(?:src|href)="(\.[^"]+)"/g)].map(([, link]) => new URL(link!, page))
    expect(links.length).toBeGreaterThan(1)
    for (const link of links) expect((await developed.fetch(link)).status).toBe(200)
  })
})

test('a path that nothing is served at is answered with the one that is meant', async () => {
  const response = await gateway.fetch('http://zoo/api', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ errors: [{ message: expect.stringContaining('/graphql'), extensions: { code: 'NOT_FOUND' } }] })
})

describe('as Express passes requests on', () => {
  test('the path that it is mounted at does not matter', async () => {
    const address = await serve((request, response) => gateway(cut(request), response, next))
    expect(await takesFastPath(`${address}/api/graphql`)).toBe(true)
    expect((await fetch(`${address}/api/health`)).status).toBe(200)
  })

  test('a body that was parsed before is used', async () => {
    const address = await serve((request, response) => void parsed(request).then((read) => gateway(read, response, next)))
    expect(await takesFastPath(`${address}/graphql`)).toBe(true)
    begun.mockClear()
    expect(await takesFastPath(`${address}/graphql`, { 'quire-trace': '0' })).toBe(false)
    expect(await (await fetch(`${address}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })).json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] })
  })

  test('a body that was decompressed before is used, whatever its header still says', async () => {
    const address = await serve((request, response) => void inflated(request).then((read) => gateway(read, response, next)))
    const response = await fetch(`${address}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body: gzipSync(JSON.stringify({ query })) })
    expect(await response.json()).toEqual(answer)
  })

  test('a body that was read and thrown away is an error that says so', async () => {
    const address = await serve((request, response) => void json(request).then(() => gateway(request, response, next)))
    const response = await fetch(`${address}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ errors: [{ message: expect.stringContaining('body'), extensions: { code: 'INTERNAL_SERVER_ERROR' } }] })
  })

  test('headers that were set before are sent', async () => {
    const address = await serve((request, response) => gateway(request, response.setHeader('x-before', 'kept'), next))
    for (let times = 0; times < 2; times++) {
      const response = await fetch(`${address}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })
      expect(response.headers.get('x-before')).toBe('kept')
    }
  })
})

describe('as Fastify passes requests on', () => {
  test('the parsed body is used, headers are sent, and the reply is taken over', async () => {
    const hijack = vi.fn()
    const address = await serve((raw, response) => void wrapped(raw, response, hijack).then(({ request, reply }) => gateway(request, reply)))
    expect(await takesFastPath(`${address}/api/graphql`)).toBe(true)
    expect((await fetch(`${address}/api/health`)).headers.get('x-before')).toBe('kept')
    expect(hijack).toHaveBeenCalledTimes(3)
  })
})

describe('fetch', () => {
  test('takes a Request and returns a Response of the platform', async () => {
    const response = await gateway.fetch(new Request('http://zoo/api/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) }))
    expect(response).toBeInstanceOf(Response)
    expect(await response.json()).toEqual(answer)
  })

  test('answers without a body', async () => {
    const response = await gateway.fetch(new Request('http://zoo/health', { method: 'HEAD' }))
    expect([response.status, response.body]).toEqual([200, null])
  })
})

describe("identity: 'server'", () => {
  const notes = '{ notes { nodes { text } } }'
  const create = 'mutation { createSign(input: { id: "s2", text: "Open" }) { sign { text } } }'

  test.each(['production', 'development'])('applies the rules to the viewer that is given, in %s', async (profile) => {
    const guarded = await open({ identity: 'server', development: profile === 'development' })
    const address = await serve((request, response) => {
      const id = request.headers['x-user'] as string | undefined
      guarded(request, response, { viewer: id === undefined ? undefined : { id, roles: id === 'eve' ? ['editor'] : [] } })
    })
    for (let times = 0; times < 3; times++) {
      expect(await ask(`${address}/graphql`, notes, { 'x-user': 'ada' })).toMatchObject({ data: { notes: { nodes: [{ text: 'Fed' }] } } })
      expect(await ask(`${address}/graphql`, notes, { 'x-user': 'bob' })).toMatchObject({ data: { notes: { nodes: [] } } })
      expect(await ask(`${address}/graphql`, notes)).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
    }
    expect(await ask(`${address}/graphql`, create, { 'x-user': 'ada' })).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
    expect(await ask(`${address}/graphql`, create, { 'x-user': 'eve' })).toMatchObject({ data: { createSign: { sign: { text: 'Open' } } } })
  })

  test('works with fetch', async () => {
    const guarded = await open({ identity: 'server' })
    const of = async (id?: string): Promise<unknown> => (await guarded.fetch(
      new Request('http://zoo/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: notes }) }),
      { viewer: id === undefined ? null : { id } },
    )).json()
    expect(await of('ada')).toMatchObject({ data: { notes: { nodes: [{ text: 'Fed' }] } } })
    expect(await of('bob')).toMatchObject({ data: { notes: { nodes: [] } } })
    expect(await of()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
  })

  test('a viewer that nothing would look at, or without an id, is a mistake', async () => {
    const request = new Request('http://zoo/graphql')
    await expect(gateway.fetch(request, { viewer: { id: 'ada' } })).rejects.toThrow("identity: 'server'")
    const guarded = await open({ identity: 'server' })
    await expect(guarded.fetch(request, { viewer: { id: '' } })).rejects.toThrow('no id')
  })
})

describe('dispose', () => {
  test('answers what runs, and ends subscriptions', async () => {
    const started = Promise.withResolvers<void>()
    const release = Promise.withResolvers<string>()
    const closing = await createGateway({
      typeDefs: `${typeDefs} extend type Query { slow: String! } type Subscription { ticks: Sign! }`, store: openMemoryStore, log, openReads: true,
      resolvers: {
        Query: { slow: () => { started.resolve(); return release.promise } },
        Subscription: { ticks: { subscribe: (_: unknown, __: unknown, { quire }: { quire: { changes: { of(type: string): AsyncIterable<unknown> } } }) => quire.changes.of('Sign') } },
      },
    })
    const address = await serve(closing)
    const events = await fetch(`${address}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'text/event-stream' }, body: JSON.stringify({ query: 'subscription { ticks { id } }' }) })
    const running = ask(`${address}/graphql`, '{ slow sign(id: "s1") { id } }')
    await started.promise
    const disposed = closing.dispose()
    release.resolve('done')
    expect(await running).toEqual({ data: { slow: 'done', sign: null } })
    expect(await events.text()).toContain('event: complete')
    await disposed
  })
})

/** Express cuts the path that a handler is mounted at, and keeps the whole one. */
function cut(request: IncomingMessage): IncomingMessage {
  return Object.assign(request, { originalUrl: request.url, url: '/' })
}

async function parsed(request: IncomingMessage): Promise<IncomingMessage> {
  return Object.assign(request, { body: await json(request) })
}

function next(): void {
  expect.unreachable()
}

async function wrapped(raw: IncomingMessage, response: ServerResponse, hijack: () => void) {
  return {
    request: { raw, body: raw.method === 'POST' ? await json(raw) : undefined },
    reply: { raw: response, hijack, getHeaders: () => ({ 'x-before': 'kept' }) },
  }
}

/** As body parsers do it. */
async function inflated(request: IncomingMessage): Promise<IncomingMessage> {
  return Object.assign(request, { body: await json(request.pipe(createGunzip())) })
}
