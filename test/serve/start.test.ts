// The gateway as a process, started like `npm start`: what it prints, what it answers, and how it exits.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get as getRaw, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startCommand } from '../../bench/contenders.ts'
import { storeSyntax } from '../../src/store/open-store.ts'

let folder: string
let running: ChildProcess[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-start-'))
  running = []
})
afterEach(() => {
  for (const process of running) process.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** With what `npm start` runs, unless it is another command. */
function start(env: Record<string, string>, args: readonly string[] = startCommand().args): ChildProcess {
  const started = spawn(process.execPath, args, {
    env: { ...process.env, NODE_ENV: '', PORT: '0', QUIRE_STORE: `sqlite:${join(folder, 'deeper/library.db')}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(started)
  return started
}

/** The address from the one line that says it is ready. */
async function ready(started: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: started.stdout! })) {
    const address = /^Quire is ready at (http:\/\/127\.0\.0\.1:\d+)\/graphql$/.exec(line)
    if (address) return address[1]!
    throw new Error(`It said: ${line}`)
  }
  throw new Error('It ended without a word.')
}

async function complaint(started: ChildProcess): Promise<{ code: unknown; lines: string[] }> {
  const lines: string[] = []
  createInterface({ input: started.stderr! }).on('line', (line) => lines.push(line))
  const [code] = (await once(started, 'close')) as unknown[]
  return { code, lines }
}

async function ask(address: string, query: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${address}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify({ query }) })
  return (await response.json()) as { data?: unknown; extensions?: { quire?: { made: object } } }
}

const write = 'mutation { createPublisher(input: { name: "New" }) { publisher { name } } }'

async function stop(started: ChildProcess): Promise<unknown> {
  const closed = once(started, 'close')
  started.kill('SIGTERM')
  const [code] = (await closed) as unknown[]
  return code
}

describe('started with nothing but a port', () => {
  test('it serves the sample, GraphiQL, health and readiness, and ends when it is told to', async () => {
    const started = start({})
    const address = await ready(started)
    expect(await ask(address, write)).toMatchObject({ data: { createPublisher: { publisher: { name: 'New' } } } })
    expect(await ask(address, '{ book(id: "b1") { name } }')).toMatchObject({ data: { book: { name: 'Azure Cosmos DB 101' } }, extensions: { quire: { made: { roundTrips: 1 } } } })
    expect((await fetch(`${address}/health`)).status).toBe(200)
    expect((await fetch(`${address}/ready`)).status).toBe(200)
    const page = await (await fetch(`${address}/graphql`, { headers: { accept: 'text/html' } })).text()
    expect(page).toContain('<title>Quire</title>')
    expect(page).not.toMatch(/<(script|link)[^>]+(src|href)="https?:/)
    expect(await stop(started)).toBe(0)
  })

  test('no path leads out of the folder of built files, however it is written', async () => {
    const address = await ready(start({}))
    for (const path of ['/graphql/assets/../../package.json', '/graphql/assets/..%2f..%2f..%2fpackage.json', '/graphql/assets//../../../package.json', '/../package.json', '//package.json']) {
      // fetch would tidy the path up before it sends it.
      const { hostname, port } = new URL(address)
      const [response] = (await once(getRaw({ hostname, port, path }), 'response')) as [IncomingMessage]
      expect(response.statusCode).toBe(404)
      response.resume()
    }
  })

  test('cursors and documents outlive a restart', async () => {
    const first = start({})
    const page = await ask(await ready(first), '{ books(first: 1) { pageInfo { endCursor } } }')
    const { endCursor } = (page.data as { books: { pageInfo: { endCursor: string } } }).books.pageInfo
    await stop(first)
    const answer = await ask(await ready(start({})), `{ books(first: 1, after: "${endCursor}") { nodes { id } } }`)
    expect(answer.data).toEqual({ books: { nodes: [{ id: 'b10' }] } })
  })
})

test('production without authentication rejects writes', async () => {
  const address = await ready(start({ NODE_ENV: 'production' }))
  const { data, ...answer } = await ask(address, 'mutation { deleteBook(input: { id: "b4" }) { book { id } } }')
  expect(data).toBeNull()
  expect(answer).toMatchObject({ errors: [{ message: expect.stringContaining('Writes are closed') as string, extensions: { code: 'UNAUTHENTICATED' } }] })
  expect((await ask(address, '{ book(id: "b4") { id } }')).data).toEqual({ book: { id: 'b4' } })
})

test('production has no GraphiQL, and adds a cost report only on request', async () => {
  const address = await ready(start({ NODE_ENV: 'production' }))
  expect(await (await fetch(`${address}/graphql`, { headers: { accept: 'text/html' } })).text()).not.toContain('<html')
  expect((await ask(address, '{ book(id: "b1") { name } }')).extensions).toBeUndefined()
  expect((await ask(address, '{ book(id: "b1") { name } }', { 'quire-trace': '1' })).extensions?.quire?.made).toBeDefined()
})

describe('quire start, which is not npm start,', () => {
  const closed = { data: null, errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] }

  test.each(['', 'staging'])('is closed when NODE_ENV is "%s"', async (name) => {
    const address = await ready(start({ NODE_ENV: name }, ['bin/quire.js', 'start']))
    expect(await ask(address, write)).toMatchObject(closed)
    expect(await (await fetch(`${address}/graphql`, { headers: { accept: 'text/html' } })).text()).not.toContain('<html')
  })

  test('is open when NODE_ENV says development', async () => {
    expect(await ask(await ready(start({ NODE_ENV: 'development' }, ['bin/quire.js', 'start'])), write)).toMatchObject({ data: { createPublisher: { publisher: { name: 'New' } } } })
  })

  test('lets options override the environment, and the environment override the config file', async () => {
    writeFileSync(join(folder, 'zoo.graphql'), 'type Cage @document(container: "cages") { id: ID! }')
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ schema: '.', store: 'sqlite:nowhere/zoo.db', port: 1 }))
    const address = await ready(start({ PORT: '2', QUIRE_STORE: 'memory' }, ['bin/quire.js', 'start', '--config', join(folder, 'settings.json'), '--port', '0']))
    expect((await ask(address, '{ cages { totalCount } }')).data).toEqual({ cages: { totalCount: 0 } })
  })
})

test('production logs each request as a line of JSON, and serves metrics if QUIRE_METRICS opens them', async () => {
  const started = start({ NODE_ENV: 'production', QUIRE_METRICS: 'open' })
  const lines: string[] = []
  createInterface({ input: started.stderr! }).on('line', (line) => lines.push(line))
  const address = await ready(started)
  await ask(address, 'query One { book(id: "b1") { name } }', { 'x-request-id': 'mine' })
  expect(await (await fetch(`${address}/metrics`)).text()).toContain('quire_operations_total{type="query",outcome="ok"} 1\n')
  expect(await stop(started)).toBe(0)
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 'info', msg: 'ready', address: `${address}/graphql` },
    { level: 'info', msg: 'answered', requestId: 'mine', path: '/graphql', status: 200, operation: 'query', operationName: 'One', roundTrips: 1 },
    { level: 'info', msg: 'shutting down', reason: 'SIGTERM', requests: 0 },
  ])
})

test('production serves no metrics by default, and QUIRE_LOG=silent logs nothing', async () => {
  const started = start({ NODE_ENV: 'production', QUIRE_LOG: 'silent' })
  let said = ''
  started.stderr!.setEncoding('utf8').on('data', (text: string) => (said += text))
  const address = await ready(started)
  expect((await fetch(`${address}/metrics`)).status).toBe(404)
  await stop(started)
  expect(said).toBe('')
})

test('the naive strategy makes one read per reference', async () => {
  const address = await ready(start({ QUIRE_STRATEGY: 'naive' }))
  expect(await ask(address, '{ book(id: "b1") { authors { name } } }')).toMatchObject({ extensions: { quire: { made: { roundTrips: 3, waves: 2 } } } })
})

test('a schema folder is served with its derive.js', async () => {
  writeFileSync(join(folder, 'zoo.graphql'), 'type Cage @document(container: "cages") { id: ID! label: String! @derived }')
  writeFileSync(join(folder, 'derive.js'), 'export const derive = { Cage: { label: (cage) => `Cage ${cage.id}` } }')
  const address = await ready(start({ QUIRE_SCHEMA: folder }))
  expect((await ask(address, '{ cages { totalCount nodes { label } } }')).data).toEqual({ cages: { totalCount: 0, nodes: [] } })
})

describe('a gateway that cannot start prints why and exits with 2', () => {
  test('a wrong setting', async () => {
    expect(await complaint(start({ QUIRE_STORE: 'mongo' }))).toEqual({ code: 2, lines: [`QUIRE_STORE is "mongo". Write ${storeSyntax}.`] })
  })

  test('a schema folder that is not there', async () => {
    const missing = join(folder, 'nowhere')
    expect(await complaint(start({ QUIRE_SCHEMA: missing }))).toEqual({
      code: 2, lines: ['The schema cannot be served:', `  - The schema folder ${missing} cannot be read. Name a folder of .graphql files.`],
    })
  })

  test('a wrong declaration', async () => {
    writeFileSync(join(folder, 'zoo.graphql'), 'type Cage @document(container: "cages") { label: String! }')
    expect(await complaint(start({ QUIRE_SCHEMA: folder }))).toEqual({
      code: 2, lines: ['The schema cannot be served:', '  - zoo.graphql:1:6: Cage: a document type needs an id. Add the field id: ID!.'],
    })
  })

  test('a port that is taken', async () => {
    const other = createServer()
    await once(other.listen(0, '127.0.0.1'), 'listening')
    const { port } = other.address() as AddressInfo
    expect(await complaint(start({ PORT: String(port) }))).toEqual({
      code: 2, lines: [expect.stringMatching(new RegExp(`^Port ${port} is in use\\..* PORT or --port`))],
    })
    other.close()
  })
})
