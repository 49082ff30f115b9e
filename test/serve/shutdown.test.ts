// Shutdown: every open request is answered, and load balancers learn of it in time. What a request that never arrives in full does to it is
// in trickling.slow.test.ts, because a gateway waits for the rest for seconds.

import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { once } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { Shutdown, type ShutdownOptions } from '../../src/serve/shutdown.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { createLog } from '../../src/observe/log/log.ts'
import { ask } from '../http/load/zoo.ts'
import { startZoo } from '../http/load/process.ts'

const cages = 'type Cage @document(container: "cages") { id: ID! name: String! }'
const sdl = `${cages} extend type Query { wait: String never: String }`

/** Waits for the first signal, and a moment longer; says when so many do. */
const waiting = (many: number) => `
  let count = 0
  const { promise, resolve } = Promise.withResolvers()
  process.on('SIGTERM', () => setTimeout(resolve, 200))
  const tell = () => { if (++count === ${many}) console.log('all are under way') }
  export const resolvers = { Query: {
    wait: async () => { tell(); await promise; return 'answered' },
    never: () => { tell(); return new Promise(() => {}) },
  } }`

describe('on SIGTERM', () => {
  test('a hundred open requests are all answered, and the process exits with 0', async () => {
    const zoo = await startZoo(sdl, waiting(100))
    const answers = Array.from({ length: 100 }, () => ask(zoo.port, '{ wait }'))
    await zoo.says('all are under way')
    zoo.child.kill('SIGTERM')
    expect((await Promise.all(answers)).map(({ status, body }) => [status, body])).toEqual(Array.from({ length: 100 }, () => [200, { data: { wait: 'answered' } }]))
    expect(await zoo.ended()).toBe(0)
    expect(zoo.log.find(({ msg }) => msg === 'shutting down')).toMatchObject({ reason: 'SIGTERM', requests: 100 })
  })

  test('/ready answers 503 and /health 200, and each further response closes its connection', async () => {
    const zoo = await startZoo(sdl, waiting(1), { QUIRE_DRAIN_MS: '9000' })
    zoo.child.kill('SIGTERM')
    await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${zoo.port}/ready`)).status).toBe(503), { timeout: 5000 })
    expect((await fetch(`http://127.0.0.1:${zoo.port}/health`)).status).toBe(200)
    const answer = await ask(zoo.port, '{ cages { totalCount } }', { connection: 'keep-alive' })
    expect(answer).toMatchObject({ status: 200, body: { data: { cages: { totalCount: 0 } } } })
    expect(answer.headers.connection).toBe('close')
  })

  test('a connection that has sent nothing yet is not reset: its request is answered', async () => {
    const zoo = await startZoo(sdl, waiting(1), { QUIRE_DRAIN_MS: '0' })
    const late = connect(zoo.port, '127.0.0.1')
    await once(late, 'connect')
    await ask(zoo.port, '{ cages { totalCount } }')
    zoo.child.kill('SIGTERM')
    await vi.waitFor(() => expect(zoo.log.some(({ msg }) => msg === 'shutting down')).toBe(true), { interval: 5 })
    late.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
    expect(await text(late)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*connection: close/i)
    expect(await zoo.ended()).toBe(0)
  })

  test('subscriptions end with a complete event, the lease of the change feed is released, and the store is closed', async () => {
    const zoo = await startZoo(`${cages} type Subscription { cageChanged: Cage }`, `
      export const resolvers = { Subscription: { cageChanged: { subscribe: (_, __, { quire }) => quire.changes.of('Cage'), resolve: ({ document }) => document } } }`, { QUIRE_EFFECTS: 'feed' })
    const stream = await fetch(`http://127.0.0.1:${zoo.port}/graphql`, {
      method: 'POST', headers: { 'content-type': 'application/json', accept: 'text/event-stream' }, body: JSON.stringify({ query: 'subscription { cageChanged { name } }' }),
    })
    const told = stream.text()
    await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${zoo.port}/ready`)).status).toBe(200))
    zoo.child.kill('SIGTERM')
    expect(await told).toContain('event: complete')
    expect(await zoo.ended()).toBe(0)
    const store = await openSqliteStore(`${zoo.folder}/zoo.db`, [{ name: 'quire', partitionKey: [['partition']], indexes: [] }])
    const parts = await store.feedParts()
    const leases = await store.readMany('quire', parts.map((part) => ({ partition: ['feed'], id: `feed-${part}` })))
    await store.close()
    expect(leases.map((lease) => lease?.body['owner'])).toEqual(parts.map(() => ''))
  })

  test('a second signal exits at once, with the code of the signal', async () => {
    const zoo = await startZoo(sdl, waiting(1))
    const cut = ask(zoo.port, '{ never }').catch(() => 'cut')
    await zoo.says('all are under way')
    zoo.child.kill('SIGTERM')
    await vi.waitFor(() => expect(zoo.log.some(({ msg }) => msg === 'shutting down')).toBe(true), { timeout: 5000 })
    zoo.child.kill('SIGTERM')
    expect(await zoo.ended()).toBe(143)
    expect(await cut).toBe('cut')
  })
})

const begin = (options: Partial<ShutdownOptions>) => {
  const lines: string[] = []
  const log = createLog({ level: 'info', readable: false, to: { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) } })
  const { promise: exited, resolve: exit } = Promise.withResolvers<number>()
  return { lines, exited, shutdown: new Shutdown(createServer(), { log, drainMs: 0, leave: () => undefined, close: async () => undefined, open: () => 0, exit, ...options }) }
}

describe('a shutdown', () => {
  test('that takes too long is cut off, logged, and exits with 1', async () => {
    const { shutdown, exited, lines } = begin({ maxMs: 20, close: () => new Promise(() => {}), open: () => 3 })
    shutdown.begin('SIGTERM', 0)
    expect(await exited).toBe(1)
    expect(lines).toEqual(['shutting down', expect.stringContaining('still running')])
  })

  test('with an error exits with 1', async () => {
    const failing = begin({ close: () => Promise.reject(new Error('the disk is gone')) })
    failing.shutdown.begin('SIGTERM', 0)
    expect(await failing.exited).toBe(1)
    const { promise: closing, resolve: close } = Promise.withResolvers<void>()
    const struck = begin({ close: () => closing })
    struck.shutdown.begin('SIGTERM', 0)
    struck.shutdown.fail('uncaught error')
    close()
    expect(await struck.exited).toBe(1)
  })

  test('keeps connections alive just before it stops listening, so that none waits to be accepted then, and closes them before and after', async () => {
    const server = createServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const order: [leaves: boolean, listening: boolean][] = []
    const { promise: exited, resolve: exit } = Promise.withResolvers<number>()
    new Shutdown(server, { log: createLog({ level: 'silent', readable: false }), drainMs: 1, open: () => 0, exit, leave: (leaves) => order.push([leaves, server.listening]), close: async () => undefined }).begin('SIGTERM', 0)
    expect(await exited).toBe(0)
    expect(order).toEqual([[true, true], [false, true], [true, false]])
  })

  test('that only retires does not tell load balancers, and a signal makes it hurry without beginning again', async () => {
    const server = createServer((_, response) => response.end())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const idle = connect(port, '127.0.0.1')
    await once(idle, 'connect')
    idle.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(idle, 'data')
    const lines: string[] = []
    const { promise: exited, resolve: exit } = Promise.withResolvers<number>()
    const log = createLog({ level: 'info', readable: false, to: { write: (line) => void lines.push((JSON.parse(line) as { reason: string }).reason) } })
    const shutdown = new Shutdown(server, { log, drainMs: 60_000, open: () => 0, exit, leave: () => undefined, close: async () => undefined })
    shutdown.retire('replaced', 0)
    // It no longer listens, and the idle connection stays for its next request.
    expect([shutdown.isRunning, server.listening]).toEqual([false, false])
    idle.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(idle, 'data')
    shutdown.begin('SIGTERM', 0)
    expect(shutdown.isRunning).toBe(true)
    expect(await exited).toBe(0)
    expect(lines).toEqual(['replaced'])
    idle.destroy()
  })

  test('stops listening only after the drain time', async () => {
    const order: string[] = []
    const server = createServer().on('close', () => order.push('closed'))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { promise: exited, resolve: exit } = Promise.withResolvers<number>()
    new Shutdown(server, { log: createLog({ level: 'silent', readable: false }), drainMs: 1, open: () => 0, exit, leave: () => order.push('left'), close: async () => void (server.listening ? order.push('still listening') : order.push('ended')) }).begin('SIGTERM', 0)
    expect(server.listening).toBe(true)
    expect(await exited).toBe(0)
    expect(order).toEqual(expect.arrayContaining(['left', 'ended']))
  })
})
