// Requests below the SDK and their retries, with a service whose responses each test defines. Waiting is
// recorded instead of done.

import { createHttpHeaders, createPipelineRequest, RestError, type HttpClient, type PipelineRequest } from '@azure/core-rest-pipeline'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ServiceClock } from '../../../src/store/cosmos/request/service-clock.ts'
import { CallScope } from '../../../src/store/cosmos/request/call-scope.ts'
import { createTransport } from '../../../src/store/cosmos/request/transport.ts'
import { StoreUnavailableError } from '../../../src/store/store-errors.ts'
import type { Receipt } from '../../../src/store/store.ts'

const waits: number[] = []
let onWait: () => void = () => undefined

vi.mock('node:timers/promises', () => ({
  setTimeout: async (ms: number) => {
    waits.push(ms)
    onWait()
  },
}))

beforeEach(() => {
  waits.length = 0
  onWait = () => undefined
})

/** The maximum number of tries, and that for a request that does not arrive. */
const maxTries = 24
const mostNetworkTries = 5

type Reply = { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown } | { readonly error: Error }

/** Responds with one reply after the other, then repeats the last one. */
function service(...replies: readonly Reply[]) {
  const sent: PipelineRequest[] = []
  const http: HttpClient = {
    async sendRequest(request) {
      const reply = replies[Math.min(sent.push(request), replies.length) - 1]!
      if ('error' in reply) throw reply.error
      return { request, status: reply.status, headers: createHttpHeaders(reply.headers), bodyAsText: JSON.stringify(reply.body ?? {}) }
    },
  }
  return { http, sent }
}

function documentRequest(options: { url?: string; method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string; abortSignal?: AbortSignal } = {}): PipelineRequest {
  const { url = 'https://account/dbs/d/colls/books/docs/b1', headers = {}, ...rest } = options
  return createPipelineRequest({ url, method: 'GET', headers: createHttpHeaders(headers), ...rest })
}

function scopeFor(call: Partial<Pick<Receipt, 'operation' | 'keys'>> = {}, limits: Partial<{ deadlineMs: number; requests: number }> = {}) {
  const receipts: Receipt[] = []
  const scope = new CallScope({ operation: 'read', container: 'books', keys: 1, ...call }, (receipt) => receipts.push(receipt), { deadlineMs: 60_000, requests: 1000, ...limits })
  return { scope, receipts }
}

const ok = { status: 200 }
const networkError = (code = 'REQUEST_SEND_ERROR'): Reply => ({ error: new RestError('socket hang up', { code }) })

describe('a throttled request', () => {
  test.each([[0], [0.5], [0.999]])('waits as long as the service says and at most twice that (random %d)', async (random) => {
    const { http, sent } = service({ status: 429, headers: { 'x-ms-retry-after-ms': '40' } }, ok)
    expect(await createTransport(http, new ServiceClock(), () => random).sendRequest(documentRequest())).toMatchObject({ status: 200 })
    expect(sent).toHaveLength(2)
    expect(waits).toEqual([40 * (1 + random)])
    expect(waits[0]).toBeGreaterThanOrEqual(40)
    expect(waits[0]).toBeLessThan(80)
  })

  test('waits a little if the service does not say how long, or says not to', async () => {
    const { http } = service({ status: 429 }, { status: 429, headers: { 'x-ms-retry-after-ms': '0' } }, ok)
    await createTransport(http, new ServiceClock(), () => 0).sendRequest(documentRequest())
    expect(waits).toEqual([10, 1])
  })

  test('is repeated unchanged', async () => {
    const { http, sent } = service({ status: 429 }, ok)
    const request = documentRequest({ headers: { 'x-ms-session-token': '0:1#2' }, body: '{"id":"b1"}' })
    await createTransport(http, new ServiceClock()).sendRequest(request)
    expect(sent).toEqual([request, request])
  })
})

describe('transient errors are retried', () => {
  test.each<[string, Reply]>([
    ['408', { status: 408 }],
    ['429', { status: 429 }],
    ['449', { status: 449 }],
    ['503', { status: 503 }],
    ['410 of a partition that moves', { status: 410, headers: { 'x-ms-substatus': '0' } }],
    ['410 that does not say why', { status: 410 }],
    ['410 of a server that is busy', { status: 410, headers: { 'x-ms-substatus': '1008' } }],
    ...['1000', '1002', '1007'].map((substatus): [string, Reply] => [`410/${substatus} of a request that names a key`, { status: 410, headers: { 'x-ms-substatus': substatus } }]),
    ['404 of a replica that is behind the session', { status: 404, headers: { 'x-ms-substatus': '1002' } }],
    ['a request that did not arrive', networkError()],
    ['an answer that broke off', networkError('PARSE_ERROR')],
  ])('%s', async (_, reply) => {
    const { http, sent } = service(reply, reply, { status: 201 })
    expect(await createTransport(http, new ServiceClock()).sendRequest(documentRequest())).toMatchObject({ status: 201 })
    expect(sent).toHaveLength(3)
  })

  test('with growing, random waits of at most a second and a half', async () => {
    for (const status of [408, 449, 503]) {
      waits.length = 0
      await createTransport(service({ status }).http, new ServiceClock(), () => 0.5).sendRequest(documentRequest())
      expect(waits).toEqual(waits.toSorted((one, other) => one - other))
      expect(waits[0]).toBeLessThan(25)
      expect(waits.at(-1)).toBe(1000)
      const exact = [...waits]
      for (const [random, factor] of [[0, 0.5], [0.9, 1.4]] as const) {
        waits.length = 0
        await createTransport(service({ status }).http, new ServiceClock(), () => random).sendRequest(documentRequest())
        expect(waits).toEqual(exact.map((ms) => expect.closeTo(ms * factor, 6)))
      }
    }
  })
})

describe('other responses are returned at once', () => {
  test.each([200, 201, 204, 207, 304, 400, 401, 403, 404, 409, 412, 413, 500])('%i', async (status) => {
    const { http, sent } = service({ status }, ok)
    expect(await createTransport(http, new ServiceClock()).sendRequest(documentRequest())).toMatchObject({ status })
    expect(sent).toHaveLength(1)
    expect(waits).toEqual([])
  })

  test.each(['1000', '1002', '1007'])('410 of a partition that the request names and that is replaced (%s): only the caller can find the new ones', async (substatus) => {
    const { http, sent } = service({ status: 410, headers: { 'x-ms-substatus': substatus } }, ok)
    expect(await createTransport(http, new ServiceClock()).sendRequest(documentRequest({ headers: { 'x-ms-documentdb-partitionkeyrangeid': '0' } }))).toMatchObject({ status: 410 })
    expect(sent).toHaveLength(1)
  })

  test.each<[string, Error]>([
    ['a request that was called off', Object.assign(new RestError('aborted', { code: 'REQUEST_SEND_ERROR' }), { name: 'AbortError' })],
    ['an error of the program', new TypeError('undefined is not a function')],
  ])('%s', async (_, error) => {
    const { http, sent } = service({ error }, ok)
    await expect(createTransport(http, new ServiceClock()).sendRequest(documentRequest())).rejects.toBe(error)
    expect(sent).toHaveLength(1)
  })
})

describe('retries end', () => {
  test.each([408, 429, 449, 503])('the last %i is returned', async (status) => {
    const replies = Array.from({ length: maxTries }, (_, nth) => ({ status, body: { nth } }))
    const { http, sent } = service(...replies, ok)
    const response = await createTransport(http, new ServiceClock()).sendRequest(documentRequest())
    expect(response).toMatchObject({ status, bodyAsText: JSON.stringify({ nth: maxTries - 1 }) })
    expect(sent).toHaveLength(maxTries)
    expect(waits).toHaveLength(maxTries - 1)
  })

  test('a partition that keeps moving counts as unavailable, not as gone', async () => {
    const { http, sent } = service({ status: 410, headers: { 'x-ms-substatus': '0' } })
    expect(await createTransport(http, new ServiceClock()).sendRequest(documentRequest())).toMatchObject({ status: 503 })
    expect(sent).toHaveLength(maxTries)
  })

  test('a replica that stays behind the session counts as unavailable, not as missing', async () => {
    const { http, sent } = service({ status: 404, headers: { 'x-ms-substatus': '1002' } })
    expect(await createTransport(http, new ServiceClock()).sendRequest(documentRequest())).toMatchObject({ status: 503 })
    expect(sent).toHaveLength(maxTries)
  })

  test.each<[string, number, Reply, Parameters<typeof documentRequest>[0]]>([
    ['a read that one region cannot answer', 4, { status: 503 }, {}],
    ['a read that times out in one region', 4, { status: 408 }, {}],
    ['a read that is behind the session in one region', 4, { status: 404, headers: { 'x-ms-substatus': '1002' } }, {}],
    ['a query that one region cannot answer', 4, { status: 503 }, { method: 'POST', headers: { 'x-ms-documentdb-isquery': 'true' } }],
    ['a write, which only one region takes', maxTries, { status: 503 }, { method: 'POST' }],
    ['a read that is throttled', maxTries, { status: 429 }, {}],
  ])('with several regions, %s is sent %i times', async (_, tries, reply, options) => {
    const { http, sent } = service(reply)
    expect(await createTransport(http, new ServiceClock(), Math.random, undefined, { several: true }).sendRequest(documentRequest(options))).toMatchObject({ status: expect.any(Number) as number })
    expect(sent).toHaveLength(tries)
  })

  test('requests that do not arrive are retried a few times', async () => {
    const { http, sent } = service(networkError())
    await expect(createTransport(http, new ServiceClock()).sendRequest(documentRequest())).rejects.toMatchObject({ code: 'REQUEST_SEND_ERROR' })
    expect(sent).toHaveLength(mostNetworkTries)
  })

  test('an abort while it waits returns the last response', async () => {
    const controller = new AbortController()
    const { http, sent } = service({ status: 429 }, { status: 503 }, ok)
    onWait = () => { if (waits.length === 2) controller.abort() }
    expect(await createTransport(http, new ServiceClock()).sendRequest(documentRequest({ abortSignal: controller.signal }))).toMatchObject({ status: 503 })
    expect(sent).toHaveLength(2)
  })

  test('an abort after a request that did not arrive throws its error', async () => {
    const controller = new AbortController()
    onWait = () => { controller.abort() }
    await expect(createTransport(service(networkError(), ok).http, new ServiceClock()).sendRequest(documentRequest({ abortSignal: controller.signal }))).rejects.toThrow('socket hang up')
  })
})

describe('every request is reported to the meter', () => {
  test('with its own charge, its wave, and the keys once', async () => {
    const { http } = service(
      { status: 429, headers: { 'x-ms-request-charge': '0.38' } },
      networkError(),
      { status: 503 },
      { status: 200, headers: { 'x-ms-request-charge': '3.14', 'x-ms-item-count': '2' } },
    )
    const transport = createTransport(http, new ServiceClock())
    const { scope, receipts } = scopeFor({ operation: 'query', keys: 5 })
    await scope.run(() => transport.sendRequest(documentRequest({ url: 'https://account/dbs/d/colls/books/docs' })))
    expect(receipts.map(({ operation, container, keys, documents, wave, requestCharge }) => ({ operation, container, keys, documents, wave, requestCharge }))).toEqual([
      { operation: 'query', container: 'books', keys: 5, documents: 0, wave: 0, requestCharge: 0.38 },
      { operation: 'query', container: 'books', keys: 0, documents: 0, wave: 1, requestCharge: 0 },
      { operation: 'query', container: 'books', keys: 0, documents: 0, wave: 2, requestCharge: 0 },
      { operation: 'query', container: 'books', keys: 0, documents: 2, wave: 3, requestCharge: 3.14 },
    ])
  })

  test.each<[string, number, Parameters<typeof documentRequest>[0], Reply]>([
    ['a document that was read is one', 1, {}, ok],
    ['one that is missing is none', 0, {}, { status: 404 }],
    ['those on a page are as many as it says', 7, { url: 'https://account/dbs/d/colls/books/docs' }, { status: 200, headers: { 'x-ms-item-count': '7' } }],
    ['an empty page has none', 0, { url: 'https://account/dbs/d/colls/books/docs' }, { status: 200, headers: { 'x-ms-item-count': '0' } }],
    ['a count has none', 0, { url: 'https://account/dbs/d/colls/books/docs', body: '{"query":"SELECT VALUE COUNT(1) FROM c"}' }, { status: 200, headers: { 'x-ms-item-count': '1' } }],
    ['a batch has its operations', 3, { url: 'https://account/dbs/d/colls/books/docs', headers: { 'x-ms-cosmos-is-batch-request': 'true' } }, ok],
    ['a batch that was refused has none', 0, { url: 'https://account/dbs/d/colls/books/docs', headers: { 'x-ms-cosmos-is-batch-request': 'true' } }, { status: 207 }],
    ['physical partitions are no documents', 0, { url: 'https://account/dbs/d/colls/books/pkranges' }, { status: 200, headers: { 'x-ms-item-count': '4' } }],
  ])('with its documents: %s', async (_, documents, options, reply) => {
    const { scope, receipts } = scopeFor({ keys: 3 })
    await scope.run(() => createTransport(service(reply).http, new ServiceClock()).sendRequest(documentRequest(options)))
    expect(receipts).toMatchObject([{ documents }])
  })

  test('concurrent requests share a wave, and a request after both is in a later one', async () => {
    const transport = createTransport(service({ status: 429 }, ok).http, new ServiceClock())
    const { scope, receipts } = scopeFor({ keys: 5 })
    const forks = [scope.fork(3), scope.fork(2)]
    for (const fork of forks) await fork.run(() => transport.sendRequest(documentRequest()))
    scope.join(forks)
    await scope.run(() => transport.sendRequest(documentRequest()))
    expect(receipts.map(({ wave, keys }) => [wave, keys])).toEqual([[0, 3], [1, 0], [0, 2], [2, 5]])
  })

  test('except outside a store call, as while containers are set up', async () => {
    expect(await createTransport(service({ status: 429 }, ok).http, new ServiceClock()).sendRequest(documentRequest())).toMatchObject({ status: 200 })
  })
})

test.each<[boolean, string, Reply]>([
  [true, '408', { status: 408 }],
  [true, '410', { status: 410 }],
  [true, '503', { status: 503 }],
  [true, 'a request that did not arrive', networkError()],
  [false, '429', { status: 429 }],
  [false, '449', { status: 449 }],
])('whether a request may have been carried out (%s) after %s', async (maybeApplied, _, reply) => {
  const { scope } = scopeFor()
  const fork = scope.fork()
  await fork.run(() => createTransport(service(reply, ok).http, new ServiceClock()).sendRequest(documentRequest()))
  expect(fork.maybeApplied).toBe(maybeApplied)
  expect(scope.maybeApplied).toBe(false)
  scope.join([fork])
  expect(scope.maybeApplied).toBe(maybeApplied)
})

test('a query plan is answered without a request', async () => {
  const { http, sent } = service(ok)
  const { scope, receipts } = scopeFor({}, { requests: 0 })
  const request = documentRequest({ headers: { 'x-ms-cosmos-is-query-plan-request': 'True' } })
  expect(await scope.run(() => createTransport(http, new ServiceClock()).sendRequest(request))).toMatchObject({ request, status: 200, bodyAsText: '{}' })
  expect([sent, receipts]).toEqual([[], []])
})

test.each([['http://127.0.0.1:8081/dbs/d', true], ['https://account/dbs/d', false]])('only an http endpoint is requested over http: %s', async (url, plain) => {
  const { http, sent } = service(ok)
  await createTransport(http, new ServiceClock()).sendRequest(documentRequest({ url }))
  expect(sent).toMatchObject([{ allowInsecureConnection: plain }])
})

test('the clock observes the date of every response, including those that are retried', async () => {
  const date = 'Tue, 01 Jan 2030 00:00:00 GMT'
  const observe = vi.spyOn(ServiceClock.prototype, 'observe')
  const { http } = service({ status: 429, headers: { date } }, networkError(), ok)
  await createTransport(http, new ServiceClock()).sendRequest(documentRequest())
  expect(observe.mock.calls.map(([said]) => said)).toEqual([date, undefined])
  observe.mockRestore()
})

describe('one call of the store', () => {
  test('sends a limited number of requests', async () => {
    const { http, sent } = service(ok)
    const transport = createTransport(http, new ServiceClock())
    const { scope, receipts } = scopeFor({}, { requests: 30 })
    const endless = scope.run(async () => {
      for (;;) await transport.sendRequest(documentRequest())
    })
    await expect(endless).rejects.toThrow(new StoreUnavailableError('Cosmos DB needed too many requests for one call: the partitions of the container keep changing. Try again.'))
    expect([sent.length, receipts.length]).toEqual([30, 30])
  })

  test('shares that limit among concurrent requests, and counts retries', async () => {
    const { http, sent } = service({ status: 503 })
    const transport = createTransport(http, new ServiceClock())
    const { scope } = scopeFor({}, { requests: 20 })
    const all = await Promise.allSettled([1, 2, 3].map(() => scope.fork().run(() => transport.sendRequest(documentRequest()))))
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(all.map((each) => 'reason' in each && each.reason instanceof StoreUnavailableError)).toEqual([true, true, true])
    expect(sent).toHaveLength(20)
  })

  test('ends at its deadline, even if no response ever comes', async () => {
    const never: HttpClient = { sendRequest: () => new Promise(() => undefined) }
    const { scope } = scopeFor({}, { deadlineMs: 20 })
    const { signal } = scope
    const asked = scope.run(() => createTransport(never, new ServiceClock()).sendRequest(documentRequest({ abortSignal: signal })))
    await expect(asked).rejects.toThrow(new StoreUnavailableError('Cosmos DB did not answer in 20 ms.'))
    expect(signal.aborted).toBe(true)
  })

  test('sends nothing after its deadline, not even from later forks', async () => {
    const { http, sent } = service(ok)
    const transport = createTransport(http, new ServiceClock())
    const { scope } = scopeFor({}, { deadlineMs: 1 })
    await new Promise((resolve) => { scope.signal.addEventListener('abort', resolve, { once: true }) })
    await expect(scope.fork().run(() => transport.sendRequest(documentRequest()))).rejects.toThrow(new StoreUnavailableError('Cosmos DB did not answer in 1 ms.'))
    expect(sent).toEqual([])
  })
})
