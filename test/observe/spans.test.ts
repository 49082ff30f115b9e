// Spans with the real OpenTelemetry SDK: which there are, below which parents, and with which attributes.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AlwaysOffSampler, InMemorySpanExporter, NodeTracerProvider, ParentBasedSampler, AlwaysOnSampler, SimpleSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-node'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { ownContainer } from '../../src/store/own-container.ts'
import { stores } from '../harness.ts'
import { openZoo, type Zoo } from './zoo.ts'

const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)], sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }) })
provider.register()
afterAll(() => provider.shutdown())
beforeEach(() => exporter.reset())

const spans = (): ReadableSpan[] => exporter.getFinishedSpans()
const operationSpans = (): ReadableSpan[] => spans().filter(({ kind }) => kind === SpanKind.SERVER)
const callsBelow = (span: ReadableSpan): ReadableSpan[] => spans().filter(({ parentSpanContext }) => parentSpanContext?.spanId === span.spanContext().spanId)
const nanoseconds = ([seconds, nanos]: readonly [number, number]): bigint => BigInt(seconds) * 1_000_000_000n + BigInt(nanos)

/** Where OpenTelemetry calls a store otherwise. */
const systems: Record<string, string> = { postgres: 'postgresql', cosmos: 'azure.cosmosdb' }

describe.each(stores)('on $name', ({ name, store }) => {
  test('a traced operation is a span with its cost, and every round trip a child of it', async () => {
    const zoo = await openZoo({ store, propagates: false })
    const { costReport } = await zoo.ask('query Heavy { cages { nodes { beasts { weight } named: beasts { name } keeper { name } } } }', { headers: { 'quire-trace': '1', 'x-request-id': 'r-1' } })
    await zoo.gateway.dispose()
    const [operation, ...others] = operationSpans()
    expect(others).toEqual([])
    expect(operation!.name).toBe('query Heavy')
    expect(operation!.parentSpanContext).toBeUndefined()
    expect(operation!.status.code).toBe(SpanStatusCode.UNSET)
    const rows = costReport.relations.map(({ resolved }) => resolved).reduce((one, other) => one + other)
    const copied = costReport.relations.filter(({ from }) => from === 'SNAPSHOT').map(({ resolved }) => resolved).reduce((one, other) => one + other)
    expect(operation!.attributes).toEqual({
      'graphql.operation.type': 'query', 'graphql.operation.name': 'Heavy', 'quire.request_id': 'r-1',
      'quire.round_trips': costReport.made.roundTrips, 'quire.waves': costReport.made.waves, 'quire.request_charge': costReport.made.requestCharge, 'quire.estimated': costReport.estimated,
      'quire.naive.round_trips': costReport.naive.roundTrips, 'quire.naive.waves': costReport.naive.waves, 'quire.naive.request_charge': costReport.naive.requestCharge,
      'quire.snapshot_share': copied / rows,
    })
    expect(rows).toBeGreaterThan(copied)
    const calls = callsBelow(operation!)
    expect(spans()).toHaveLength(1 + costReport.calls.length)
    expect(calls.map(({ name: called, kind, attributes }) => ({ called, kind, attributes }))).toEqual(costReport.calls.map((call) => ({
      called: `${call.operation} ${call.container}`,
      kind: SpanKind.CLIENT,
      attributes: {
        'db.system.name': systems[name] ?? name, 'db.collection.name': call.container, 'db.operation.name': call.operation, 'quire.keys': call.keys, 'quire.documents': call.documents,
        'quire.wave': call.wave, 'quire.request_charge': call.requestCharge, 'quire.estimated': costReport.estimated,
      },
    })))
    for (const call of calls) {
      expect(nanoseconds(call.startTime)).toBeGreaterThanOrEqual(nanoseconds(operation!.startTime))
      expect(nanoseconds(call.endTime)).toBeLessThanOrEqual(nanoseconds(operation!.endTime))
    }
  })
})

describe('operations', () => {
  let zoo: Zoo
  beforeEach(async () => {
    zoo = await openZoo()
    exporter.reset()
  })

  test('without a cost report have the same attributes except the naive ones', async () => {
    await zoo.ask('mutation { updateKeeper(input: { id: "k1", name: "Eve" }) { keeper { name } } }')
    const [operation] = operationSpans()
    expect(operation!.name).toBe('mutation')
    expect(operation!.attributes).toMatchObject({ 'quire.round_trips': callsBelow(operation!).length, 'quire.estimated': true })
    expect(callsBelow(operation!).map(({ name }) => name)).toContain('write keepers')
    expect(Object.keys(operation!.attributes).filter((key) => key.startsWith('quire.naive'))).toEqual([])
  })

  test('at the same time each have their own round trips, below their own parents', async () => {
    const traceIds = Array.from({ length: 30 }, (_, index) => (index + 1).toString(16).padStart(32, 'a'))
    await Promise.all(traceIds.map((traceId, index) =>
      zoo.ask(index % 2 === 0 ? `query Q${index} { cages { nodes { keeper { name } } } }` : `query Q${index} { cage(id: "c1") { beasts { name } } }`, { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } })))
    expect(operationSpans()).toHaveLength(30)
    for (const [index, traceId] of traceIds.entries()) {
      const [operation, ...others] = operationSpans().filter((span) => span.spanContext().traceId === traceId)
      expect(others).toEqual([])
      expect(operation!.name).toBe(`query Q${index}`)
      expect(operation!.parentSpanContext).toMatchObject({ spanId: '00f067aa0ba902b7', isRemote: true })
      expect(callsBelow(operation!).map(({ name }) => name)).toEqual(index % 2 === 0 ? ['query cages', 'read keepers'] : ['read cages'])
      expect(new Set(callsBelow(operation!).map((span) => span.spanContext().traceId))).toEqual(new Set([traceId]))
    }
  })

  test('are children of the active span, if HTTP is instrumented', async () => {
    const http = trace.getTracer('http').startSpan('POST /graphql')
    await context.with(trace.setSpan(context.active(), http), () => zoo.ask('{ __typename }', { headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01' } }))
    http.end()
    expect(operationSpans()[0]!.parentSpanContext?.spanId).toBe(http.spanContext().spanId)
  })

  test('are the parents of spans that resolvers open', async () => {
    const tracer = trace.getTracer('mine')
    const own = await openZoo({ derive: { Cage: { trouble: () => tracer.startActiveSpan('mine', (span) => (span.end(), 'none')) } } })
    await own.ask('{ cage(id: "c1") { trouble } }')
    const mine = spans().find(({ name }) => name === 'mine')
    expect(mine!.parentSpanContext?.spanId).toBe(operationSpans()[0]!.spanContext().spanId)
  })

  test('of a trace that is not sampled leave no span, and nothing below them starts a trace', async () => {
    const own = await openZoo({ derive: { Cage: { trouble: () => trace.getTracer('mine').startActiveSpan('mine', (span) => (span.end(), 'none')) } } })
    await own.ask('{ cage(id: "c1") { trouble } }', { headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-00' } })
    expect(spans()).toEqual([])
  })

  test('that fail have the codes and paths of their errors', async () => {
    await zoo.ask('{ cages { nodes { trouble } } }')
    const [operation] = operationSpans()
    expect(operation!.status).toEqual({ code: SpanStatusCode.ERROR })
    expect(operation!.attributes['error.type']).toBe('INTERNAL_SERVER_ERROR')
    expect(operation!.events.map(({ name, attributes }) => [name, attributes])).toEqual([0, 1, 2].map((index) =>
      ['graphql.error', { 'error.type': 'INTERNAL_SERVER_ERROR', 'graphql.error.path': `cages.nodes.${index}.trouble` }]))
  })

  test('that are refused have a span too, without anything the client sent', async () => {
    await zoo.ask('query Sneaky { cages(first: "topsecret") { nope } }')
    expect(spans().map(({ name, attributes: { 'quire.request_id': _, ...attributes }, status }) => ({ name, attributes, status }))).toEqual([
      { name: 'GraphQL Operation', attributes: { 'error.type': 'GRAPHQL_VALIDATION_FAILED' }, status: { code: SpanStatusCode.ERROR } },
    ])
  })

  test('never show documents, variables or messages', async () => {
    const secret = 'topsecret'
    await zoo.ask('query ($id: ID!) { cage(id: $id) { size trouble beasts { name weight } } }', { variables: { id: 'odd' }, headers: { authorization: `Bearer ${secret}`, cookie: secret } })
    await zoo.ask('mutation ($input: CreateBeastInput!) { createBeast(input: $input) { beast { name } } }', { variables: { input: { id: secret, name: secret, weight: 1 } } })
    await zoo.ask('mutation ($input: UpdateBeastInput!) { updateBeast(input: $input) { beast { name } } }', { variables: { input: { id: `${secret}2`, name: secret } } })
    await zoo.ask('query ($id: ID!) { cage(id: $id) { size } }', { variables: { id: { [secret]: secret } } })
    await zoo.ask(`{ cages(filter: { id: { eq: "${secret}" } }) { totalCount } }`)
    await zoo.ask(`{ cage(id: "${secret}") { id } node(nodeId: "${secret}") { nodeId } }`)
    expect(operationSpans().length).toBe(6)
    const written = spans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status }))
    expect(JSON.stringify(written)).not.toMatch(/topsecret|Leo|Mia|Bearer|trouble with/)
  })

  test('of a subscription have one span per event', async () => {
    const following = await openZoo({ followEveryMs: 1 })
    const response = await following.get('/graphql?query=' + encodeURIComponent('subscription Changes { beastChanged { name } }'), { headers: { accept: 'text/event-stream', 'graphql-require-preflight': '1' } })
    const reader = response.body!.getReader()
    let text = ''
    const told = (async () => {
      while (!text.includes('event: next')) text += new TextDecoder().decode((await reader.read()).value)
    })()
    // The subscription may need a moment until it listens, so the name changes until an event arrives.
    for (let index = 0; !text.includes('event: next'); index++) {
      await following.ask(`mutation Rename { updateBeast(input: { id: "b1", name: "Mia ${index}" }) { beast { id } } }`)
      await nextTurn()
    }
    await told
    await reader.cancel()
    await following.gateway.dispose()
    const events = operationSpans().filter(({ name }) => name === 'subscription Changes')
    expect(events.length).toBeGreaterThan(0)
    expect(events[0]!.attributes).toMatchObject({ 'graphql.operation.type': 'subscription', 'quire.round_trips': 0 })
  })
})

test('without an SDK nothing is recorded', async () => {
  trace.disable()
  context.disable()
  propagation.disable()
  const metered: boolean[] = []
  const zoo = await openZoo({
    store: async (layout) => {
      const store = await stores[0]!.store(layout)
      return {
        ...store,
        query(query, meter) {
          if (query.container !== ownContainer) metered.push(meter !== undefined)
          return store.query(query, meter)
        },
      }
    },
  })
  await zoo.ask('{ cages { nodes { id } } }')
  expect(metered).toEqual([false])
  new NodeTracerProvider({ sampler: new AlwaysOffSampler() }).register()
  await zoo.ask('{ cages { nodes { id } } }')
  expect(metered).toEqual([false, false])
  expect(spans()).toEqual([])
})
