// What workers share, seen from outside: limits, metrics, news of writes, and who carries changes.

import { describe, expect, test, vi } from 'vitest'
import { WorkerHub } from '../../../src/serve/workers/worker-hub.ts'
import type { ToWorker } from '../../../src/serve/workers/messages.ts'
import { Memory, openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { readExposition, sampled } from '../../observe/exposition.ts'
import { openLinked, type Linked } from './linked.ts'

const list = '{ cages { totalCount } }'

const freshness = () => ({ boundMs: 3000, watermark: 0 })

/** How often it was told of writes elsewhere. */
const hints = ({ told }: Linked) => told.filter(({ kind }) => kind === 'written').length

/** What it was told about carrying changes. */
const following = ({ told }: Linked) => told.filter((message) => message.kind === 'follow').map(({ owner }) => owner)

async function metric({ get }: Linked, name: string, labels: Record<string, string> = {}): Promise<number> {
  return sampled(readExposition(await (await get('/metrics')).text()), name, labels)
}

async function subscribe({ get }: Linked) {
  const response = await get('/graphql', { method: 'POST', headers: { 'content-type': 'application/json', accept: 'text/event-stream' }, body: JSON.stringify({ query: 'subscription { beastChanged { name } }' }) })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  return {
    end: () => reader.cancel(),
    /** Resolves when an event has this text. */
    async until(text: string): Promise<void> {
      for (let said = ''; !said.includes(text);) {
        const { value, done } = await reader.read()
        if (done) throw new Error(`The stream ended after: ${said}`)
        said += value
      }
    },
  }
}

describe('limits hold for all workers together', () => {
  test('the max of subscriptions: a place is free again when a subscription ends, or its worker', async () => {
    const exchange = new WorkerHub({ subscriptions: 2, subscriptionsPerCaller: Infinity })
    const [one, other] = [await openLinked(exchange), await openLinked(exchange)]
    const first = await subscribe(one)
    await subscribe(other)
    for (const worker of [one, other]) await (await subscribe(worker)).until('OVERLOADED')
    await first.end()
    await vi.waitFor(async () => expect(await metric(one, 'quire_subscriptions_open')).toBe(1))
    await subscribe(one)
    await (await subscribe(one)).until('OVERLOADED')
    exchange.leave(other.member)
    const last = await subscribe(one)
    await (await subscribe(one)).until('OVERLOADED')
    await last.end()
  })

  test('the max of one caller: its subscriptions at all workers count together, and those of a worker that ended count no more', () => {
    const exchange = new WorkerHub({ subscriptions: 10, subscriptionsPerCaller: 2 })
    const told: ToWorker[] = []
    const [one, other] = [{ send: (message: ToWorker) => void told.push(message) }, { send: (message: ToWorker) => void told.push(message) }]
    const noPlace = (from: typeof one, caller: string) => {
      exchange.receive(from, { kind: 'subscribe', id: 1, caller })
      const answer = told.at(-1)!
      return answer.kind === 'place' ? answer.noPlace : undefined
    }
    expect([noPlace(one, 'ada'), noPlace(other, 'ada'), noPlace(other, 'ada'), noPlace(other, 'bo')]).toEqual([undefined, undefined, 'caller has enough', undefined])
    exchange.leave(one)
    expect([noPlace(other, 'ada'), noPlace(other, 'ada')]).toEqual([undefined, 'caller has enough'])
  })

  test('the rate of a caller: what it spends at one worker is missing at the other', async () => {
    const exchange = new WorkerHub({ subscriptions: 0, subscriptionsPerCaller: Infinity })
    const load = { chargePerMinute: 50 }
    const [one, other] = [await openLinked(exchange, { load }), await openLinked(exchange, { load })]
    while ((await one.ask(list)).status === 200);
    await vi.waitFor(async () => expect((await other.ask(list)).errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]))
  })
})

describe('metrics', () => {
  test('of any worker are the sums of all, and keep what a worker has counted that has ended', async () => {
    const exchange = new WorkerHub({ subscriptions: 0, subscriptionsPerCaller: Infinity })
    const [one, other] = [await openLinked(exchange), await openLinked(exchange)]
    for (const [worker, times] of [[one, 2], [other, 3]] as const) for (let count = 0; count < times; count++) await worker.ask(list)
    for (const worker of [one, other]) expect(await metric(worker, 'quire_operations_total', { type: 'query', outcome: 'ok' })).toBe(5)
    expect(await metric(one, 'quire_operation_duration_seconds_count', { type: 'query' })).toBe(5)
    const both = await metric(one, 'quire_cache_bytes')
    exchange.leave(other.member)
    expect(await metric(one, 'quire_operations_total', { type: 'query', outcome: 'ok' })).toBe(5)
    expect(await metric(one, 'quire_operation_duration_seconds_count', { type: 'query' })).toBe(5)
    // What it held is gone.
    expect(await metric(one, 'quire_cache_bytes')).toBeLessThan(both)
    const third = await openLinked(exchange)
    await third.ask(list)
    exchange.leave(third.member)
    // It was not asked since, so what it counted last is lost, and nothing else.
    expect(await metric(one, 'quire_operations_total', { type: 'query', outcome: 'ok' })).toBe(5)
  })

  test('wait for no worker that ends meanwhile', async () => {
    const exchange = new WorkerHub({ subscriptions: 0, subscriptionsPerCaller: Infinity })
    const one = await openLinked(exchange)
    const silent = { send: () => undefined }
    exchange.join(silent)
    const page = one.get('/metrics')
    await vi.waitFor(() => expect(one.told.some(({ kind }) => kind === 'measure')).toBe(true))
    exchange.leave(silent)
    expect((await page).status).toBe(200)
  })

  test('that every worker reads from the store are not added up', async () => {
    const exchange = new WorkerHub({ subscriptions: 0, subscriptionsPerCaller: Infinity })
    const one = await openLinked(exchange, { freshness })
    await openLinked(exchange, { freshness })
    expect(await metric(one, 'quire_copies_staleness_bound_seconds')).toBe(3)
  })
})

test('a subscriber of one worker is told of a write at another, which hints at it', async () => {
  const exchange = new WorkerHub({ subscriptions: 10, subscriptionsPerCaller: Infinity })
  const memory = new Memory()
  const shared = { store: (layout: Parameters<typeof openMemoryStore>[0]) => openMemoryStore(layout, memory), followEveryMs: 20 }
  const [one, other] = [await openLinked(exchange, shared), await openLinked(exchange, shared)]
  const told = await subscribe(one)
  await vi.waitFor(async () => expect(await metric(one, 'quire_subscriptions_open')).toBe(1))
  await other.ask('mutation { updateBeast(input: { id: "b0", name: "Leon" }) { beast { name } } }')
  await told.until('Leon')
  await vi.waitFor(() => expect([hints(one), hints(other)]).toEqual([1, 0]))
  await told.end()
})

describe('of several workers one carries changes', () => {
  test('another takes over, with the same owner, when it ends or retires', async () => {
    const exchange = new WorkerHub({ subscriptions: 0, subscriptionsPerCaller: Infinity })
    const memory = new Memory()
    const shared = { store: (layout: Parameters<typeof openMemoryStore>[0]) => openMemoryStore(layout, memory), effects: 'feed' as const, followEveryMs: 5 }
    const workers = [await openLinked(exchange, shared), await openLinked(exchange, shared), await openLinked(exchange, shared)]
    const owner = following(workers[0]!)[0]
    expect(workers.map(following)).toEqual([[owner], [], []])
    const carried = async (name: string): Promise<void> => {
      await workers[2]!.ask(`mutation { updateBeast(input: { id: "b0", name: "${name}" }) { beast { name } } }`)
      await vi.waitFor(async () => expect((await workers[2]!.ask('{ cage(id: "c1") @read(from: SNAPSHOT) { beasts { name } } }')).data).toMatchObject({ cage: { beasts: [{ name }, {}] } }))
    }
    await carried('first')
    exchange.retire(workers[0]!.member)
    expect(workers.map(following)).toEqual([[owner, undefined], [owner], []])
    await carried('second')
    exchange.leave(workers[1]!.member)
    expect(workers.map(following)).toEqual([[owner, undefined], [owner], [owner]])
    await carried('third')
  })
})
