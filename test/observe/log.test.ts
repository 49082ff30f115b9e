// The log: one line for each request, with its id, and without secrets, variables or documents.

import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import { createLog } from '../../src/observe/log/log.ts'
import type { LogLevel } from '../../src/observe/log/log-level.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { StoreUnavailableError } from '../../src/store/store-errors.ts'
import { listenOn } from '../over-http.ts'
import { openZoo, type Zoo } from './zoo.ts'

type Line = Record<string, unknown>

async function open(level: LogLevel = 'info', options: Parameters<typeof openZoo>[0] = {}): Promise<Zoo & { lines: Line[]; text: () => string }> {
  const written: string[] = []
  const log = createLog({ level, readable: false, secrets: ['hunter2/=='], to: { write: (line) => written.push(line) } })
  const zoo = await openZoo({ log, ...options })
  return { ...zoo, get lines() { return written.map((line) => JSON.parse(line) as Line) }, text: () => written.join('') }
}

describe('a request', () => {
  test('is one line with the cost of its operation', async () => {
    const zoo = await open()
    const { costReport } = await zoo.ask('query Heavy { cages { nodes { beasts { weight } } } }', { headers: { 'quire-trace': '1', 'x-request-id': 'r-1' } })
    expect(zoo.lines).toEqual([{
      level: 'info', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string, requestId: 'r-1', method: 'POST', path: '/graphql', status: 200, durationMs: expect.any(Number) as number,
      operation: 'query', operationName: 'Heavy', roundTrips: costReport.made.roundTrips, requestCharge: costReport.made.requestCharge, estimated: true, msg: 'answered',
    }])
  })

  test("is the same line for a logger of the program's own, which takes fields", async () => {
    const given: unknown[] = []
    const write = (fields: object, msg: string): void => void given.push({ ...fields, msg })
    const [ours, theirs] = [await open(), await openZoo({ log: { debug: write, info: write, warn: write, error: write, isLevelEnabled: () => true } })]
    for (const zoo of [ours, theirs]) {
      for (const path of ['/a"b%40c/\\d', '/docs', '/docs', '/health']) await (await zoo.get(path, { headers: { 'x-request-id': 'r-1' } })).text()
      for (const query of ['query Named { cages { nodes { size } } }', '{ cage(id: "c1") { keeper { name } } }', '{ lions }', 'query Named { cage(id: "c1") { size } }']) await zoo.ask(query, { headers: { 'x-request-id': 'r=2' } })
    }
    const lines = ours.lines.map(({ level: _, time: __, ...fields }) => fields)
    expect(lines.length).toBeGreaterThan(6)
    const isTimed = { durationMs: expect.any(Number) as number }
    // A probe is only for those that write at debug level.
    expect(given.filter((line) => (line as Line)['path'] !== '/health')).toEqual(lines.map((line) => ('durationMs' in line ? { ...line, ...isTimed } : line)))
  })

  test('that is refused has the code, and one for a page its path', async () => {
    const zoo = await open()
    await zoo.ask('{ lions }')
    await (await zoo.get('/docs?really=yes')).text()
    await (await zoo.get(`/${'x'.repeat(5000)}`)).text()
    expect(zoo.lines).toMatchObject([
      { status: 200, errors: ['GRAPHQL_VALIDATION_FAILED'] },
      { method: 'GET', path: '/docs', status: 200 },
      { status: 404, path: `/${'x'.repeat(199)}` },
    ])
  })

  test('of a probe is logged at debug level', async () => {
    const [info, debug] = [await open('info'), await open('debug', { openMetrics: true })]
    for (const path of ['/health', '/ready', '/metrics']) {
      await info.get(path)
      await debug.get(path)
    }
    expect(info.lines.map(({ path }) => path)).toEqual([])
    expect(debug.lines).toMatchObject(['/health', '/ready', '/metrics'].map((path) => ({ level: 'debug', path, status: 200, requestId: expect.any(String) as string })))
  })

  test('with status 500 or above is a warning', async () => {
    const zoo = await open('warn', { store: async (layout) => ({ ...(await openMemoryStore(layout)), ping: () => Promise.reject(new Error('No.')) }) })
    await zoo.get('/ready')
    await zoo.ask('{ __typename }')
    expect(zoo.lines).toMatchObject([{ level: 'warn', method: 'GET', path: '/ready', status: 503, requestId: expect.any(String) as string }])
  })
})

test('an operation that begins on the fast path and ends in Yoga has its cost and its errors in the line', async () => {
  const written: string[] = []
  const gateway = await createGateway({
    typeDefs: 'type Beast @document(container: "beasts") { id: ID! }  extend type Query { fails: String }', resolvers: { Query: { fails: () => Promise.reject(new Error('No.')) } },
    store: openMemoryStore, openReads: true, log: createLog({ level: 'info', readable: false, to: { write: (line) => written.push(line) } }),
  })
  const { port, closeServer } = await listenOn(gateway)
  const body = JSON.stringify({ query: 'query Both { beasts { nodes { id } } fails }' })
  for (let time = 0; time < 3; time++) await (await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json', accept: '*/*' }, body })).text()
  closeServer()
  await gateway.dispose()
  const answered = written.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === 'answered')
  expect(answered).toMatchObject(Array.from({ length: 3 }, () => ({ operation: 'query', operationName: 'Both', roundTrips: 1, requestCharge: expect.any(Number) as number, errors: ['INTERNAL_SERVER_ERROR'] })))
})

describe('an error that operators have to look into', () => {
  test('is logged with the id that the answer quotes', async () => {
    const zoo = await open()
    const { errors, headers } = await zoo.ask('{ cage(id: "c1") { trouble } }')
    const requestId = headers.get('x-request-id')
    expect(errors).toMatchObject([{ message: 'Unexpected error.', extensions: { code: 'INTERNAL_SERVER_ERROR', requestId } }])
    expect(zoo.lines).toMatchObject([
      { level: 'error', requestId, code: 'INTERNAL_SERVER_ERROR', at: 'cage.trouble', err: { type: 'Error', message: 'Cage trouble with Authorization: Bearer [hidden]' } },
      { level: 'info', requestId, errors: ['INTERNAL_SERVER_ERROR'] },
    ])
  })

  test('is logged without the value and the id, if a document does not fit its schema', async () => {
    const zoo = await open('error')
    const { errors } = await zoo.ask('{ cage(id: "odd") { size } }')
    expect(errors).toMatchObject([{ extensions: { code: 'DOCUMENT_INVALID', requestId: expect.any(String) as string } }])
    expect(zoo.lines).toMatchObject([{ level: 'error', code: 'DOCUMENT_INVALID', at: 'cage.size', reason: expect.stringContaining('Cage.size is a string') as string }])
    expect(zoo.text()).not.toMatch(/topsecret|odd/)
  })

  test('is a warning if the store did not answer', async () => {
    const zoo = await open('warn', { store: async (layout) => ({ ...(await openMemoryStore(layout)), query: () => Promise.reject(new StoreUnavailableError('Throttled.')) }) })
    const { errors } = await zoo.ask('{ cages { totalCount nodes { id } } }')
    expect(errors).toMatchObject([{ extensions: { code: 'STORE_UNAVAILABLE', requestId: expect.any(String) as string } }])
    expect(zoo.lines).toMatchObject([{ level: 'warn', code: 'STORE_UNAVAILABLE', reason: 'Throttled.' }])
  })

  test('is not a mistake of the client', async () => {
    const zoo = await open('warn')
    const { errors } = await zoo.ask('mutation { updateBeast(input: { id: "nobody", name: "X" }) { beast { id } } }')
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }])
    expect(errors![0]!.extensions).not.toHaveProperty('requestId')
    expect(zoo.lines).toEqual([])
  })

  test('in an event is logged with the id of the subscription\'s request', async () => {
    const zoo = await open('error', { followEveryMs: 1, resolvers: { Subscription: { beastChanged: { subscribe: async function* () { yield 1 }, resolve: () => { throw new Error('No beast.') } } } } })
    const response = await zoo.get('/graphql?query=' + encodeURIComponent('subscription { beastChanged { name } }'), { headers: { accept: 'text/event-stream', 'x-request-id': 'events', 'graphql-require-preflight': '1' } })
    expect(await response.text()).toContain('"extensions":{"code":"INTERNAL_SERVER_ERROR","requestId":"events"}')
    expect(zoo.lines).toMatchObject([{ requestId: 'events', code: 'INTERNAL_SERVER_ERROR', err: { message: 'No beast.' } }])
  })
})

test('no line has a variable, a document, a header or the query of a URL', async () => {
  const zoo = await open('debug')
  const headers = { authorization: 'Bearer topsecret', cookie: 'session=topsecret' }
  await zoo.ask('query ($id: ID!) { cage(id: $id) { size beasts { name } } }', { variables: { id: 'odd' }, headers })
  await zoo.ask('mutation ($input: CreateBeastInput!) { createBeast(input: $input) { beast { name } } }', { variables: { input: { id: 'topsecret', name: 'topsecret', weight: 1 } }, headers })
  await zoo.ask('mutation ($input: UpdateBeastInput!) { updateBeast(input: $input) { beast { name } } }', { variables: { input: { id: 'topsecret2', name: 'topsecret' } }, headers })
  await zoo.ask('query ($id: ID!) { cage(id: $id) { id } }', { variables: { id: ['topsecret', 'topsecret'] }, headers })
  await (await zoo.get('/graphql?query={cage(id:"topsecret"){id}}&variables={"a":"topsecret"}', { headers: { ...headers, 'graphql-require-preflight': '1' } })).text()
  await (await zoo.get('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query": topsecret' })).text()
  expect(zoo.lines.length).toBeGreaterThanOrEqual(6)
  expect(zoo.text()).not.toMatch(/topsecret|Leo|Bearer/)
})

const logged = (fields: object) => {
  let text = ''
  createLog({ level: 'info', readable: false, secrets: ['hunter2/==', ''], to: { write: (line) => (text += line) } }).info(fields, 'Sent with hunter2/== to https://x/?key=hunter2%2F%3D%3D')
  return JSON.parse(text) as Line
}

describe('secrets', () => {
  test('that the process knows are removed from every line', () => {
    expect(logged({ err: new Error('The key hunter2/== was refused.') })).toMatchObject({ msg: 'Sent with [hidden] to https://x/?key=[hidden]', err: { message: 'The key [hidden] was refused.' } })
  })

  test('are hidden by the names of their fields', () => {
    const headers = { authorization: 'a', cookie: 'b', 'set-cookie': 'c', accept: 'd' }
    expect(logged({ ...headers, request: { headers: { ...headers, Authorization: 'A' } }, COSMOS_KEY: 'e', token: 'f', variables: { id: 'g' } })).toMatchObject({
      authorization: '[hidden]', cookie: '[hidden]', 'set-cookie': '[hidden]', accept: 'd', COSMOS_KEY: '[hidden]', token: '[hidden]', variables: '[hidden]',
      request: { headers: { authorization: '[hidden]', Authorization: '[hidden]', cookie: '[hidden]', 'set-cookie': '[hidden]', accept: 'd' } },
    })
  })

  test('that libraries put into their messages are hidden by their shape', () => {
    const { err } = logged({ err: Object.assign(new Error('401 for Authorization: Bearer eyJhbGciOi.J9.abc and type=master&ver=1.0&sig=abcdefgh+/='), { request: { headers: { authorization: 'Bearer x' } } }) })
    expect(Object.keys(err as object)).toEqual(['type', 'message', 'stack'])
    expect(err).toMatchObject({ message: '401 for Authorization: Bearer [hidden]' })
  })
})

const readable = (write: (log: ReturnType<typeof createLog>) => void) => {
  let text = ''
  const to = new Writable({ write: (chunk: Buffer, _, done) => { text += String(chunk); done() } })
  write(createLog({ level: 'debug', readable: true, to }))
  return text
}

describe('in development', () => {
  test('a line has the time, the level, the message and the fields', () => {
    expect(readable((log) => log.warn({ code: 'X', times: 2, errors: ['A'] }, 'It happened.'))).toMatch(/^\d\d:\d\d:\d\d WARN {2}It happened\. code=X times=2 errors=\["A"\]\n$/)
  })

  test('an error has its stack on lines of its own', () => {
    const lines = readable((log) => log.error({ err: new Error('Broken.') }, 'No.')).split('\n')
    expect(lines[0]).toMatch(/ERROR No\.$/)
    expect(lines[1]).toBe('    Error: Broken.')
    expect(lines[2]).toMatch(/^ {8}at /)
  })

  test('control characters are escaped', () => {
    const text = readable((log) => log.info({ path: '/\u001B[2J\r\nfake' }, '\u009B1mBold'))
    expect(text).toContain('\\u009b1mBold path=/\\u001b[2J\\u000d\\u000afake')
    expect(text.indexOf('\n')).toBe(text.length - 1)
  })
})
