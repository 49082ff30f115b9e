// The limit on concurrent operations: a few more wait and all others are refused at once, on the fast path and in Yoga.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Admission, type AdmissionOptions } from '../../../src/http/admission/admission.ts'
import type { CostClass } from '../../../src/http/admission/fair-queue.ts'
import { overloaded } from '../../../src/http/admission/overload.ts'
import { oneWave, openZoo, rename, ways } from './zoo.ts'

const overloadedBody = { errors: [{ message: overloaded().message, extensions: { code: 'OVERLOADED' } }] }

describe.each(ways)('on $way', ({ headers }) => {
  test('operations beyond the limit are refused at once with Retry-After, and probes are still answered', async () => {
    const zoo = await openZoo({ load: { operations: 4 } })
    await zoo.ask(oneWave, headers)
    zoo.pause.begin('cages')
    const served = Array.from({ length: 4 }, () => zoo.ask(oneWave, headers))
    await zoo.pause.until(4)
    // Four times as many may wait.
    const more = Array.from({ length: 17 }, () => zoo.ask(oneWave, headers))
    const refused = await Promise.race(more)
    expect(refused).toMatchObject({ status: 503, body: overloadedBody })
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'content-type': 'application/json; charset=utf-8' })
    expect(refused.headers['x-request-id']).toBeTruthy()
    for (const probe of ['health', 'ready']) expect((await fetch(`http://127.0.0.1:${zoo.port}/${probe}`)).status).toBe(200)
    zoo.pause.release()
    expect((await Promise.all(served)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    await Promise.all(more)
    expect((await zoo.ask(oneWave, headers)).status).toBe(200)
  })

  test('operations that fail make room like those that succeed', async () => {
    const zoo = await openZoo({ load: { operations: 1 } })
    for (let times = 0; times < 5; times++) {
      expect((await zoo.ask('{ cages(first: -1) { nodes { id } } }', headers)).status).not.toBe(503)
      expect((await zoo.ask('{ nothing }', headers)).status).not.toBe(503)
      expect((await zoo.ask(rename.replace('c1', 'lost'), headers)).status).not.toBe(503)
    }
  })
})

test('observers are told of operations that the fast path refuses', async () => {
  const told: unknown[] = []
  const zoo = await openZoo({ load: { operations: 1 }, observers: [{ refuse: ({ errors }) => told.push(errors.map(({ extensions }) => extensions['code'])) }] })
  await zoo.ask(oneWave)
  zoo.pause.begin('cages')
  const served = zoo.ask(oneWave)
  await zoo.pause.until(1)
  const more = Array.from({ length: 5 }, () => zoo.ask(oneWave))
  expect((await Promise.race(more)).status).toBe(503)
  expect(told[0]).toEqual(['OVERLOADED'])
  zoo.pause.release()
  await Promise.all([served, ...more])
})

test('subscriptions have a limit of their own, and one that ends makes room', async () => {
  const zoo = await openZoo({
    load: { subscriptions: 1, operations: 1 }, followEveryMs: 5,
    typeDefs: 'type Cage @document(container: "cages") { id: ID! name: String! } type Keeper @document(container: "keepers") { id: ID! name: String! } type Subscription { cageChanged: Cage }',
    resolvers: { Subscription: { cageChanged: {
      subscribe: (_: unknown, __: unknown, { quire }: { quire: { changes: { of(type: string): AsyncIterable<unknown> } } }) => quire.changes.of('Cage'),
      resolve: ({ document }: { document: unknown }) => document,
    } } },
  })
  const subscribe = (signal?: AbortSignal) => fetch(`http://127.0.0.1:${zoo.port}/graphql`, {
    method: 'POST', headers: { 'content-type': 'application/json', accept: 'text/event-stream' }, body: JSON.stringify({ query: 'subscription { cageChanged { name } }' }), signal: signal ?? null,
  })
  const ending = new AbortController()
  expect((await subscribe(ending.signal)).status).toBe(200)
  const refused = await subscribe()
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('10')
  expect(await refused.text()).toContain('"code":"OVERLOADED"')
  // An open subscription takes no room from operations.
  expect((await zoo.ask(oneWave)).status).toBe(200)
  ending.abort()
  await vi.waitFor(async () => expect((await subscribe()).status).toBe(200), { timeout: 20_000 })
})

test('expensive operations leave places for light ones, which are answered meanwhile', async () => {
  const zoo = await openZoo({ load: { operations: 4 }, pageSizes: { max: 1000 } })
  const expensive = '{ cages(first: 1000) { nodes { name keeper { name } } } }'
  const light = '{ keeper(id: "k1") { name } }'
  // From the second time on, an operation is known with its cost.
  for (let time = 0; time < 2; time++) for (const query of [expensive, light]) await zoo.ask(query)
  zoo.pause.begin('cages')
  const slow = Array.from({ length: 8 }, () => zoo.ask(expensive))
  await zoo.pause.until(3)
  for (let time = 0; time < 10; time++) expect(await zoo.ask(light)).toMatchObject({ status: 200, body: { data: { keeper: { name: 'Kim' } } } })
  zoo.pause.release()
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(slow.map(() => 200))
})

/** What is asked is its cost class. */
const createAdmission = (options: Partial<AdmissionOptions<CostClass>> = {}) => new Admission<CostClass>({ maxRunning: 100, maxWaitMs: Infinity, isLight: (asked) => asked === 'light', ...options })

describe('an admission of light and expensive operations', () => {
  test('gives expensive ones half of the places, and the other half to light ones alone', async () => {
    const admission = createAdmission({ maxRunning: 4, maxWaiting: 4 })
    expect([admission.enter(false, 'expensive'), admission.enter(false, 'expensive')]).toEqual([true, true])
    const waiting = [admission.enter(false, 'expensive'), admission.enter(false, 'expensive')]
    expect(admission.enter(false, 'expensive')).toBe(false)
    expect([admission.enter(false, 'light'), admission.enter(false, 'light')]).toEqual([true, true])
    const light = [admission.enter(false, 'light'), admission.enter(false, 'light')]
    expect(admission.enter(false, 'light')).toBe(false)
    admission.leave('expensive')
    expect(await light[0]).toBe(true)
    for (const costClass of ['light', 'light', 'light'] as const) admission.leave(costClass)
    expect(await Promise.all([light[1], waiting[0]])).toEqual([true, true])
    admission.leave('expensive')
    expect(await waiting[1]).toBe(true)
  })

  test('does not try again and again to admit expensive ones that have no room', async () => {
    const admission = createAdmission({ maxRunning: 2 })
    expect(admission.enter(true, 'expensive')).toBe(true)
    const waiting = admission.enter(true, 'expensive')
    const immediates = vi.spyOn(globalThis, 'setImmediate')
    await admission.within(() => undefined, () => undefined, true, 'light')
    await new Promise((resolve) => setTimeout(resolve, 0))
    const before = immediates.mock.calls.length
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
    expect(immediates.mock.calls.length).toBe(before)
    immediates.mockRestore()
    admission.leave('expensive')
    expect(await waiting).toBe(true)
  })

  test('lets a light one wait for one expensive one at most, however many wait', async () => {
    const clock = steppedClock()
    const admission = createAdmission({ sliceMs: 5 })
    const order: CostClass[] = []
    const ask = (costClass: CostClass) => admission.within(() => {
      clock.advance(20)
      order.push(costClass)
    }, () => undefined, true, costClass)
    await Promise.all([...Array.from({ length: 50 }, () => ask('expensive')), ask('light')])
    clock.end()
    expect(order).toHaveLength(51)
    expect(order.indexOf('light')).toBe(1)
  })

  test('gives expensive ones a quarter of the time while light ones never stop coming', async () => {
    const clock = steppedClock()
    const admission = createAdmission({ sliceMs: 5 })
    const tookMs = { light: 0, expensive: 0 }
    const client = async (costClass: CostClass, ms: number): Promise<void> => {
      while (tookMs.light + tookMs.expensive < 4000) await admission.within(() => {
        clock.advance(ms)
        tookMs[costClass] += ms
      }, () => undefined, true, costClass)
    }
    await Promise.all([...Array.from({ length: 20 }, () => client('light', 1)), ...Array.from({ length: 10 }, () => client('expensive', 10))])
    clock.end()
    const share = tookMs.expensive / (tookMs.light + tookMs.expensive)
    expect(share).toBeGreaterThan(0.2)
    expect(share).toBeLessThan(0.3)
  })
})

describe('an admission', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  test('admits up to its maximum, first come first served', async () => {
    const admission = new Admission({ maxRunning: 1, maxWaiting: 2 })
    expect(admission.enter(false)).toBe(true)
    const order: string[] = []
    const waiting = ['first', 'second'].map(async (name) => {
      await admission.enter(false)
      order.push(name)
    })
    expect(admission.enter(false)).toBe(false)
    admission.leave()
    await waiting[0]
    expect(order).toEqual(['first'])
    admission.leave()
    await waiting[1]
    admission.leave()
    expect([admission.running, admission.waiting]).toEqual([0, 0])
  })

  test('refuses operations that have waited too long, and forgets them', async () => {
    const admission = new Admission({ maxRunning: 1, maxWaiting: 1, maxWaitMs: 100 })
    expect(admission.enter(false)).toBe(true)
    const waiting = admission.enter(false)
    vi.advanceTimersByTime(100)
    expect(await waiting).toBe(false)
    expect(admission.waiting).toBe(0)
    admission.leave()
    expect(admission.running).toBe(0)
  })

  test('refuses each when its own time is over, and leaves no timer when nobody waits', async () => {
    const admission = new Admission({ maxRunning: 1, maxWaitMs: 100 })
    expect(admission.enter(false)).toBe(true)
    const outcomes: string[] = []
    const enter = async (name: string) => void outcomes.push(`${name} ${await admission.enter(false)}`)
    const first = enter('first')
    vi.advanceTimersByTime(60)
    const second = enter('second')
    vi.advanceTimersByTime(40)
    await first
    expect(outcomes).toEqual(['first false'])
    admission.leave()
    await second
    expect(outcomes).toEqual(['first false', 'second true'])
    vi.advanceTimersByTime(100)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('does not refuse those that waited because the process stood still, but not for ever', async () => {
    const admission = new Admission({ maxRunning: 1, maxWaitMs: 1000 })
    expect(admission.enter(false)).toBe(true)
    const outcomes: string[] = []
    const enter = async (name: string) => void outcomes.push(`${name} ${await admission.enter(false)}`)
    const waiting = [enter('first'), enter('second')]
    let stoodMs = 0
    const ticking = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => ticking() + stoodMs)
    // Timers due meanwhile run only afterwards.
    stoodMs = 1300
    vi.advanceTimersByTime(100)
    expect(admission.waiting).toBe(2)
    admission.leave()
    await waiting[0]
    vi.advanceTimersByTime(500)
    expect(admission.waiting).toBe(1)
    vi.advanceTimersByTime(100)
    await waiting[1]
    expect(outcomes).toEqual(['first true', 'second false'])
    clock.mockRestore()
  })

  test('keeps the order of many, while some come and others go', async () => {
    const admission = new Admission({ maxRunning: 1, maxWaiting: 5000 })
    expect(admission.enter(false)).toBe(true)
    const order: number[] = []
    const waiting = Array.from({ length: 3000 }, async (_, number) => {
      await admission.enter(false)
      order.push(number)
    })
    for (const each of waiting) {
      admission.leave()
      await each
    }
    expect(order).toEqual(Array.from({ length: 3000 }, (_, number) => number))
    expect(admission.waiting).toBe(0)
  })
})

test('one turn of the event loop starts only the operations of its slice, and the next turns the rest, in order', async () => {
  let nowMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const admission = new Admission({ maxRunning: 100, sliceMs: 5 })
  const done: { number: number; turn: number }[] = []
  let turn = 0
  const count = (): void => {
    turn++
    if (done.length < 20) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(Array.from({ length: 20 }, async (_, number) => admission.within(() => {
    nowMs += 2
    done.push({ number, turn })
  }, () => undefined, true, undefined)))
  clock.mockRestore()
  expect(done.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, number) => number))
  // Three begin within 5 ms when each takes 2.
  expect(Math.max(...Map.groupBy(done, (one) => one.turn).values().map((together) => together.length))).toBeLessThanOrEqual(4)
  expect([admission.running, admission.waiting]).toEqual([0, 0])
})

test('slices do not apply to requests without a socket', () => {
  const { admission, advance, end } = admissionInSlices()
  advance(100)
  expect(admission.enter(true)).toBe(true)
  advance(100)
  expect(admission.enter(false)).toBe(true)
  expect(admission.enter(true)).toBeInstanceOf(Promise)
  end()
})

test('an operation never waits for a slice of an earlier turn to be over', async () => {
  const { admission, advance, end } = admissionInSlices()
  for (let turn = 0; turn < 10; turn++) {
    // Two operations in each turn, which is less than a slice, while time passes.
    for (let times = 0; times < 2; times++) {
      expect(admission.within(() => 'done', () => 'refused', true, undefined)).toBe('done')
      advance(2)
    }
    await new Promise(setImmediate)
  }
  end()
})

function admissionInSlices() {
  return { admission: new Admission({ maxRunning: 100, sliceMs: 5 }), ...steppedClock() }
}

/** Time passes only when it is told to. */
function steppedClock() {
  let nowMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  return { advance: (ms: number) => (nowMs += ms), end: () => clock.mockRestore() }
}
