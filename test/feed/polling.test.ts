// When a follower looks at the change feed: back-off at rest, and what wakes it up. Times are virtual.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as fc from 'fast-check'
import { createGateway } from '../../src/gateway.ts'
import type { Gateway } from '../../src/http/gateway-server.ts'
import { PollingLoop } from '../../src/feed/polling/polling-loop.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { ContainerLayout, Store } from '../../src/store/store.ts'
import { post } from '../over-http.ts'
import { VirtualClock } from './virtual-clock.ts'
import { declaration, sdl } from './world.ts'

const ask = async (gateway: Gateway, query: string) => (await (await post(gateway, { query })).json()) as { data: unknown; extensions: { quire: { staleness: { boundMs: number }; relations: { from: string }[] } } }
const setUp = async (gateway: Gateway) => {
  await ask(gateway, 'mutation { createAuthor(input: { id: "a", name: "0" }) { author { id } } }')
  await ask(gateway, 'mutation { createBook(input: { id: "b", title: "t", authorIds: ["a"] }) { book { id } } }')
}
const rename = (gateway: Gateway, name: string) => ask(gateway, `mutation { updateAuthor(input: { id: "a", name: "${name}" }) { author { id } } }`)
const read = async (gateway: Gateway, policy: string) => {
  const { data, extensions } = await ask(gateway, `{ book(id: "b") { authors ${policy} { name } } }`)
  return { name: (data as { book: { authors: { name: string }[] } }).book.authors[0]!.name, from: extensions.quire.relations[0]!.from, boundMs: extensions.quire.staleness.boundMs }
}

/** A loop whose looks find what `found` says, and the times of its looks. */
function start(found: () => boolean = () => false) {
  const clock = new VirtualClock(0)
  const looks: number[] = []
  const stopping = new AbortController()
  const loop = new PollingLoop({ look: async () => (looks.push(clock.now()), found()) }, { shortestMs: 1, longestMs: 40, restMs: 5, clock })
  const run = (async () => {
    while (!stopping.signal.aborted) await loop.pause(await loop.step().then(({ pauseMs }) => pauseMs, () => 1), stopping.signal)
  })()
  return { clock, looks, loop, stop: () => (stopping.abort(), run) }
}

describe('looks', () => {
  test('are further and further apart while there is nothing to find, up to the longest interval', async () => {
    const { clock, looks, stop } = start()
    await clock.pass(200, 1)
    await stop()
    expect(looks.slice(1).map((at, index) => at - looks[index]!)).toEqual([1, 1, 1, 1, 2, 4, 8, 16, 32, 40, 40, 40])
  })

  test('are at the shortest interval again after one that found changes', async () => {
    let changed = false
    const { clock, looks, stop } = start(() => changed && !(changed = false))
    await clock.pass(100, 1)
    changed = true
    await clock.pass(50, 1)
    await stop()
    const found = looks.find((at) => at >= 100)!
    expect(looks.filter((at) => at > found).slice(0, 4)).toEqual([found + 1, found + 2, found + 3, found + 4])
  })

  test('are at the shortest interval after a failure', async () => {
    const { clock, looks, stop } = start(() => {
      throw new Error('The store is down.')
    })
    await clock.pass(10, 1)
    await stop()
    expect(looks).toHaveLength(11)
  })

  test('a wake-up is not lost when it comes during a look', async () => {
    let wakes = false
    const { clock, looks, loop, stop } = start(() => {
      if (wakes) loop.wake()
      return (wakes = false)
    })
    await clock.pass(100, 1)
    wakes = true
    await clock.pass(50, 1)
    await stop()
    const woken = looks.find((at) => at >= 100)!
    expect(looks).toContain(woken + 1)
  })

  test('come after the shortest interval, not at once, however often it is woken', async () => {
    const { clock, looks, loop, stop } = start()
    await clock.pass(3, 1)
    for (let time = 0; time < 100; time++) loop.wake()
    await clock.idle(1)
    expect(looks).toHaveLength(4)
    await stop()
  })
})

describe('gateways', () => {
  let clock: VirtualClock
  const opened: Gateway[] = []
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    clock = new VirtualClock(Date.now(), (ms) => void vi.setSystemTime(ms))
  })
  afterEach(async () => {
    vi.useRealTimers()
    for (const gateway of opened.splice(0)) await gateway.dispose()
  })

  async function open(store: (layout: readonly ContainerLayout[]) => Promise<Store>): Promise<Gateway> {
    const gateway = await createGateway({ typeDefs: sdl, store, effects: 'feed', development: true, cursorSecret: 'tests', clock })
    opened.push(gateway)
    return gateway
  }

  test('at rest on SQLite make less than one write in two seconds', async () => {
    let writes = 0
    const gateway = await open(async (layout) => counting(await openSqliteStore(':memory:', layout), () => writes++))
    await setUp(gateway)
    await clock.pass(60_000, 1)
    writes = 0
    await clock.pass(600_000, 1)
    expect(writes).toBeGreaterThan(0)
    expect(writes).toBeLessThanOrEqual(300)
  })

  test('a read that demands fresher snapshots than there are makes the gateway look', async () => {
    const gateway = await open(async (layout) => charged(await openMemoryStore(layout)))
    await setUp(gateway)
    await clock.pass(300_000, 1)
    await clock.pass(20_000, 1)
    const policy = '@read(maxStaleMs: 900)'
    expect((await read(gateway, policy)).from).toBe('REFERENCE')
    await clock.pass(0, 1)
    expect((await read(gateway, policy)).from).toBe('SNAPSHOT')
  })

  test('no reader gets a snapshot that is older than it allows, at any polling interval and with any writer', async () => {
    const passing = fc.record({ kind: fc.constant('pass'), ms: fc.oneof(fc.integer({ min: 1, max: 150 }), fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 2000, max: 120_000 })) })
    const writing = fc.record({ kind: fc.constant('write'), by: fc.nat(1) })
    const reading = fc.record({ kind: fc.constant('read'), by: fc.nat(1), maxStaleMs: fc.constantFrom(0, 1, 50, 200, 1000, 5000, 40_000) })
    let snapshots = 0
    await fc.assert(fc.asyncProperty(fc.boolean(), fc.array(fc.oneof(passing, writing, reading), { minLength: 5, maxLength: 40 }), async (isCharged, steps) => {
      const store = await openMemoryStore(declaration.layout)
      const shared = isCharged ? charged(store) : store
      const gateways = [await open(async () => shared), await open(async () => shared)]
      await setUp(gateways[0]!)
      /** When each name was replaced by the next. */
      const replacedAt: number[] = []
      for (const step of steps) {
        if (step.kind === 'pass') await clock.pass(step.ms, 2)
        else if (step.kind === 'write') {
          await rename(gateways[step.by]!, String(replacedAt.length + 1))
          replacedAt.push(Date.now())
        } else {
          const { name, from, boundMs } = await read(gateways[step.by]!, `@read(maxStaleMs: ${step.maxStaleMs})`)
          const ageMs = Date.now() - (replacedAt[Number(name)] ?? Date.now())
          expect(ageMs).toBeLessThanOrEqual(from === 'SNAPSHOT' ? Math.min(step.maxStaleMs, boundMs) : 0)
          if (from === 'SNAPSHOT') snapshots++
        }
        await clock.idle(2)
      }
      for (const gateway of opened.splice(0)) await gateway.dispose()
    }), { numRuns: 25 })
    expect(snapshots).toBeGreaterThan(0)
  })
})

/** A store whose reads are charged, so that gateways look at its feed as rarely as at that of Cosmos DB. */
function charged(store: Store): Store {
  return { ...store, supports: { ...store.supports, charges: 'measured' } }
}

function counting(store: Store, count: () => void): Store {
  return {
    ...store,
    write(writes, meter) {
      count()
      return store.write(writes, meter)
    },
  }
}
