// Several workers behind one port, as processes: they answer as one, and are replaced without anybody noticing.

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { linesFrom, quire, startQuire } from '../../cli/quire.ts'
import type { Running } from '../../http/load/process.ts'
import { clientOf, clientsOf, metric, sdl, startWorkers } from './zoo-workers.ts'

const named = (name: string) => `mutation { updateCage(input: { id: "c1", name: "${name}" }) { cage { name } } }`
const created = 'mutation { createCage(input: { id: "c1", name: "0" }) { cage { name } } }'
const read = '{ cage(id: "c1") { name } cages { totalCount nodes { name } } }'
const shown = (name: string) => ({ cage: { name }, cages: { totalCount: 1, nodes: [{ name }] } })
const logged = ({ log }: Running, msg: RegExp) => log.filter((line) => msg.test(line.msg))

test('a write on one worker is seen by the other at once, in both directions', async () => {
  const [one, other] = await clientsOf(await startWorkers())
  await one!.ask(created)
  await other!.ask(read)
  for (let count = 1; count <= 200; count++) {
    const [writer, reader] = count % 2 === 0 ? [one!, other!] : [other!, one!]
    expect((await writer.ask(named(String(count)))).codes).toEqual([])
    expect((await reader.ask(read)).data).toEqual(shown(String(count)))
  }
})

test('it prints its address once, logs which worker writes, and ends all of them on SIGTERM with what they have begun answered', async () => {
  const zoo = await startWorkers()
  await vi.waitFor(() => expect(logged(zoo, /^ready$/).map(({ worker }) => worker)).toEqual([1, 2]))
  const waiting = clientOf(zoo).ask('{ wait }')
  await zoo.says('waiting')
  zoo.child.kill('SIGTERM')
  expect(await waiting).toMatchObject({ status: 200, data: { wait: 'answered' } })
  expect(await zoo.ended()).toBe(0)
  expect(logged(zoo, /^shutting down$/).map(({ reason }) => reason)).toEqual(['SIGTERM', 'SIGTERM'])
})

test('a signal to every process of the group ends it in order, too, and a second one to the primary at once', async () => {
  const zoo = await startWorkers()
  const pids = await Promise.all((await clientsOf(zoo)).map((client) => client.pid()))
  const waiting = clientOf(zoo).ask('{ wait }').catch(() => 'cut')
  await zoo.says('waiting')
  for (const pid of [...pids, zoo.child.pid!]) process.kill(pid, 'SIGTERM')
  await vi.waitFor(() => expect(logged(zoo, /^shutting down$/)).toHaveLength(2))
  zoo.child.kill('SIGTERM')
  expect(await zoo.ended()).toBe(143)
  expect(await waiting).toBe('cut')
})

test('a worker that is killed is replaced, the log says so, and the others answer meanwhile', async () => {
  const zoo = await startWorkers()
  const [one, other] = await clientsOf(zoo)
  const killed = await one!.pid()
  await other!.ask(created)
  await metric(zoo, 'quire_operations_total')
  const before = await metric(zoo, 'quire_operations_total', { type: 'mutation' })
  process.kill(killed, 'SIGKILL')
  expect((await other!.ask(read)).data).toEqual(shown('0'))
  await vi.waitFor(() => expect(logged(zoo, /^ready$/)).toHaveLength(3), { timeout: 20_000 })
  expect(logged(zoo, /ended unexpectedly/)).toMatchObject([{ level: 'error', reason: 'SIGKILL' }])
  const pids = await Promise.all((await clientsOf(zoo)).map((client) => client.pid()))
  expect(pids).not.toContain(killed)
  // What it had counted is not lost.
  expect(await metric(zoo, 'quire_operations_total', { type: 'mutation' })).toBe(before)
})

test('a worker with an unexpected error is replaced at once, and answers what it has begun', async () => {
  const zoo = await startWorkers()
  const client = clientOf(zoo)
  const failing = await client.pid()
  const waiting = client.ask('{ wait }')
  await zoo.says('waiting')
  process.kill(failing, 'SIGUSR2')
  await vi.waitFor(() => expect(logged(zoo, /ended unexpectedly/)).toMatchObject([{ level: 'error', reason: 'uncaught error' }]))
  expect((await fetch(`http://127.0.0.1:${zoo.port}/ready`)).status).toBe(200)
  expect(await waiting).toMatchObject({ status: 200, data: { wait: 'answered' } })
  await vi.waitFor(() => expect(logged(zoo, /^ready$/)).toHaveLength(3), { timeout: 20_000 })
  expect(await client.pid()).not.toBe(failing)
})

test('in feed mode one worker carries changes, and when it is killed another does at once', async () => {
  const zoo = await startWorkers({ QUIRE_EFFECTS: 'feed' })
  const clients = await clientsOf(zoo)
  await clients[0]!.ask('mutation { createKeeper(input: { id: "k", name: "Kim" }) { keeper { id } } }')
  await clients[0]!.ask('mutation { createCage(input: { id: "c1", name: "One", keeperId: "k" }) { cage { id } } }')
  const snapshot = async (client: (typeof clients)[number]) => (await client.ask('{ cage(id: "c1") @read(from: SNAPSHOT) { keeper { name } } }')).data
  for (const [at, client] of clients.entries()) {
    await client.ask(`mutation { updateKeeper(input: { id: "k", name: "Kim ${at}" }) { keeper { id } } }`)
    for (const reader of clients) await vi.waitFor(async () => expect(await snapshot(reader)).toEqual({ cage: { keeper: { name: `Kim ${at}` } } }), { timeout: 5000 })
  }
  // Whichever of the two carries changes, it is killed: first one, and then the other.
  await vi.waitFor(() => expect(logged(zoo, /^ready$/)).toHaveLength(2))
  const pids = await Promise.all(clients.map((client) => client.pid()))
  for (const [name, pid, ready] of [['Lee', pids[0]!, 2], ['Max', pids[1]!, 3]] as const) {
    const byPid = new Map(await Promise.all((await clientsOf(zoo)).map(async (client) => [await client.pid(), client] as const)))
    byPid.delete(pid)
    const [survivor] = byPid.values()
    process.kill(pid, 'SIGKILL')
    await survivor!.ask(`mutation { updateKeeper(input: { id: "k", name: "${name}" }) { keeper { id } } }`)
    // Far less than the 30 s after which leases expire.
    await vi.waitFor(async () => expect(await snapshot(survivor!)).toEqual({ cage: { keeper: { name } } }), { timeout: 8000 })
    await vi.waitFor(() => expect(logged(zoo, /^ready$/)).toHaveLength(ready + 1), { timeout: 20_000 })
  }
})

test('a subscription on one worker is told of a write on another', async () => {
  const zoo = await startWorkers()
  const [one, other] = await clientsOf(zoo)
  await one!.ask(created)
  const streams = await Promise.all([1, 2].map(() => fetch(`http://127.0.0.1:${zoo.port}/graphql`, {
    method: 'POST', headers: { 'content-type': 'application/json', accept: 'text/event-stream' }, body: JSON.stringify({ query: 'subscription { cageChanged { name } }' }),
  })))
  const readers = streams.map((stream) => stream.body!.pipeThrough(new TextDecoderStream()).getReader())
  const told = async (reader: (typeof readers)[number], name: string): Promise<void> => {
    for (let said = ''; !said.includes(`"${name}"`);) said += (await reader.read()).value ?? expect.fail('the stream ended')
  }
  await vi.waitFor(async () => expect(await metric(zoo, 'quire_subscriptions_open')).toBe(2))
  for (const [writer, name] of [[one!, 'first'], [other!, 'second']] as const) {
    await writer.ask(named(name))
    await Promise.all(readers.map((reader) => told(reader, name)))
  }
  await Promise.all(readers.map((reader) => reader.cancel()))
})

test('the metrics of any worker are those of all of them, and the max of subscriptions holds for all', async () => {
  const zoo = await startWorkers({ QUIRE_MOST_SUBSCRIPTIONS: '3' })
  const clients = await clientsOf(zoo)
  const before = await metric(zoo, 'quire_operations_total', { type: 'query' })
  for (const client of clients) for (let count = 0; count < 5; count++) await client.ask('{ cages { totalCount } }')
  for (let page = 0; page < 4; page++) expect(await metric(zoo, 'quire_operations_total', { type: 'query' })).toBe(before + 10)
  const subscribe = () => fetch(`http://127.0.0.1:${zoo.port}/graphql`, {
    method: 'POST', headers: { 'content-type': 'application/json', accept: 'text/event-stream' }, body: JSON.stringify({ query: 'subscription { cageChanged { name } }' }),
  })
  const open = [await subscribe(), await subscribe(), await subscribe()]
  await vi.waitFor(async () => expect(await metric(zoo, 'quire_subscriptions_open')).toBe(3))
  for (let more = 0; more < 2; more++) expect(await (await subscribe()).text()).toContain('OVERLOADED')
  await Promise.all(open.map((stream) => stream.body!.cancel()))
  await vi.waitFor(async () => expect(await metric(zoo, 'quire_subscriptions_open')).toBe(0))
  const again = await subscribe()
  await vi.waitFor(async () => expect(await metric(zoo, 'quire_subscriptions_open')).toBe(1))
  await again.body!.cancel()
})

test('on SIGHUP new workers with the schema as it is now take over, and no request of many clients fails', async () => {
  const zoo = await startWorkers()
  await clientOf(zoo).ask(created)
  const former = new Set(await Promise.all((await clientsOf(zoo)).map((client) => client.pid())))
  const seen = { isOver: false, answered: 0, failed: [] as unknown[] }
  const clients = Array.from({ length: 20 }, async () => {
    const client = clientOf(zoo)
    while (!seen.isOver) {
      const { status, codes } = await client.ask(read).catch((error: unknown) => ({ status: 0, codes: [String(error)] }))
      if (status === 200 && codes.length === 0) seen.answered++
      else seen.failed.push([status, codes])
    }
  })
  const waiting = clientOf(zoo).ask('{ wait }')
  await zoo.says('waiting')
  writeFileSync(join(zoo.folder, 'zoo.graphql'), sdl.replace('name: String!', 'name: String! size: Int'))
  zoo.child.kill('SIGHUP')
  await vi.waitFor(() => expect(logged(zoo, /^reloaded$/)).toHaveLength(1), { timeout: 30_000 })
  expect(await waiting).toMatchObject({ status: 200, data: { wait: 'answered' } })
  await vi.waitFor(async () => expect(await clientOf(zoo).ask('{ cage(id: "c1") { size } }')).toMatchObject({ data: { cage: { size: null } } }), { timeout: 10_000 })
  await vi.waitFor(() => {
    for (const pid of former) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  }, { timeout: 20_000 })
  seen.isOver = true
  await Promise.all(clients)
  expect(seen.failed).toEqual([])
  expect(seen.answered).toBeGreaterThan(100)
  expect(logged(zoo, /unexpectedly|cut off/)).toEqual([])
  zoo.child.kill('SIGTERM')
  expect(await zoo.ended()).toBe(0)
})

test('if new workers cannot start, the present ones go on and the log says why', async () => {
  const zoo = await startWorkers()
  const [client] = await clientsOf(zoo)
  const pid = await client!.pid()
  writeFileSync(join(zoo.folder, 'zoo.graphql'), 'type Cage @document(container: "cages") { name: String! }')
  zoo.child.kill('SIGHUP')
  await vi.waitFor(() => expect(logged(zoo, /^Not reloaded/)).toMatchObject([{ level: 'error', reason: expect.stringContaining('needs an id') as string }]), { timeout: 20_000 })
  expect(await client!.pid()).toBe(pid)
  expect((await clientOf(zoo).ask('{ cages { totalCount } }')).data).toEqual({ cages: { totalCount: 0 } })
})

test('what cannot start exits with 2 and prints why once, as without workers', async () => {
  const refused = await quire(['start', '--workers', '2', '--store', 'memory'])
  expect(refused).toMatchObject({ code: 2, out: [], err: [expect.stringMatching(/^QUIRE_WORKERS is 2: .*memory.*sqlite:PATH/)] })
  expect(await quire(['start', '--workers', '2', '--schema', '/nowhere/at/all', '--port', '0'])).toMatchObject({ code: 2, out: [], err: ['The schema cannot be served:', expect.stringContaining('/nowhere/at/all')] })
})

test('a signal while it starts ends it without an error', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-workers-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'zoo.graphql'), sdl)
  // A worker that never becomes ready.
  writeFileSync(join(folder, 'resolvers.mjs'), "console.log('loading'); setInterval(() => {}, 1000); await new Promise(() => {})")
  const started = startQuire(['start', '--workers', '2', '--schema', folder, '--store', `sqlite:${join(folder, 'zoo.db')}`, '--port', '0'])
  const printed = text(started.stderr!)
  expect(await linesFrom(started)()).toBe('loading')
  started.kill('SIGINT')
  expect(await once(started, 'close')).toEqual([0, null])
  expect(await printed).toBe('')
})

test('with one worker there is one process', async () => {
  const started = startQuire(['start', '--workers', '1', '--store', 'memory', '--port', '0'], { env: { QUIRE_LOG: 'silent' } })
  expect(await linesFrom(started)()).toMatch(/^Quire is ready/)
  started.kill('SIGTERM')
  expect(await once(started, 'close')).toEqual([0, null])
})
