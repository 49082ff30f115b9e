// What observers learn of the change feed, and how it appears in metrics, spans and the log.

import { SpanStatusCode } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../src/observe/log/log.ts'
import type { PropagatedBatch } from '../../src/observe/observers.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { StoreUnavailableError } from '../../src/store/store-errors.ts'
import type { Receipt } from '../../src/store/store.ts'
import { readExposition, sampled, sumOf } from './exposition.ts'
import { openZoo } from './zoo.ts'

const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
provider.register()
afterAll(() => provider.shutdown())
beforeEach(() => exporter.reset())

async function openFollowing() {
  const seen = { batches: [] as PropagatedBatch[], receipts: [] as Receipt[], stumbles: [] as number[], recovered: 0, lines: [] as Record<string, unknown>[] }
  let broken: Error | undefined
  const zoo = await openZoo({
    effects: 'feed', followEveryMs: 1, openMetrics: true,
    log: createLog({ level: 'info', readable: false, to: { write: (line) => seen.lines.push(JSON.parse(line) as Record<string, unknown>) } }),
    observers: [{
      propagate: (batch) => void seen.batches.push(batch),
      follow: (receipt) => void seen.receipts.push(receipt),
      feedFailed: (_, times) => void seen.stumbles.push(times),
      feedRecovered: () => void seen.recovered++,
    }],
    store: async (layout) => {
      const store = await openMemoryStore(layout)
      return { ...store, query: async (query, meter) => (broken && query.container === 'cages' ? Promise.reject(broken) : store.query(query, meter)) }
    },
  })
  return {
    ...zoo,
    seen,
    breaks: (error: Error | undefined) => (broken = error),
    rename: (name: string) => zoo.ask(`mutation { updateBeast(input: { id: "b0", name: "${name}" }) { beast { id } } }`),
    scrape: async () => {
      const families = readExposition(await (await zoo.get('/metrics')).text())
      return (name: string, labels?: Record<string, string>) => sampled(families, name, labels)
    },
  }
}

const feedSpans = () => exporter.getFinishedSpans().filter(({ name }) => name === 'propagate changes')

test('batches are counted and have spans, and the cost of reading the feed is separate from that of operations', async () => {
  const { seen, rename, scrape, gateway } = await openFollowing()
  await rename('Leonard')
  await expect.poll(() => seen.batches.length).toBeGreaterThan(0)
  await gateway.dispose()
  const value = await scrape()
  const changes = seen.batches.reduce((sum, batch) => sum + batch.changes, 0)
  expect(changes).toBeGreaterThan(0)
  expect(value('quire_propagated_changes_total', { outcome: 'carried' })).toBe(changes)
  expect(value('quire_propagated_changes_total', { outcome: 'set_aside' })).toBe(0)
  expect(value('quire_propagation_batch_duration_seconds_count')).toBe(seen.batches.length)
  expect(value('quire_round_trips_total', { source: 'feed' })).toBe(seen.receipts.length)
  for (const [operation, some] of Map.groupBy(seen.receipts, (receipt) => receipt.operation)) expect(value('quire_round_trips_total', { source: 'feed', operation })).toBe(some.length)
  expect(value('quire_request_charge_total', { source: 'feed', basis: 'estimated' })).toBe(sumOf(seen.receipts.map(({ requestCharge }) => requestCharge)))
  expect(new Set(seen.receipts.map(({ operation }) => operation))).toContain('changes')
  expect(feedSpans().map(({ attributes }) => attributes)).toEqual(seen.batches.map((batch) => ({ 'quire.feed.part': batch.part, 'quire.feed.changes': batch.changes, 'quire.feed.set_aside': 0 })))
  expect(new Set(feedSpans().map(({ parentSpanContext }) => parentSpanContext))).toEqual(new Set([undefined]))
})

test('each part of the feed that the gateway follows has its lag, which ends with its looks', async () => {
  const { get, gateway } = await openFollowing()
  const parts = async () => [...(await (await get('/metrics')).text()).matchAll(/^quire_feed_part_lag_seconds\{part="(\d)"\} [\d.e-]+$/gm)].map(([, part]) => part)
  await expect.poll(parts).toEqual(['0', '1', '2', '3'])
  await gateway.dispose()
})

test('a change that cannot be propagated is a dead letter in metrics and spans, and a warning in the log', async () => {
  const { seen, rename, scrape, breaks, gateway } = await openFollowing()
  // Once the watermark has moved, the seeded documents have been propagated.
  await expect.poll(async () => (await scrape())('quire_copies_staleness_bound_seconds')).toBeLessThan(1e6)
  breaks(new Error('The cages are being cleaned.'))
  await rename('Leonora')
  await expect.poll(async () => (await scrape())('quire_dead_letters')).toBe(1)
  await gateway.dispose()
  expect((await scrape())('quire_propagated_changes_total', { outcome: 'set_aside' })).toBe(1)
  expect(feedSpans().reduce((sum, { attributes }) => sum + Number(attributes['quire.feed.set_aside']), 0)).toBe(1)
  const warnings = seen.lines.filter(({ level }) => level === 'warn')
  expect(warnings).toMatchObject([{ code: 'DEAD_LETTER', setAside: 1, msg: expect.stringContaining('quire dead-letters') as string }])
  expect(JSON.stringify(warnings)).not.toMatch(/Leonora|cleaned/)
})

test('an unavailable store is logged once, however often the feed retries, and once more when it answers', async () => {
  const { seen, rename, scrape, breaks, gateway } = await openFollowing()
  breaks(new StoreUnavailableError('Gone fishing.'))
  await rename('Leopold')
  await expect.poll(() => seen.stumbles.length).toBeGreaterThan(2)
  breaks(undefined)
  await expect.poll(() => seen.recovered).toBe(1)
  await gateway.dispose()
  expect(seen.stumbles).toEqual(seen.stumbles.map((_, index) => index + 1))
  expect((await scrape())('quire_feed_failures_total')).toBe(seen.stumbles.length)
  expect(seen.lines.filter(({ level }) => level !== 'info')).toMatchObject([
    { level: 'error', code: 'STORE_UNAVAILABLE', times: 1, err: { message: 'Gone fishing.' } },
    { level: 'warn', msg: expect.stringContaining('again') as string },
  ])
  const failed = feedSpans().filter(({ status }) => status.code === SpanStatusCode.ERROR)
  expect(failed.length).toBe(seen.stumbles.length)
  expect(new Set(failed.map(({ attributes }) => attributes['error.type']))).toEqual(new Set(['STORE_UNAVAILABLE']))
})
