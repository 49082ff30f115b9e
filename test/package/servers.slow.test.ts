// The recipes of examples/servers, copied into a project that installs the packed package and the real frameworks. Each is
// asked over HTTP; the functions of Azure, Next and fetch runtimes are called with the request classes of their platforms.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as send, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environment, packed, repository, run } from './packed.ts'

const editor = { authorization: 'Bearer a-token-of-this-test' }

let project: string
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'quire-servers-'))
  cpSync('examples/servers', project, { recursive: true, filter: (path) => !path.includes('node_modules') })
  const manifest = readFileSync(join(project, 'package.json'), 'utf8').replace('file:../../dist', `file:${await packed()}`)
  writeFileSync(join(project, 'package.json'), manifest)
  run('npm', ['i', '--prefer-offline', '--no-audit', '--no-fund', 'compression@1.8.2'], project)
  for (const [name, program] of Object.entries(programs)) writeFileSync(join(project, `${name}.ts`), program)
}, 300_000)

const running: ChildProcess[] = []
afterAll(() => {
  for (const started of running) started.kill('SIGKILL')
  rmSync(project, { recursive: true, force: true })
})

test('the recipes compile', () => {
  const mounts = `import express from 'express'\nimport { openGateway } from './gateway.ts'\nconst gateway = await openGateway()\nexpress().use(gateway).use('/api', gateway)\n`
  writeFileSync(join(project, 'mounts.ts'), mounts)
  const files = ['mounts', 'node-http', 'express', 'fastify', 'hono', 'fetch', 'azure-functions', 'next.config'].map((name) => `${name}.ts`)
  const options = { ...(JSON.parse(readFileSync(join(project, 'tsconfig.json'), 'utf8')) as object), include: [...files, 'app'] }
  writeFileSync(join(project, 'tsconfig.check.json'), JSON.stringify(options))
  expect(run(process.execPath, [join(repository, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.check.json'], project)).toBe('')
})

/** `guarded` if only editors may write. */
const recipes = [
  { program: 'node-http', mount: '', guarded: false },
  { program: 'express', mount: '/api', guarded: true },
  { program: 'express-root', mount: '', guarded: true },
  { program: 'express-crowded', mount: '/api', guarded: true },
  { program: 'fastify', mount: '/api', guarded: true },
  { program: 'fastify-root', mount: '', guarded: true },
  { program: 'hono', mount: '/api', guarded: true },
  { program: 'hono-root', mount: '', guarded: true },
  { program: 'serve-fetch', mount: '', guarded: false },
  { program: 'serve-fetch', mount: '/deep/below', guarded: false },
  { program: 'serve-next', mount: '/api', guarded: true },
  { program: 'serve-azure', mount: '/api', guarded: true },
]

describe.each(recipes)('$program at "$mount"', ({ program, mount, guarded }) => {
  let served: Served
  let graphql: string
  beforeAll(async () => {
    served = await start([`${program}.ts`], `${program}${mount.replaceAll('/', '-')}.db`)
    graphql = `${served.origin}${mount}/graphql`
  })

  test('answers a query, a mutation and a subscription', async () => {
    expect(await ask(graphql, '{ notes { totalCount } }')).toMatchObject({ data: { notes: { totalCount: 0 } } })
    const events = await subscribe(graphql)
    if (guarded) expect(await ask(graphql, write('Anonymous'))).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
    expect(await ask(graphql, write('Hello'), editor)).toMatchObject({ data: { createNote: { note: { text: 'Hello' } } } })
    expect(await events.next()).toMatchObject({ value: { data: { noteChanged: { text: 'Hello' } } } })
    await events.return(undefined)
  })

  test('shows GraphiQL with its files', async () => {
    const page = await (await fetch(graphql, { headers: { accept: 'text/html' } })).text()
    const links = [...page.matchAll(/(?:src|href)="(\.[^"]+)"/g)].map(([, link]) => new URL(link!, graphql))
    expect(links.length).toBeGreaterThan(1)
    for (const link of links) expect((await fetch(link)).status).toBe(200)
  })

  test.each(['health', 'ready'])('answers /%s beside it', async (probe) => {
    expect((await fetch(`${served.origin}${mount}/${probe}`)).status).toBe(200)
  })

  // The host of Azure Functions calls the hook that ends it, and is not here.
  test.skipIf(program === 'serve-azure')('ends in order, and subscribers get to know', async () => {
    const events = await subscribe(graphql)
    served.process.kill('SIGTERM')
    expect(await events.next()).toEqual({ done: true, value: 'complete' })
    expect(await served.exit).toEqual([0, null])
  })
})

describe('in production', () => {
  test.each([
    { program: 'node-http', mount: '' }, { program: 'express', mount: '/api' }, { program: 'express-crowded', mount: '/api' }, { program: 'fastify', mount: '/api' },
  ])('$program takes the fast path', async ({ program, mount }) => {
    const { origin } = await start([`${program}.ts`], `${program}-production.db`, { NODE_ENV: 'production' })
    const graphql = `${origin}${mount}/graphql`
    // Yoga parses an operation once; from then on it is known.
    await headersOf(graphql)
    expect(isFast(await headersOf(graphql))).toBe(true)
    expect(isFast(await headersOf(graphql, { 'quire-trace': '0' }))).toBe(false)
  })

  test('Next builds and serves its route', async () => {
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, module: 'esnext', allowImportingTsExtensions: true, noEmit: true, skipLibCheck: true }, include: ['app'] }))
    run('npx', ['next', 'build'], project, { NEXT_TELEMETRY_DISABLED: '1' })
    const served = await start(['node_modules/next/dist/bin/next', 'start', '-p', '0'], 'next.db', { NEXT_TELEMETRY_DISABLED: '1' })
    const graphql = `${served.origin}/api/graphql`
    expect(await ask(graphql, '{ notes { totalCount } }')).toEqual({ data: { notes: { totalCount: 0 } } })
    const events = await subscribe(graphql)
    expect(await ask(graphql, write('Anonymous'))).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
    expect(await ask(graphql, write('Hello'), editor)).toEqual({ data: { createNote: { note: { text: 'Hello' } } } })
    expect(await events.next()).toMatchObject({ value: { data: { noteChanged: { text: 'Hello' } } } })
    served.process.kill('SIGTERM')
    expect(await events.next()).toEqual({ done: true, value: 'complete' })
  }, 300_000)
})

const recipe = (name: string): string => readFileSync(`examples/servers/${name}.ts`, 'utf8')
const atRoot = (name: string): string => recipe(name).replaceAll("'/api'", "'/'").replaceAll('/api', '')

/** A function behind node:http, which gives it requests of the class that its platform has. */
const serveFunction = (imports: string, call: string): string => `
import { serve } from '@hono/node-server'
${imports}
const server = serve({ port: 0, async fetch(request: Request) { ${call} } }, ({ port }) => console.log('http://127.0.0.1:' + port))
process.once('SIGTERM', () => server.close())
`

const programs: Readonly<Record<string, string>> = {
  'express-root': atRoot('express'),
  'fastify-root': atRoot('fastify'),
  'hono-root': atRoot('hono'),
  // Behind middleware that parses bodies and compresses answers.
  'express-crowded': `// @ts-nocheck\nimport compression from 'compression'\n${recipe('express').replace('const app = express()', 'const app = express().use(compression({ threshold: 0 }), express.json())')}`,
  'serve-fetch': serveFunction("import handler from './fetch.ts'", 'return handler.fetch(request)'),
  'serve-next': serveFunction(
    "import { NextRequest } from 'next/server.js'\nimport { GET, POST } from './app/api/graphql/[[...assets]]/route.ts'",
    "return (request.method === 'POST' ? POST : GET)(new NextRequest(request.url, request))",
  ),
  'serve-azure': serveFunction(
    "import { HttpRequest, HttpResponse } from '@azure/functions'\nimport { graphql } from './azure-functions.ts'",
    `
    const { method, url } = request
    const headers = Object.fromEntries(request.headers)
    const user = headers['authorization'] === 'Bearer a-token-of-this-test' ? { 'x-ms-client-principal': Buffer.from(JSON.stringify({ userId: 'ada', userDetails: 'ada', identityProvider: 'aad', userRoles: ['authenticated'] })).toString('base64') } : {}
    const { status, headers: answered, body } = new HttpResponse(await graphql(new HttpRequest({ method, url, headers: { ...headers, ...user }, ...(method === 'POST' ? { body: { string: await request.text() } } : {}) })))
    return new Response(body, { status, headers: answered })`,
  ),
}

interface Served {
  readonly origin: string
  readonly process: ChildProcess
  /** Its exit code and signal. */
  readonly exit: Promise<unknown[]>
}

async function start(args: readonly string[], database: string, env: Record<string, string> = {}): Promise<Served> {
  const started = spawn(process.execPath, args, { cwd: project, env: { ...environment(), PORT: '0', DATABASE: database, EDITOR_TOKEN: editor.authorization.slice('Bearer '.length), ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(started)
  const exit = once(started, 'exit')
  const complaints = text(started.stderr)
  for await (const line of createInterface({ input: started.stdout })) {
    const [, port] = /http:\/\/[\w.]+:(\d+)/.exec(line) ?? []
    if (port) return { origin: `http://127.0.0.1:${port}`, process: started, exit }
  }
  throw new Error(`It did not start: ${await complaints}`)
}

async function ask(graphql: string, query: string, headers: Record<string, string> = {}): Promise<unknown> {
  return (await fetch(graphql, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify({ query }) })).json()
}

function write(message: string): string {
  return `mutation { createNote(input: { id: "n1", text: ${JSON.stringify(message)} }) { note { text } } }`
}

/** The events of a subscription that is ready; it returns the name of the last one. */
async function subscribe(graphql: string): Promise<AsyncGenerator<unknown, string | undefined>> {
  const { body } = await fetch(graphql, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'text/event-stream' }, body: JSON.stringify({ query: 'subscription { noteChanged { text } }' }) })
  const reader = body!.getReader()
  const events = eventsIn(reader)
  // A comment comes first, and says that the subscription has begun.
  await events.next()
  return events
}

async function* eventsIn(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<unknown, string | undefined> {
  const decoder = new TextDecoder()
  let unread = ''
  let last: string | undefined
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return last
      const parts = (unread + decoder.decode(value, { stream: true })).split('\n\n')
      unread = parts.pop()!
      for (const part of parts) {
        const [, name] = /^event: (.*)$/m.exec(part) ?? []
        const [, data = ''] = /^data: ?(.*)$/m.exec(part) ?? []
        last = name ?? last
        if (name === 'next') yield JSON.parse(data)
        else if (name === undefined && last === undefined) yield 'begun'
      }
    }
  } finally {
    await reader.cancel()
  }
}

/** The names of an answer's headers, in the order that they were sent. */
async function headersOf(graphql: string, headers: Record<string, string> = {}): Promise<string[]> {
  const body = JSON.stringify({ query: '{ notes { totalCount } }' })
  const sent = send(graphql, { method: 'POST', headers: { 'content-type': 'application/json', 'content-length': body.length, ...headers } }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  expect(JSON.parse(await text(response))).toMatchObject({ data: { notes: { totalCount: 0 } } })
  return response.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
}

/** Answers of the fast path and of Yoga differ in nothing but the order of their headers. */
function isFast(names: readonly string[]): boolean {
  return names.indexOf('x-request-id') < names.indexOf('content-type')
}
