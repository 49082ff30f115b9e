// Metrics compared with the cost reports of the same operations: the figures must be right, not only present.

import { afterEach, describe, expect, test } from 'vitest'
import type { CostReport } from '../../src/observe/cost-report.ts'
import { stores } from '../harness.ts'
import { readExposition, sampled as value, sumOf, type Family, type Sample } from './exposition.ts'
import { openZoo, type Zoo } from './zoo.ts'

const opened: Zoo[] = []
afterEach(async () => {
  for (const { gateway } of opened.splice(0)) await gateway.dispose()
})

async function open(options: Parameters<typeof openZoo>[0] = {}): Promise<Zoo> {
  const zoo = await openZoo({ openMetrics: true, ...options })
  opened.push(zoo)
  return zoo
}

async function scrape({ get }: Zoo): Promise<Map<string, Family>> {
  const response = await get('/metrics')
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  return readExposition(await response.text())
}

/** None fails while another of its calls is under way: a report has the calls that have ended. */
const operations = [
  '{ cages { nodes { beasts { name } } } }',
  'query Heavy { cages { nodes { beasts { name weight } keeper { name } } } }',
  '{ keepers { nodes { name cages { totalCount nodes { id } } } } }',
  '{ cage(id: "c1") { beasts { name } again: beasts { weight } } other: cage(id: "c2") { keeper { name } } }',
  '{ cage(id: "nobody") { id } }',
  '{ cage(id: "odd") { size } }',
  '{ cage(id: "c1") { id trouble } }',
  'mutation { createBeast(input: { id: "b9", name: "Zoe", weight: 3 }) { beast { name } } }',
  'mutation { a: updateBeast(input: { id: "b0", name: "Leon" }) { beast { name } } b: updateKeeper(input: { id: "k2", name: "Ben" }) { keeper { cages { nodes { beasts { name } } } } } }',
  'mutation { updateBeast(input: { id: "nobody", name: "X" }) { beast { name } } }',
  '{ nobody: node(nodeId: "nonsense") { nodeId } } ',
]

describe.each(stores)('on $name, metrics agree with the cost reports', ({ store }) => {
  test.each([['untraced', 0], ['traced', 1]])('%s', async (_, traced) => {
    // The same operations on two gateways, since metrics must not depend on tracing.
    const [reporting, counting] = [await openZoo({ store, propagates: false }), await open({ store, propagates: false })]
    opened.push(reporting)
    const reports: CostReport[] = []
    const errors: string[] = []
    const outcomes: string[] = []
    for (const query of operations) {
      const answer = await reporting.ask(query, { headers: { 'quire-trace': '1' } })
      reports.push(answer.costReport)
      errors.push(...(answer.errors ?? []).map(({ extensions }) => extensions.code))
      outcomes.push(answer.errors ? (answer.data ? 'partial' : 'failed') : 'ok')
      const { costReport } = await counting.ask(query, { headers: { 'quire-trace': String(traced) } })
      expect(costReport !== undefined).toBe(traced === 1)
    }
    const metrics = await scrape(counting)
    const calls = reports.flatMap((report) => report.calls)

    expect(value(metrics, 'quire_operations_total')).toBe(operations.length)
    expect(value(metrics, 'quire_operations_total', { type: 'mutation' })).toBe(3)
    expect(new Set(outcomes)).toEqual(new Set(['ok', 'partial', 'failed']))
    for (const outcome of new Set(outcomes)) expect(value(metrics, 'quire_operations_total', { outcome })).toBe(outcomes.filter((one) => one === outcome).length)
    expect(value(metrics, 'quire_operation_duration_seconds_count')).toBe(operations.length)
    expect(value(metrics, 'quire_request_duration_seconds_count', { route: 'graphql', status: '200' })).toBe(operations.length)

    for (const operation of ['read', 'query', 'count', 'write'] as const) {
      const made = calls.filter((call) => call.operation === operation)
      expect(made.length).toBeGreaterThan(0)
      for (const [container, some] of Map.groupBy(made, (call) => (call.container.includes(', ') ? 'several' : call.container))) {
        expect(value(metrics, 'quire_round_trips_total', { source: 'operation', container, operation })).toBe(some.length)
        expect(value(metrics, 'quire_request_charge_total', { source: 'operation', container, operation })).toBe(sumOf(some.map((call) => call.requestCharge)))
      }
      const keyed = made.filter(({ keys }) => keys > 0)
      expect(value(metrics, 'quire_round_trip_duration_seconds_count', { source: 'operation', operation })).toBe(made.length)
      expect(value(metrics, 'quire_round_trip_keys_count', { source: 'operation', operation })).toBe(keyed.length)
      expect(value(metrics, 'quire_round_trip_keys_sum', { source: 'operation', operation })).toBe(sumOf(keyed.map(({ keys }) => keys)))
    }
    const source = 'operation'
    expect(value(metrics, 'quire_round_trips_total', { source })).toBe(sumOf(reports.map(({ made }) => made.roundTrips)))
    const basis = reports[0]!.estimated ? 'estimated' : 'measured'
    expect(value(metrics, 'quire_request_charge_total', { source, basis })).toBe(sumOf(calls.map((call) => call.requestCharge)))
    expect(value(metrics, 'quire_request_charge_total', { source })).toBe(value(metrics, 'quire_request_charge_total', { source, basis }))
    expect(value(metrics, 'quire_operation_waves_sum')).toBe(sumOf(reports.map(({ made }) => made.waves)))

    const relations = reports.flatMap((report) => report.relations)
    for (const [field, some] of Map.groupBy(relations, (relation) => relation.field)) {
      for (const from of ['SNAPSHOT', 'REFERENCE']) {
        expect(value(metrics, 'quire_relations_resolved_total', { field, from }), `${field} ${from}`).toBe(sumOf(some.filter((relation) => relation.from === from).map(({ resolved }) => resolved)))
      }
    }
    expect(relations.filter(({ from }) => from === 'SNAPSHOT').length).toBeGreaterThan(0)

    expect(new Set(errors)).toEqual(new Set(['BAD_USER_INPUT', 'DOCUMENT_INVALID', 'INTERNAL_SERVER_ERROR', 'NOT_FOUND']))
    for (const code of new Set(errors)) expect(value(metrics, 'quire_errors_total', { code })).toBe(errors.filter((one) => one === code).length)

    const known = traced === 1 ? reports : []
    expect(value(metrics, 'quire_traced_operations_total')).toBe(known.length)
    for (const way of ['made', 'naive'] as const) {
      expect(value(metrics, 'quire_traced_round_trips_total', { way })).toBe(sumOf(known.map(({ [way]: cost }) => cost.roundTrips)))
      expect(value(metrics, 'quire_traced_request_charge_total', { way, basis: way === 'made' ? basis : 'estimated' })).toBe(sumOf(known.map(({ [way]: cost }) => cost.requestCharge)))
    }
  })
})

test('requests refused before their operation begins are counted by code', async () => {
  const zoo = await open()
  await zoo.ask('{')
  await zoo.ask('{ lions }')
  await zoo.ask('{ cages { totalCount } }', { headers: { 'quire-max-stale-ms': 'old' } })
  const metrics = await scrape(zoo)
  expect(value(metrics, 'quire_operations_total')).toBe(3)
  expect(value(metrics, 'quire_operations_total', { type: 'unknown', outcome: 'refused' })).toBe(3)
  for (const code of ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT']) expect(value(metrics, 'quire_errors_total', { code })).toBe(1)
})

/** Looks random, and is the same every time. */
const random = (index: number) => Math.trunc(Math.abs(Math.sin(index + 1)) * 1e15).toString(36)

test('nothing that clients send creates a new time series', async () => {
  const zoo = await open()
  const series = async (): Promise<Set<string>> => {
    const samples: Sample[] = [...(await scrape(zoo)).values()].filter(({ name }) => name.startsWith('quire_')).flatMap((family) => family.samples)
    return new Set(samples.map(({ name, labels }) => JSON.stringify([name, labels])))
  }
  const askAll = async (from: number, to: number) => {
    for (let index = from; index < to; index++) {
      const name = `Op_${random(index)}`
      await zoo.ask(`query ${name} { ${name}: cages(first: ${1 + (index % 5)}) { nodes { x${index}: beasts { name } } } }`, { operationName: name, headers: { 'x-request-id': name } })
      if (index % 10 !== 0) continue
      await zoo.ask(`query ${name} { unknown_${name} }`)
      await zoo.ask('{ __typename }', { operationName: name })
      await (await zoo.get(`/${name}`)).text()
    }
  }
  await askAll(0, 10)
  await series()
  const before = await series()
  await askAll(10, 1010)
  expect([...(await series())].filter((one) => !before.has(one))).toEqual([])
}, 120_000)

test('custom codes of resolvers are counted by name, up to 100', async () => {
  const { Metrics } = await import('../../src/observe/metrics.ts')
  const { GraphQLError } = await import('graphql')
  const metrics = new Metrics('estimated', { boundMs: () => 0, deadLetters: () => 0, partLagsMs: () => new Map(), catchUp: () => undefined, caches: () => ({ operations: 0, rows: 0, answers: 0, parsed: 0, documents: 0 }) })
  const request = new Request('http://quire/graphql')
  for (const code of ['TEAPOT', 'not a code', 'x'.repeat(1000), ...Array.from({ length: 500 }, (_, index) => `CODE_${index}`)]) {
    metrics.refuse({ request, errors: [new GraphQLError('', { extensions: { code } })] })
  }
  const { samples } = readExposition(await metrics.text()).get('quire_errors_total')!
  expect(samples).toHaveLength(101)
  expect(samples.find(({ labels }) => labels['code'] === 'TEAPOT')?.value).toBe(1)
  expect(samples.find(({ labels }) => labels['code'] === 'OTHER')?.value).toBe(503 - 100)
})

test('gauges are read at each scrape: staleness bound and process metrics', async () => {
  const zoo = await open({ freshness: () => ({ boundMs: 1500, watermark: 0 }) })
  const metrics = await scrape(zoo)
  expect(value(metrics, 'quire_copies_staleness_bound_seconds')).toBe(1.5)
  expect(value(metrics, 'process_resident_memory_bytes')).toBeGreaterThan(1e6)
  expect(value(metrics, 'nodejs_heap_size_used_bytes')).toBeGreaterThan(1e6)
})

test('a subscription counts as open until the client disconnects', async () => {
  const zoo = await open({ followEveryMs: 1 })
  const subscribe = () => zoo.get('/graphql?query=' + encodeURIComponent('subscription { beastChanged { name } }'), { headers: { accept: 'text/event-stream', 'graphql-require-preflight': '1' } })
  const readers = [(await subscribe()).body!.getReader(), (await subscribe()).body!.getReader()]
  for (const reader of readers) await reader.read()
  expect(value(await scrape(zoo), 'quire_subscriptions_open')).toBe(2)
  void readers[0]!.cancel()
  await expect.poll(async () => value(await scrape(zoo), 'quire_subscriptions_open')).toBe(1)
  void readers[1]!.cancel()
  await expect.poll(async () => value(await scrape(zoo), 'quire_subscriptions_open')).toBe(0)
})

const status = async (options: Parameters<typeof openZoo>[0]) => (await (await open({ openMetrics: undefined, ...options })).get('/metrics')).status

describe('/metrics', () => {
  test('is open in development and closed in production, unless the option says otherwise', async () => {
    expect(await status({ development: true })).toBe(200)
    expect(await status({ development: false })).toBe(404)
    expect(await status({ development: true, openMetrics: false })).toBe(404)
    expect(await status({ development: false, openMetrics: true })).toBe(200)
  })

  test('answers HEAD, and no POST', async () => {
    const zoo = await open()
    const head = await zoo.get('/metrics', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect((await zoo.get('/metrics', { method: 'POST', body: 'x' })).status).toBe(404)
  })
})

test('without observers, no round trip is metered', async () => {
  const metered: boolean[] = []
  const store = stores[0]!.store
  const zoo = await openZoo({
    store: async (layout) => {
      const real = await store(layout)
      return { ...real, lookIn: () => undefined, readMany: (container, keys, meter) => (metered.push(meter !== undefined), real.readMany(container, keys, meter)) }
    },
  })
  opened.push(zoo)
  metered.length = 0
  await zoo.ask('{ cage(id: "c1") { keeper { name } } }')
  expect(metered).toEqual([false, false])
})
