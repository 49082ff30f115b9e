// Many subscriptions: equal ones are executed once for each event, waking them never takes the event loop for long, their events take
// turns with operations, and no caller can hold all of them.

import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ChangeStream } from '../../../src/feed/change-stream.ts'
import { processClock } from '../../../src/feed/clock.ts'
import { Admission } from '../../../src/http/admission/admission.ts'
import { SharedEvents } from '../../../src/http/subscriptions/shared-events.ts'
import { createCursors } from '../../../src/model/keys/cursor.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { subscribe } from '../../over-http.ts'
import { openZoo, type Zoo } from './zoo.ts'

const typeDefs = `
  type Cage @document(container: "cages") { id: ID! name: String! }
  type Keeper @document(container: "keepers") { id: ID! name: String! }
  type Subscription { cageChanged: Cage cageSeen: String cageFailed: Cage }`

interface Context {
  readonly quire: { readonly changes: Pick<ChangeStream, 'of'> }
  readonly request: Request
}

type EventResult = { readonly data?: { readonly cageChanged?: { readonly name: string }; readonly cageSeen?: string | null }; readonly errors?: readonly { readonly extensions: { readonly requestId?: string } }[] }

const cages = (_: unknown, __: unknown, { quire }: Context) => quire.changes.of('Cage')

async function openCages(options: Parameters<typeof openZoo>[0] = {}) {
  const resolved = { count: 0 }
  const resolve = ({ document }: { document: unknown }): unknown => {
    resolved.count++
    return document
  }
  const zoo = await openZoo({
    typeDefs, followEveryMs: 5,
    resolvers: {
      Subscription: {
        cageChanged: { subscribe: cages, resolve },
        cageSeen: { subscribe: cages, resolve: (_: unknown, __: unknown, { request }: Context) => request.headers.get('x-who') },
        cageFailed: { subscribe: cages, resolve: () => { throw new Error('It failed.') } },
      },
    },
    ...options,
  })
  return { zoo, resolved }
}

/** The next event of each, after changes that are repeated until all have one. */
async function nextOfEach(zoo: Zoo, many: readonly { next(): Promise<EventResult | undefined> }[]): Promise<(EventResult | undefined)[]> {
  const next = Promise.all(many.map((events) => events.next()))
  for (let time = 0; ; time++) {
    await zoo.ask(`mutation { updateCage(input: { id: "c1", name: "New ${time}" }) { cage { id } } }`)
    const told = await Promise.race([next, nextTurn()])
    if (told) return told
  }
}

test('an event of equal subscriptions is executed once, and told to all', async () => {
  const { zoo, resolved } = await openCages()
  const many = await Promise.all(Array.from({ length: 40 }, () => subscribe<EventResult>(zoo.gateway, { query: 'subscription { cageChanged { name } }' })))
  const told = await nextOfEach(zoo, many)
  expect(told.every((event) => event?.data?.cageChanged?.name.startsWith('New'))).toBe(true)
  // Changes are repeated, and so may be events. Not shared, each of them would be executed forty times.
  expect(resolved.count).toBeGreaterThan(0)
  expect(resolved.count).toBeLessThan(40)
  await Promise.all(many.map((events) => events.end()))
})

test('a resolver that looks at the request answers each subscription by its own', async () => {
  const { zoo } = await openCages()
  const many = await Promise.all(['ada', 'bob', 'cid'].map((who) => subscribe<EventResult>(zoo.gateway, { query: 'subscription { cageSeen }' }, { 'x-who': who })))
  expect((await nextOfEach(zoo, many)).map((event) => event?.data?.cageSeen)).toEqual(['ada', 'bob', 'cid'])
  await Promise.all(many.map((events) => events.end()))
})

test('an error names the request of its own subscription', async () => {
  const { zoo } = await openCages()
  const many = await Promise.all(['first', 'second'].map((id) => subscribe<EventResult>(zoo.gateway, { query: 'subscription { cageFailed { name } }' }, { 'x-request-id': id })))
  expect((await nextOfEach(zoo, many)).map((event) => event?.errors?.[0]?.extensions.requestId)).toEqual(['first', 'second'])
  await Promise.all(many.map((events) => events.end()))
})

test('subscriptions are equal only if the whole of what decides their answers is', async () => {
  const { zoo, resolved } = await openCages()
  const query = 'subscription ($with: Boolean = true) { cageChanged { id name @include(if: $with) } }'
  const many = await Promise.all([{ query }, { query, variables: { with: false } }].map((operation) => subscribe<EventResult>(zoo.gateway, operation)))
  const [all, some] = await nextOfEach(zoo, many)
  expect([Object.keys(all!.data!.cageChanged!), Object.keys(some!.data!.cageChanged!)]).toEqual([['id', 'name'], ['id']])
  expect(resolved.count).toBeGreaterThan(1)
  await Promise.all(many.map((events) => events.end()))
})

const answer = (data: string) => ({ result: { data: { data } }, isShareable: true })

describe('shared events', () => {
  test('one answer serves all that are equal, others have their own, and no answer is shared for long', async () => {
    let nowMs = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    onTestFinished(() => clock.mockRestore())
    const shared = new SharedEvents()
    const event = {}
    const execute = vi.fn(async () => answer('one'))
    const first = await Promise.all([shared.answer(event, 'a', execute), shared.answer(event, 'a', execute)])
    expect(first[0]).toBe(first[1])
    expect(execute).toHaveBeenCalledTimes(1)
    await Promise.all([shared.answer(event, 'b', execute), shared.answer({}, 'a', execute), shared.answer(event, undefined, execute)])
    expect(execute).toHaveBeenCalledTimes(4)
    nowMs = 10_000
    await shared.answer(event, 'a', execute)
    expect(execute).toHaveBeenCalledTimes(5)
  })

  test('when the first fails, the others execute it themselves', async () => {
    const shared = new SharedEvents()
    const event = {}
    const failing = shared.answer(event, 'a', () => Promise.reject(new Error('gone')))
    const other = shared.answer(event, 'a', async () => answer('other'))
    await expect(failing).rejects.toThrow('gone')
    expect((await other).data).toEqual({ data: 'other' })
  })
})

test('a change wakes only some subscribers in one turn of the event loop', async () => {
  const declaration = readDeclaration('type Cage @document(container: "cages") { id: ID! name: String! } type Subscription { cageChanged: Cage }', {})
  const store = await openMemoryStore(declaration.layout)
  const stream = new ChangeStream(declaration, store, createCursors('tests'), { shortestMs: 1, longestMs: 1, restMs: 1, clock: processClock })
  onTestFinished(() => stream.stop())
  const told = new Set<number>()
  let [inTurn, most] = [0, 0]
  const listen = async (number: number): Promise<void> => {
    for await (const _ of stream.of('Cage')) {
      told.add(number)
      most = Math.max(most, ++inTurn)
    }
  }
  const listening = Array.from({ length: 200 }, (_, number) => listen(number))
  while (told.size < 200) {
    await store.write([{ kind: 'put', container: 'cages', key: { partition: ['c1'], id: 'c1' }, body: { id: 'c1', name: 'New' } }])
    for (let turn = 0; turn < 20; turn++) {
      inTurn = 0
      await nextTurn()
    }
  }
  // Two batches at most fall between two looks at the count.
  expect(most).toBeLessThanOrEqual(40)
  await stream.stop()
  await Promise.all(listening)
})

test('events wait for their turn beside operations, are never refused, and take every other turn', async () => {
  const admission = new Admission({ maxRunning: 1, maxWaiting: 2 })
  expect(admission.enter(false)).toBe(true)
  const order: string[] = []
  const events = ['event 1', 'event 2', 'event 3'].map((name) => admission.withinTurn(async () => void order.push(name)))
  const operations = ['operation 1', 'operation 2'].map((name) => admission.within(() => void order.push(name), () => void order.push('refused'), false, undefined))
  expect(admission.waiting).toBe(5)
  expect(await admission.within(() => 'admitted', () => 'refused', false, undefined)).toBe('refused')
  admission.leave()
  await Promise.all([...events, ...operations])
  expect(order).toEqual(['event 1', 'operation 1', 'event 2', 'operation 2', 'event 3'])
  expect([admission.running, admission.waiting]).toEqual([0, 0])
})

function open(zoo: Zoo, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(`http://127.0.0.1:${zoo.port}/graphql`, {
    method: 'POST', headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers }, body: JSON.stringify({ query: 'subscription { cageChanged { name } }' }), signal: signal ?? null,
  })
}

const from = (address: string) => ({ 'x-forwarded-for': address })

describe('the limit for one caller', () => {
  test('an address without a viewer holds only some, and one that ends makes room', async () => {
    const { zoo } = await openCages({ load: { subscriptions: 10, subscriptionsPerCaller: 2, proxies: 1 } })
    const ending = new AbortController()
    expect((await open(zoo, from('192.0.2.1'), ending.signal)).status).toBe(200)
    expect((await open(zoo, from('192.0.2.1'))).status).toBe(200)
    const refused = await open(zoo, from('192.0.2.1'))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
    expect(await refused.text()).toContain('"code":"RATE_LIMITED"')
    expect((await open(zoo, from('192.0.2.2'))).status).toBe(200)
    ending.abort()
    await vi.waitFor(async () => expect((await open(zoo, from('192.0.2.1'))).status).toBe(200), { timeout: 20_000 })
  })

  test('a viewer is one caller from wherever it connects', async () => {
    const identity = { viewerOf: (headers: { get(name: string): string | null }) => ({ id: headers.get('x-who')!, roles: new Set<string>(), tenant: undefined }) }
    const { zoo } = await openCages({ identity, load: { subscriptionsPerCaller: 1, proxies: 1 } })
    expect((await open(zoo, { 'x-who': 'ada', 'x-forwarded-for': '192.0.2.1' })).status).toBe(200)
    expect((await open(zoo, { 'x-who': 'ada', 'x-forwarded-for': '192.0.2.2' })).status).toBe(429)
    expect((await open(zoo, { 'x-who': 'bob', 'x-forwarded-for': '192.0.2.1' })).status).toBe(200)
  })

  test('requests without a socket, which cannot be told apart, have only the limit for all', async () => {
    const { zoo } = await openCages({ load: { subscriptions: 3, subscriptionsPerCaller: 1 } })
    const many = await Promise.all(Array.from({ length: 3 }, () => subscribe<EventResult>(zoo.gateway, { query: 'subscription { cageChanged { name } }' })))
    expect((await nextOfEach(zoo, many)).every((event) => event?.data !== undefined)).toBe(true)
    await Promise.all(many.map((events) => events.end()))
  })
})

test('a subscription of a client that asks for it closes its connection at the end', async () => {
  const { zoo } = await openCages()
  const answerTo = async (connection: string): Promise<string> => {
    const socket = connect(zoo.port, '127.0.0.1')
    const body = JSON.stringify({ query: 'subscription { cageChanged { name } }' })
    socket.write(`POST /graphql HTTP/1.1\r\nhost: x\r\nconnection: ${connection}\r\ncontent-type: application/json\r\naccept: text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    const [head] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    return String(head).toLowerCase()
  }
  expect(await answerTo('close')).toContain('connection: close')
  expect(await answerTo('keep-alive')).toContain('connection: keep-alive')
})
