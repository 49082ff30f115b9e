// What GraphiQL's fetcher sends and what it records for the panel, with a real gateway.

import { parse } from 'graphql'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Gateway } from '../../src/http/gateway-server.ts'
import { createGateway } from '../../src/gateway.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { createFetcher } from '../../web/graphiql/fetcher.ts'
import { Runs, type Run } from '../../web/graphiql/runs.ts'
import { events } from '../../web/graphiql/events.ts'

const typeDefs = `
  type Cage @document(container: "cages") { id: ID! beast: Beast @snapshot(at: "beast", fields: ["name"]) }
  type Beast @document(container: "beasts") { id: ID! name: String! age: Int }
`

let gateway: Gateway
let sent: { body: { query: string; operationName?: string | null }; headers: Headers }[]
let runs: Runs
beforeEach(async () => {
  gateway = await createGateway({ typeDefs, store: openMemoryStore, openWrites: true })
  sent = []
  runs = new Runs()
  vi.stubGlobal('location', { pathname: '/graphql' })
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    sent.push({ body: JSON.parse(init.body as string) as (typeof sent)[number]['body'], headers: new Headers(init.headers) })
    return gateway.fetch(`http://quire${path}`, init)
  })
  await ask('mutation { createBeast(input: { id: "b1", name: "Leo" }) { beast { id } } }')
  await ask('mutation { createCage(input: { id: "c1", beastId: "b1" }) { cage { id } } }')
  sent = []
})
afterEach(() => vi.unstubAllGlobals())

async function ask(query: string, operationName?: string): Promise<unknown> {
  return createFetcher(runs, false)({ query, operationName: operationName ?? null }, { documentAST: parse('{ stale: __typename }') })
}

/** The run in the open tab, once it has ended. */
async function settled(): Promise<Run> {
  return vi.waitUntil(() => {
    const run = runs.of('')
    return run && run.state !== 'running' && run.batched.state !== 'running' ? run : undefined
  })
}

describe('a query', () => {
  test('that snapshots answered is measured again without them', async () => {
    const query = '{ cages { nodes { beast { name } } } }'
    expect(await ask(query)).toMatchObject({ data: { cages: { nodes: [{ beast: { name: 'Leo' } }] } } })
    const run = await settled()
    expect(run).toMatchObject({ state: 'answered', text: query, problems: [], costReport: { made: { roundTrips: 1 }, naive: { roundTrips: 2 } } })
    expect(run.batched).toMatchObject({ state: 'measured', made: { roundTrips: 2, waves: 2 } })
    expect(sent.map(({ headers }) => headers.get('quire-trace'))).toEqual(['1', '1'])
    expect(sent[1]?.body.query).toContain('query @read(from: REFERENCE)')
  })

  test('that used no snapshot is the batched run itself', async () => {
    await ask('{ cages { nodes { beast { age } } } }')
    const run = await settled()
    expect(run.batched).toEqual({ state: 'same', made: run.costReport?.made })
    expect(sent).toHaveLength(1)
  })

  test('is sent with its own name, even if GraphiQL still has that of the previous tab', async () => {
    await ask('query Now { cages { totalCount } }', 'Before')
    expect(sent[0]?.body.operationName).toBe('Now')
    expect(await settled()).toMatchObject({ operationName: 'Now', problems: [] })
  })

  test('that is refused reports message and code', async () => {
    await ask('{ lions }')
    expect(runs.of('')).toMatchObject({ state: 'answered', costReport: undefined, problems: [{ message: expect.stringContaining('lions') as string, code: 'GRAPHQL_VALIDATION_FAILED' }] })
  })

  test('is shown only in its own tab', async () => {
    runs.tab = 'one'
    await ask('{ cages { totalCount } }')
    runs.tab = 'two'
    expect(runs.of('one')?.costReport?.made.roundTrips).toBe(1)
    expect(runs.of('two')).toBeUndefined()
  })
})

test('a mutation is not run twice', async () => {
  await ask('mutation { createBeast(input: { name: "Ada" }) { beast { name } } }')
  expect((await settled()).batched).toEqual({ state: 'not run', because: expect.stringContaining('mutation') as string })
  expect(sent).toHaveLength(1)
})

test('a naive gateway has no batched run to compare', async () => {
  await createFetcher(runs, true)({ query: '{ cages { nodes { beast { name } } } }' })
  expect((await settled()).batched).toEqual({ state: 'not run', because: expect.stringContaining('naive') as string })
})

test('requests after a mutation carry its session, so that they see the write', async () => {
  const fetcher = createFetcher(runs, false)
  await fetcher({ query: 'mutation { createBeast(input: { name: "Ada" }) { beast { name } } }' })
  await fetcher({ query: '{ beasts { totalCount } }' })
  expect(sent.map(({ headers }) => headers.has('quire-session'))).toEqual([false, true])
})

test('introspection is not recorded as a run', async () => {
  await ask('query IntrospectionQuery { __schema { queryType { name } } }', 'IntrospectionQuery')
  expect(runs.of('')?.text).not.toContain('IntrospectionQuery')
})

test('a gateway that does not answer is reported', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(ask('{ cages { totalCount } }')).rejects.toThrow('No answer from the gateway. Is it still running?')
  expect(runs.of('')).toMatchObject({ state: 'unreachable', costReport: undefined, problems: [{ message: 'No answer from the gateway. Is it still running?' }] })
})

test('an answer that is not JSON is reported with its status', async () => {
  vi.stubGlobal('location', { pathname: '/graphql' })
  vi.stubGlobal('fetch', async () => new Response('<h1>Bad gateway</h1>', { status: 502 }))
  await expect(ask('{ cages { totalCount } }')).rejects.toThrow('status 502')
})

describe('a subscription', () => {
  test('yields each event and reports it', async () => {
    vi.stubGlobal('location', { pathname: '/graphql' })
  vi.stubGlobal('fetch', async () => new Response(`:\n\n${result(1)}${result(2)}event: complete\ndata\n\n`, { headers: { 'content-type': 'text/event-stream' } }))
    const seen = []
    for await (const each of (await ask('subscription { n }')) as AsyncIterable<unknown>) seen.push([each, runs.of('')?.costReport?.made.roundTrips])
    expect(seen).toMatchObject([[{ data: { n: 1 } }, 1], [{ data: { n: 2 } }, 2]])
  })

  test('can be split into chunks anywhere', async () => {
    const bytes = new TextEncoder().encode(result(1) + result(2))
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
    expect(await Array.fromAsync(events(new Response(body)), ({ data }) => data)).toEqual([{ n: 1 }, { n: 2 }])
  })

  test('ends at once when the consumer stops', async () => {
    let cancelled = false
    const body = new ReadableStream({
      cancel() {
        cancelled = true
      },
    })
    const waiting = events(new Response(body))
    const next = waiting.next()
    await waiting.return(undefined)
    expect(cancelled).toBe(true)
    expect(await next).toEqual({ done: true, value: undefined })
  })
})

function result(n: number): string {
  return `event: next\ndata: {"data":{"n":${n}},"extensions":{"quire":{"made":{"roundTrips":${n}}}}}\n\n`
}
