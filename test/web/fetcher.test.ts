// What the page asks of the gateway and what it writes down for the panel, against a real gateway.

import { parse } from 'graphql'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createGateway, type Gateway } from '../../src/gateway.ts'
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

/** The run in the open tab, when nothing of it is under way any more. */
async function settled(): Promise<Run> {
  return vi.waitUntil(() => {
    const run = runs.of('')
    return run && run.state !== 'running' && run.batched.state !== 'running' ? run : undefined
  })
}

describe('a query', () => {
  test('that copies answered is measured again without them', async () => {
    const query = '{ cages { nodes { beast { name } } } }'
    expect(await ask(query)).toMatchObject({ data: { cages: { nodes: [{ beast: { name: 'Leo' } }] } } })
    const run = await settled()
    expect(run).toMatchObject({ state: 'answered', text: query, problems: [], account: { made: { roundTrips: 1 }, naive: { roundTrips: 2 } } })
    expect(run.batched).toMatchObject({ state: 'measured', made: { roundTrips: 2, waves: 2 } })
    expect(sent.map(({ headers }) => headers.get('quire-trace'))).toEqual(['1', '1'])
    expect(sent[1]?.body.query).toContain('query @read(from: REFERENCE)')
  })

  test('that used no copy is the batched run itself', async () => {
    await ask('{ cages { nodes { beast { age } } } }')
    const run = await settled()
    expect(run.batched).toEqual({ state: 'same', made: run.account?.made })
    expect(sent).toHaveLength(1)
  })

  test('is asked by its own name, whatever the editor believes a moment after changing tabs', async () => {
    await ask('query Now { cages { totalCount } }', 'Before')
    expect(sent[0]?.body.operationName).toBe('Now')
    expect(await settled()).toMatchObject({ operationName: 'Now', problems: [] })
  })

  test('that is refused says why, with its code', async () => {
    await ask('{ lions }')
    expect(runs.of('')).toMatchObject({ state: 'answered', account: undefined, problems: [{ message: expect.stringContaining('lions') as string, code: 'GRAPHQL_VALIDATION_FAILED' }] })
  })

  test('is only what its own tab shows', async () => {
    runs.tab = 'one'
    await ask('{ cages { totalCount } }')
    runs.tab = 'two'
    expect(runs.of('one')?.account?.made.roundTrips).toBe(1)
    expect(runs.of('two')).toBeUndefined()
  })
})

test('a mutation is not run twice', async () => {
  await ask('mutation { createBeast(input: { name: "Ada" }) { beast { name } } }')
  expect((await settled()).batched).toEqual({ state: 'not run', because: 'a mutation that runs twice writes twice' })
  expect(sent).toHaveLength(1)
})

test('a gateway that goes the naive way has nothing batched to show', async () => {
  await createFetcher(runs, true)({ query: '{ cages { nodes { beast { name } } } }' })
  expect((await settled()).batched).toEqual({ state: 'not run', because: 'this gateway was started to go the naive way' })
})

test('who wrote something sees it: the session of a mutation goes with what follows', async () => {
  const fetcher = createFetcher(runs, false)
  await fetcher({ query: 'mutation { createBeast(input: { name: "Ada" }) { beast { name } } }' })
  await fetcher({ query: '{ beasts { totalCount } }' })
  expect(sent.map(({ headers }) => headers.has('quire-session'))).toEqual([false, true])
})

test('asking for the schema is no run', async () => {
  await ask('query IntrospectionQuery { __schema { queryType { name } } }', 'IntrospectionQuery')
  expect(runs.of('')?.text).not.toContain('IntrospectionQuery')
})

test('a gateway that is gone is said to be', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(ask('{ cages { totalCount } }')).rejects.toThrow('The gateway does not answer. Is it still running?')
  expect(runs.of('')).toMatchObject({ state: 'unreachable', account: undefined, problems: [{ message: 'The gateway does not answer. Is it still running?' }] })
})

test('what is no JSON is said to be none', async () => {
  vi.stubGlobal('fetch', async () => new Response('<h1>Bad gateway</h1>', { status: 502 }))
  await expect(ask('{ cages { totalCount } }')).rejects.toThrow('The gateway answered with status 502 and without JSON.')
})

describe('a subscription', () => {
  test('is a row of answers', async () => {
    vi.stubGlobal('fetch', async () => new Response(`:\n\n${result(1)}${result(2)}event: complete\ndata\n\n`, { headers: { 'content-type': 'text/event-stream' } }))
    const seen = []
    for await (const each of (await ask('subscription { n }')) as AsyncIterable<unknown>) seen.push([each, runs.of('')?.account?.made.roundTrips])
    expect(seen).toMatchObject([[{ data: { n: 1 } }, 1], [{ data: { n: 2 } }, 2]])
  })

  test('can be cut anywhere on its way', async () => {
    const bytes = new TextEncoder().encode(result(1) + result(2))
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
    expect(await Array.fromAsync(events(new Response(body)), ({ data }) => data)).toEqual([{ n: 1 }, { n: 2 }])
  })

  test('ends at once when nobody listens any more', async () => {
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
