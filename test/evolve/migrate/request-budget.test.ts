// How a migration keeps within the request units of a second, on a clock that passes only when somebody waits.

import { expect, test } from 'vitest'
import { processClock, type Clock } from '../../../src/clock.ts'
import { RequestBudget } from '../../../src/evolve/migrate/run/request-budget.ts'
import { openCosmosTestStore } from '../../store/cosmos/local.ts'
import { keptStore, migrate, serving } from './migrating.ts'

interface VirtualClock extends Clock {
  readonly pauses: number[]
  pass(ms: number): void
}

function virtualClock(): VirtualClock {
  let nowMs = 5_000
  const pauses: number[] = []
  return {
    ...processClock,
    now: () => nowMs,
    pass: (ms) => void (nowMs += ms),
    pauses,
    pause: (ms) => {
      pauses.push(ms)
      nowMs += ms
      return Promise.resolve()
    },
  }
}

const receipt = (requestCharge: number): Parameters<RequestBudget['meter']>[0] => ({ requestCharge }) as Parameters<RequestBudget['meter']>[0]

test('after each page it waits until what it has taken is within the limit', async () => {
  const clock = virtualClock()
  const budget = new RequestBudget(400, clock)
  budget.meter(receipt(100))
  await budget.pause(undefined)
  budget.meter(receipt(500.5))
  clock.pass(251)
  await budget.pause(undefined)
  expect(clock.pauses).toEqual([250, 1000.25])
  expect(budget.spent).toBe(600.5)
})

test('it does not wait where the store was slower than the limit', async () => {
  const clock = virtualClock()
  const budget = new RequestBudget(400, clock)
  budget.meter(receipt(400))
  clock.pass(1000)
  await budget.pause(undefined)
  expect(clock.pauses).toEqual([])
})

test('without a limit it never waits, and a stop ends it before and after a wait', async () => {
  const clock = virtualClock()
  const free = new RequestBudget(undefined, clock)
  free.meter(receipt(1e9))
  await free.pause(undefined)
  expect(clock.pauses).toEqual([])
  const stopping = new AbortController()
  const slow = new RequestBudget(1, { ...clock, pause: async (ms) => {
    await clock.pause(ms)
    stopping.abort()
  } })
  slow.meter(receipt(10))
  await expect(slow.pause(stopping.signal)).rejects.toThrow()
  expect(clock.pauses).toEqual([10_000])
  await expect(slow.pause(stopping.signal)).rejects.toThrow()
  expect(clock.pauses).toHaveLength(1)
})

test('a migration waits on its own clock for what its requests have cost', async () => {
  const [old, edited] = ['type Book @document(container: "books") { id: ID! year: Int }', 'type Book @document(container: "books") { id: ID! year: String }']
  const store = await keptStore((layout) => openCosmosTestStore(layout, 1), [old, edited])
  await serving(store, old, () => Promise.resolve(), { Book: Array.from({ length: 5 }, (_, at) => ({ id: `b${at}`, year: 2000 + at })) })
  const clock = virtualClock()
  const { requestCharge } = await migrate(store, edited, undefined, { clock, ruPerSecond: 10 })
  // Behind the last page nothing is waited for.
  const waitedMs = clock.pauses.reduce((sum, ms) => sum + ms, 0)
  expect(requestCharge).toBeGreaterThan(50)
  expect(waitedMs).toBeGreaterThan(requestCharge * 50)
  expect(waitedMs).toBeLessThanOrEqual(requestCharge * 100)
})
