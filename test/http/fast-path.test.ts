// The fast path, over real sockets: status, headers and body are always those that Yoga would send.

import { request as send, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Gateway } from '../../src/http/gateway-server.ts'
import { createGateway } from '../../src/gateway.ts'
import { createLog } from '../../src/observe/log/log.ts'
import type { Observer, OperationEnd } from '../../src/observe/observers.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { recordingStore, type RecordedCall } from '../read/recording-store.ts'
import { listenOn } from '../over-http.ts'

const typeDefs = `
  type Cage @document(container: "cages") { id: ID!  name: String!  boom: String! @derived  animals: [Animal!]! @snapshot(at: "animals", fields: ["name"]) }
  type Animal @document(container: "animals") { id: ID!  name: String!  legs: Int!  kin: Animal @reference(at: "kinId") }
  extend type Query { zoo: String!  loud(name: String!): String! }`

const stored = {
  cages: [{ id: 'c1', name: 'The "big" one', animals: [{ id: 'lion', name: 'Lion' }] }, { id: 'c2', name: 'Empty', animals: [] }],
  animals: [{ id: 'lion', name: 'Lion', legs: 4, kinId: 'lost' }, { id: 'broken', name: 'Broken' }],
}

function boom(): never {
  throw new Error('boom')
}

interface Open {
  readonly server: Server
  readonly gateway: Gateway
  readonly calls: RecordedCall[]
  /** What observers were told of operations that ended. */
  readonly told: unknown[]
}

async function open(compiles: boolean): Promise<Open> {
  const recorded: RecordedCall[] = []
  const told: unknown[] = []
  const observer: Observer = {
    begin: () => ({ end: (ended) => told.push(summaryOf(ended)) }),
    refuse: ({ request, errors }) => told.push({ id: request.headers.get('x-request-id'), refused: errors.map(({ message }) => message) }),
  }
  const gateway = await createGateway({
    typeDefs, compiles, cursorSecret: 'tests', observers: [observer], log: createLog({ level: 'silent', readable: false }),
    resolvers: { Query: { zoo: (_: unknown, __: unknown, { request }: { request: Request }) => request.headers.get('x-zoo') ?? 'none', loud: (_: unknown, { name }: { name: string }) => name.toUpperCase() } },
    derive: { Cage: { boom } },
    openWrites: true,
    limits: { tokens: 20_000, fields: 3000, aliases: 1000 },
    seed: () => Object.entries(stored).flatMap(([container, bodies]) => bodies.map((body) => ({ kind: 'put', container, key: { partition: [body.id], id: body.id }, body }) as const)),
    store: async (layout) => {
      const { store, calls } = recordingStore(await openMemoryStore(layout))
      Object.defineProperty(recorded, 'now', { value: calls })
      return store
    },
  })
  const { server } = await listenOn(gateway)
  return { server, gateway, told, calls: (recorded as unknown as { now: RecordedCall[] }).now }
}

function summaryOf({ type, name, rows, calls, errors, answered, costReport }: OperationEnd) {
  return {
    type, name, answered, costReport,
    errors: errors.map(({ message }) => message),
    calls: calls.map(({ operation, container, keys, documents, requestCharge }) => ({ operation, container, keys, documents, requestCharge })),
    relations: [...rows()].map(({ field, from, count }) => `${field} ${from} ${count}`).toSorted(),
  }
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

function ask({ server }: Open, body: string | Buffer, { method = 'POST', path = '/graphql', ...headers }: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = send({ port: (server.address() as AddressInfo).port, method, path, headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'x-request-id': 'mine', ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode!, headers: { ...response.headers, date: undefined }, body: Buffer.concat(chunks).toString() }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

let quick: Open
let plain: Open
beforeAll(async () => {
  ;[quick, plain] = await Promise.all([open(true), open(false)])
})
afterAll(async () => {
  for (const { server, gateway } of [quick, plain]) {
    server.closeAllConnections()
    server.close()
    await gateway.dispose()
  }
})

const cages = '{ cages { nodes { id name animals { id name } } } }'

describe('a request is answered, and observed, as Yoga answers it, the first time and later', () => {
  test.each<[string, unknown, Record<string, string>?]>([
    ['a query', { query: cages }],
    ['a query with variables', { query: 'query ($id: ID!) { cage(id: $id) { name } }', variables: { id: 'c1' } }],
    ['null variables', { query: cages, variables: null, operationName: null }],
    ['a named operation', { query: 'query A { cages { totalCount } } query B { animals { totalCount } }', operationName: 'B' }],
    ['another of the same document', { query: 'query A { cages { totalCount } } query B { animals { totalCount } }', operationName: 'A' }],
    ['an unknown operation', { query: 'query A { cages { totalCount } } query B { animals { totalCount } }', operationName: 'C' }],
    ['no operation name where one is needed', { query: 'query A { cages { totalCount } } query B { animals { totalCount } }' }],
    ['a variable of the wrong type', { query: 'query ($id: ID!) { cage(id: $id) { name } }', variables: { id: [] } }],
    ['a missing variable', { query: 'query ($id: ID!) { cage(id: $id) { name } }', variables: {} }],
    ['something that is not there', { query: '{ cage(id: "nowhere") { name } }' }],
    ['a reference to nothing', { query: '{ animal(id: "lion") { kin { name } } }' }],
    ['a value that is missing', { query: '{ animal(id: "broken") { name legs } }' }],
    ['a page that cannot be', { query: '{ cages(first: -1) { totalCount nodes { id } } }' }],
    ['a field that does not exist', { query: '{ lions { id } }' }],
    ['no GraphQL', { query: '{' }],
    ['a query that is a number', { query: 1 }],
    ['variables that are a list', { query: cages, variables: [] }],
    ['more than a query', { query: cages, extensions: { a: 1 } }],
    ['a list', [{ query: cages }]],
    ['a resolver that the schema brings', { query: '{ zoo loud(name: "a") }' }, { 'x-zoo': 'Berlin' }],
    ['a resolver that the schema brings, among others', { query: `{ zoo ${cages.slice(1)}` }, { 'x-zoo': 'Basel' }],
    ['the type names', { query: '{ __typename cages { __typename nodes { __typename } } }' }],
    ['introspection', { query: '{ __schema { queryType { name } } }' }],
    ['an age', { query: cages }, { 'quire-max-stale-ms': '0' }],
    ['an age that is none', { query: cages }, { 'quire-max-stale-ms': 'old' }],
    ['a session', { query: cages }, { 'quire-session': 'abc' }],
    ['another origin', { query: cages }, { origin: 'http://elsewhere' }],
    ['another type of answer', { query: cages }, { accept: 'application/graphql-response+json' }],
    ['a type of answer that nobody has', { query: cages }, { accept: 'image/png' }],
    ['what fetch accepts', { query: cages }, { accept: '*/*' }],
    ['what some clients accept', { query: cages }, { accept: 'application/json, text/plain, */*' }],
    ['another type of body', { query: cages }, { 'content-type': 'text/plain' }],
    ['a character set', { query: cages }, { 'content-type': 'application/json; charset=utf-8' }],
    ['another path', { query: cages }, { path: '/elsewhere' }],
    ['a path with a question', { query: cages }, { path: '/graphql?a=1' }],
    ['another method', { query: cages }, { method: 'PUT' }],
  ])('%s', async (_, body, headers) => {
    const text = JSON.stringify(body)
    plain.told.length = 0
    const expected = await ask(plain, text, headers)
    for (let time = 0; time < 3; time++) {
      quick.told.length = 0
      expect(await ask(quick, text, headers)).toEqual(expected)
      expect(quick.told).toEqual(plain.told)
    }
  })

  test.each([['no JSON', '{"query":'], ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00])], ['a string', '"{ cages { totalCount } }"'], ['null', 'null'], ['white space', '  ']])('%s', async (_, body) => {
    const expected = await ask(plain, body)
    expect(expected.status).toBe(400)
    for (let time = 0; time < 2; time++) expect(await ask(quick, body)).toEqual(expected)
  })
})

/** Both gateways are asked, and have to agree. */
async function both(query: string, id: string): Promise<Answer> {
  const text = JSON.stringify({ query, variables: { id } })
  const [quickly, plainly] = [await ask(quick, text), await ask(plain, text)]
  expect({ ...quickly, headers: { ...quickly.headers, 'quire-session': undefined } }).toEqual({ ...plainly, headers: { ...plainly.headers, 'quire-session': undefined } })
  expect(Boolean(quickly.headers['quire-session'])).toBe(Boolean(plainly.headers['quire-session']))
  return quickly
}

describe('a mutation is carried out once, and answered as Yoga answers it', () => {
  const create = 'mutation ($id: ID!) { createCage(input: { id: $id, name: "New" }) { cage { id name } } }'
  const fails = 'mutation ($id: ID!) { createCage(input: { id: $id, name: "New" }) { cage { id boom } } }'

  test('also when it is known', async () => {
    for (const id of ['m1', 'm2', 'm3']) {
      const { body, headers } = await both(create, id)
      expect(JSON.parse(body)).toEqual({ data: { createCage: { cage: { id, name: 'New' } } } })
      expect(headers['quire-session']).toBeDefined()
    }
  })

  test('also when it is refused', async () => {
    for (let time = 0; time < 3; time++) expect((await both(create, 'c1')).body).toContain('CONFLICT')
  })

  test('also when its answer fails after it has been carried out', async () => {
    // Carried out a second time, it would be refused because the cage is there.
    for (const id of ['m4', 'm5', 'm6']) {
      const { body } = await both(fails, id)
      expect(body).toContain('INTERNAL_SERVER_ERROR')
      expect(body).not.toContain('CONFLICT')
    }
    expect((await both('query ($id: ID!) { cage(id: $id) { id } cages { totalCount } }', 'm6')).body).toBe('{"data":{"cage":{"id":"m6"},"cages":{"totalCount":8}}}')
  })
})

test('a request that goes on to Yoga keeps its request id', async () => {
  const seen: string[] = []
  const observer: Observer = { begin: ({ request }) => void seen.push(request.headers.get('x-request-id') ?? 'none') }
  const gateway = await createGateway({ typeDefs, derive: { Cage: { boom } }, resolvers: { Query: { zoo: () => 'none', loud: () => 'none' } }, store: openMemoryStore, cursorSecret: 'tests', observers: [observer], log: createLog({ level: 'silent', readable: false }) })
  const { server, closeServer } = await listenOn(gateway)
  const { headers } = await ask({ server, gateway, calls: [], told: [] }, JSON.stringify({ query: '{ cages { totalCount } }' }), { 'x-request-id': '' })
  expect(seen).toEqual([headers['x-request-id']])
  closeServer()
  await gateway.dispose()
})

test('a known query reads each document once, also on the fast path', async () => {
  const text = JSON.stringify({ query: '{ cages { nodes { animals { legs } } } }' })
  const calls: string[][] = []
  for (let time = 0; time < 3; time++) {
    quick.calls.length = 0
    await ask(quick, text)
    calls.push(quick.calls.map(({ method, container }) => `${method} ${container}`))
  }
  for (const made of calls) expect(made).toEqual(['query cages', 'readMany animals'])
})

test('a large answer and a body in many pieces arrive whole', async () => {
  const query = `{ ${Array.from({ length: 900 }, (_, at) => `cage${at}: cage(id: "c1") { id name }`).join(' ')} }`
  const text = JSON.stringify({ query })
  const [expected, first, second] = [await ask(plain, text), await ask(quick, text), await ask(quick, text)]
  expect(Object.keys((JSON.parse(expected.body) as { data: object }).data)).toHaveLength(900)
  expect([first, second]).toEqual([expected, expected])
})
