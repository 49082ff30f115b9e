// Random operations over random schemas, whose documents violate them, through every way into a gateway: the fast path, Yoga by POST
// and GET, traced, without caches, with open metrics, each several times. All answers are those of GraphQL.js.

import { describe, expect, onTestFinished, test } from 'vitest'
import { neverStale } from '../../src/feed/watermark.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { noLimits } from '../../src/http/limits/request-limits.ts'
import { createLog } from '../../src/observe/log/log.ts'
import { noBudget } from '../../src/plan/cost/budget.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { failedIn, type Answer } from '../execute/compiled/failed-in.ts'
import fc, { runs } from '../fast-check.ts'
import { documentWrites } from '../harness.ts'
import { listenOn } from '../over-http.ts'
import { operationsOver } from './operations-over.ts'
import { pageSize } from './random-arguments.ts'
import { randomDomain } from './random-domain.ts'

const { SEED: seed = '20261118' } = process.env
const firstSeed = seed === 'random' ? Math.floor(Math.random() * 1e9) : Number(seed)
const schemas = Array.from({ length: runs(3) }, (_, at) => firstSeed + at)
const operationsEach = 12
let failedOverViolations = 0

interface Sent {
  readonly query: string
  readonly variables: object
}

const json = { 'content-type': 'application/json' }
const post = (url: string, sent: Sent, headers: Record<string, string> = {}): Promise<Response> => fetch(url, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(sent) })

/** How each asks; the ports are those of the gateways. */
const waysIn: Readonly<Record<string, (at: Readonly<Record<'plain' | 'metrics', string>>, sent: Sent) => Promise<Response>>> = {
  'the fast path': ({ plain }, sent) => post(plain, sent),
  'the fast path, planned again': ({ plain }, { query, ...sent }) => post(plain, { ...sent, query: `${query} ` }),
  'Yoga, POST': ({ plain }, sent) => post(plain, sent, { accept: 'application/graphql-response+json' }),
  'Yoga, GET': ({ plain }, { query, variables }) => fetch(`${plain}?${new URLSearchParams({ query, variables: JSON.stringify(variables) })}`, { headers: { 'graphql-require-preflight': '1' } }),
  'traced': ({ plain }, sent) => post(plain, sent, { 'quire-trace': '1' }),
  'metrics open': ({ metrics }, sent) => post(metrics, sent),
}

/** Longer than that, a URL is refused by node:http. */
const maxUrl = 12_000

const places = [
  { name: 'memory', store: openMemoryStore },
  { name: 'SQLite without a cache', store: (layout: Parameters<typeof openMemoryStore>[0]) => openSqliteStore(':memory:', layout, { cacheBytes: 0 }) },
  { name: 'SQLite', store: (layout: Parameters<typeof openMemoryStore>[0]) => openSqliteStore(':memory:', layout) },
] as const

describe.each(schemas)('schema %i', (number) => {
  test.each([['as the schema wants them', false], ['that violate it', true]])('over documents %s, every way in has the same answer', async (_, broken) => {
    const place = places[number % places.length]!
    const { domain, broken: violating } = randomDomain(number)
    const { operations } = await operationsOver(domain)
    let shared: Promise<Store> | undefined
    const options: GatewayOptions = {
      ...domain, ...(broken ? { seed: ({ model }) => documentWrites(model, violating) } : {}), store: (layout) => (shared ??= place.store(layout)), openReads: true, freshness: () => neverStale,
      log: createLog({ level: 'silent', readable: false }), cursorSecret: 'tests', pageSizes: { default: pageSize }, budget: noBudget, limits: noLimits,
    }
    const listening = async (more: Partial<GatewayOptions>): Promise<string> => {
      const gateway = await createGateway({ ...options, ...more })
      const { port, closeServer } = await listenOn(gateway)
      onTestFinished(async () => {
        closeServer()
        await gateway.dispose()
      })
      return `http://127.0.0.1:${port}/graphql`
    }
    const reference = await listening({ compiles: false })
    const at = { plain: await listening({}), metrics: await listening({ openMetrics: true }) }
    let failed = 0
    for (const sent of fc.sample(operations, { seed: number, numRuns: operationsEach })) {
      const expected = await (await post(reference, sent)).json() as Answer
      if (expected.errors) failed++
      for (const [way, ask] of Object.entries(waysIn)) {
        if (way.endsWith('GET') && encodeURIComponent(sent.query + JSON.stringify(sent.variables)).length > maxUrl) continue
        for (let time = 1; time <= 3; time++) {
          const answer = await (await ask(at, sent)).json() as Answer
          const where = `${way}, time ${time}, on ${place.name}, of schema ${number}:\n${sent.query}\n${JSON.stringify(sent.variables)}`
          expect(JSON.stringify(answer.data), where).toBe(JSON.stringify(expected.data))
          expect(failedIn(answer), where).toEqual(failedIn(expected))
        }
      }
    }
    if (broken) failedOverViolations += failed
    else expect(failed).toBeLessThan(operationsEach)
  }, 120_000)
})

test('documents that violate their schema were noticed', () => {
  expect(failedOverViolations).toBeGreaterThanOrEqual(schemas.length)
})
