// Operations that could exceed the budget are refused before anything is read, on the fast path and in Yoga, with a message
// that says what to reduce.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requestState, type IncomingRequest } from '../../../src/auth/request-state.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { recordingStore, type RecordedCall } from '../../read/recording-store.ts'
import { serve, type Answer, type Served } from './serve.ts'

const budget = { requestCharge: 100, roundTrips: 4 }
const begun: IncomingRequest[] = []
let calls: RecordedCall[]
let quick: Served
let plain: Served
beforeAll(async () => {
  ;[quick, plain] = await Promise.all([
    serve({
      budget, observers: [{ begin: ({ request }) => void begun.push(request) }],
      store: async (layout) => {
        const recording = recordingStore(await openMemoryStore(layout))
        calls = recording.calls
        return recording.store
      },
    }),
    serve({ budget, compiles: false }),
  ])
})
afterAll(() => Promise.all([quick.close(), plain.close()]))
beforeEach(() => {
  calls.length = 0
})

const pages = 'query Pages($n: Int) { cages(first: $n) { nodes { id animals(first: $n) { nodes { id } } } } }'

/** What both gateways answer. */
async function both(query: string, variables?: object): Promise<Answer> {
  const answer = await plain.ask(query, variables)
  for (let time = 0; time < 3; time++) expect(await quick.ask(query, variables)).toEqual(answer)
  return answer
}

test('an operation that could cost too much is refused with the cost, the budget and the place that costs most', async () => {
  const { status, errors } = await both(pages, { n: 100_000 })
  expect(status).toBe(200)
  expect(errors).toEqual([{
    message: expect.stringContaining('113113 RU (max 100). Most of it is Cage.animals at cages.animals with 113000 RU'),
    locations: [{ line: 1, column: 54 }],
    extensions: { code: 'QUERY_TOO_COSTLY', cost: { roundTrips: 2, requestCharge: 113_113 }, budget, dearest: { field: 'Cage.animals', at: 'cages.animals' } },
  }])
  expect(calls).toEqual([])
})

test('a known operation is checked again for other page sizes', async () => {
  for (const n of [5, 5, 5]) expect((await both(pages, { n })).data).toMatchObject({ cages: { nodes: [{ id: 'c1' }, { id: 'c2' }] } })
  expect((await both(pages, { n: 100_000 })).errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COSTLY' } }])
  expect((await both(pages, { n: 5 })).errors).toBeUndefined()
})

function subscribe(first: number): Promise<Answer> {
  return quick.post({ query: `subscription { cageOpened { id animals(first: ${first}) { nodes { id } } } }` }, { accept: 'text/event-stream' })
}

describe('is refused', () => {
  test.each<[string, string, object?]>([
    ['a page whose size is written', '{ cages(first: 1000) { nodes { id } } }'],
    ['a page from the end', 'query ($n: Int) { cages(last: $n) { nodes { id } } }', { n: 1000 }],
    ['a page whose size is a default', 'query ($n: Int = 1000) { cages(first: $n) { nodes { id } } }'],
    ['pages that add up', `{ ${Array.from({ length: 10 }, (_, at) => `a${at}: cages(first: ${90 + at}) { nodes { id } }`).join(' ')} }`],
    ['the same page again and again', `{ ${Array.from({ length: 30 }, (_, at) => `a${at}: cages { nodes { id } }`).join(' ')} }`],
    ['pages that differ in their cursors', `query (${Array.from({ length: 6 }, (_, at) => `$c${at}: String`).join(' ')}) { ${Array.from({ length: 6 }, (_, at) => `a${at}: cages(first: 1, after: $c${at}) { nodes { id } }`).join(' ')} }`],
    ['what fragments hide', 'query { ...F } fragment F on Query { cages(first: 50) { ...G } } fragment G on CageConnection { nodes { ... on Cage { animals(first: 50) { nodes { id } } } } }'],
    ['what a mutation answers', 'mutation { updateCage(input: { id: "c1", name: "Larger" }) { cage { animals(first: 1000) { nodes { id } } } } }'],
    ['many mutations', `mutation { ${Array.from({ length: 5 }, (_, at) => `a${at}: updateCage(input: { id: "c1", name: "Larger" }) { cage { id } }`).join(' ')} }`],
    ['what is behind a global id', '{ node(nodeId: "x") { ... on Cage { animals(first: 1000) { nodes { id } } } } }'],
  ])('%s', async (_, query, variables) => {
    expect((await both(query, variables)).errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COSTLY' } }])
    expect(calls).toEqual([])
    expect((await quick.ask('{ cage(id: "c1") { name } }')).data).toEqual({ cage: { name: 'Big' } })
  })

  test('a GET', async () => {
    const path = `/graphql?query=${encodeURIComponent(pages)}&variables=${encodeURIComponent('{"n":1000}')}`
    for (const served of [quick, plain]) {
      for (let time = 0; time < 2; time++) expect((await served.send({ method: 'GET', path, headers: { 'graphql-require-preflight': '1' } })).errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COSTLY' } }])
    }
  })

  test('a traced request', async () => {
    expect((await quick.post({ query: pages, variables: { n: 1000 } }, { 'quire-trace': '1' })).errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COSTLY' } }])
  })

  test('with status 400 for clients that accept application/graphql-response+json', async () => {
    expect((await quick.post({ query: pages, variables: { n: 1000 } }, { accept: 'application/graphql-response+json' })).status).toBe(400)
  })

  test('a subscription whose events could cost too much, before the first event', async () => {
    expect((await subscribe(1000)).text).toContain('QUERY_TOO_COSTLY')
    expect(calls).toEqual([])
    expect((await subscribe(5)).text).toContain('"cageOpened":{"id":"c1","animals":{"nodes":[{"id":"lion"}]}}')
  })
})

test('a mutation that is refused writes nothing', async () => {
  await both('mutation { createKeeper(input: { id: "k7", name: "Tim" }) { keeper { favourites { cage { animals(first: 1000) { nodes { id } } } } } } }')
  expect((await quick.ask('{ keeper(id: "k7") { id } }')).data).toEqual({ keeper: null })
})

test('other errors of an operation are reported first', async () => {
  expect((await both(pages, { n: 'many' })).errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
  expect((await both(pages, { n: -1 })).errors).toMatchObject([{ message: 'first is -1. Give a number from 0 to 1000.' }])
})

test('a page larger than the max is clamped, and costs as clamped', async () => {
  const { data } = await quick.ask('{ keeper(id: "k1") { favourites { id } } cages(first: 90) { nodes { id } } }')
  expect(data).toMatchObject({ cages: { nodes: [{ id: 'c1' }, { id: 'c2' }] } })
  const open = await serve({ pageSizes: { default: 1, max: 1 } })
  for (let time = 0; time < 2; time++) expect((await open.ask('query ($n: Int) { cages(first: $n) { nodes { id } } }', { n: 100_000 })).data).toEqual({ cages: { nodes: [{ id: 'c1' }] } })
  await open.close()
})

test('the request state has the max cost, on the fast path and in Yoga', async () => {
  for (let time = 0; time < 2; time++) {
    begun.length = 0
    await quick.ask(pages, { n: 5 })
    expect(begun.map((request) => requestState(request).cost)).toEqual([20.1])
  }
})

test('there is a budget in production, and none in development', async () => {
  const [usual, friendly] = await Promise.all([serve(), serve({ development: true })])
  expect((await usual.ask(pages, { n: 1000 })).errors).toMatchObject([{ extensions: { budget: { requestCharge: 10_000, roundTrips: 100 } } }])
  expect((await usual.ask(pages, { n: 30 })).errors).toBeUndefined()
  expect((await friendly.ask(pages, { n: 1000 })).errors).toBeUndefined()
  await Promise.all([usual.close(), friendly.close()])
})

test('the error shows only limits that are set', async () => {
  const open = await serve({ budget: { requestCharge: Infinity, roundTrips: 1 } })
  expect((await open.ask(pages, { n: 10 })).errors).toMatchObject([{
    message: expect.stringContaining('2 round trips (max 1). Most of it is Cage.animals at cages.animals with 39 RU'),
    extensions: { budget: { roundTrips: 1 } },
  }])
  await open.close()
})
