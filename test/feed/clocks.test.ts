// Machines whose clocks are wrong: positions order writes and reads, and a clock is never believed to prove that a snapshot is young.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { leaseKey } from '../../src/feed/lease-document.ts'
import { Propagator } from '../../src/feed/propagator.ts'
import { Watermark } from '../../src/feed/watermark.ts'
import { ownContainer } from '../../src/store/own-container.ts'
import { createSteadyClock } from '../../src/store/timing/steady-clock.ts'
import type { Store } from '../../src/store/store.ts'
import { Writer } from '../../src/write/writer.ts'
import { openGateway, stores, type Ask } from '../harness.ts'
import { Clock, declaration, lived, sdl } from './world.ts'

/** Those where each process has its own clock. A database across the network has one for all. */
const sharedByProcesses = stores.filter(({ name }) => name !== 'cosmos')

describe.each(sharedByProcesses)('on $name', ({ store: open }) => {
  let store: Store
  let clock: Clock
  beforeEach(async () => {
    store = await open(declaration.layout)
    clock = new Clock()
  })
  const minutes = 60_000
  const propagator = (owner: string, aheadMs = 0) =>
    new Propagator(declaration, lived(store, { clock, callsLeft: Infinity, aheadMs: () => aheadMs }), { owner, leaseMs: 1000, clock })
  const ownersOf = async () => {
    const parts = await store.feedParts()
    return new Set((await store.readMany(ownContainer, parts.map(leaseKey))).map((lease) => lease!.body['owner']))
  }
  const write = (work: Parameters<Writer['write']>[0]) => new Writer(declaration, store, 'feed').write(work)
  const shelf = async () => {
    await write(async (change) => ({ author: await change.create('Author', { id: 'a', name: 'old' }) }))
    await write(async (change) => ({ book: await change.create('Book', { id: 'b', title: 't', authorIds: ['a'] }) }))
  }
  const rename = (name: string) => write(async (change) => ({ author: await change.update('Author', { id: 'a', name }) }))

  test('the lease of a gateway that was killed while its clock was ahead is taken over like any other', async () => {
    await propagator('ahead', 5 * minutes).round()
    const heir = propagator('heir')
    await heir.round()
    clock.ms += 900
    await heir.round()
    expect(await ownersOf()).toEqual(new Set(['ahead']))
    clock.ms += 101
    await heir.round()
    expect(await ownersOf()).toEqual(new Set(['heir']))
  })

  test('a gateway whose clock is ahead keeps its lease for as long as it renews it', async () => {
    const ahead = propagator('ahead', 5 * minutes)
    const other = propagator('other')
    for (let round = 0; round < 20; round++) {
      await ahead.round()
      await other.round()
      clock.ms += 400
    }
    expect(await ownersOf()).toContain('ahead')
  })

  test('after a gateway whose clock was ahead, answers are neither stale nor called current', async () => {
    await shelf()
    clock.ms = Date.now()
    const ahead = propagator('ahead', 5 * minutes)
    while ((await ahead.round()) > 0);
    await rename('new')
    // It is killed before it looks again. The next gateway has the right clock, and cannot take over yet.
    const ask = await openGateway({ typeDefs: sdl, store: async () => store, effects: 'feed', followEveryMs: 1 })
    try {
      const { data, report } = await ask('query @read(maxStaleMs: 0) { books { nodes { authors { name } } } }')
      expect(data).toEqual({ books: { nodes: [{ authors: [{ name: 'new' }] }] } })
      expect(report.relations).toMatchObject([{ from: 'REFERENCE' }])
      const stale = await ask('{ books { nodes { authors { name } } } }')
      expect(stale.report.staleness.boundMs).toBeNull()
    } finally {
      await ask.close()
    }
  })

  describe('within one millisecond', () => {
    let ask: Ask
    beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }))
    afterEach(async () => {
      vi.useRealTimers()
      await ask.close()
    })

    test('a client that sends its session sees a write right after the feed was followed', async () => {
      await shelf()
      const one = propagator('one')
      while ((await one.round()) > 0);
      await one.stop()
      ask = await openGateway({ typeDefs: sdl, store: async () => store, effects: 'feed', followEveryMs: 1_000_000 })
      const { headers } = await ask('mutation { updateAuthor(input: { id: "a", name: "new" }) { author { id } } }')
      const { data, report } = await ask('{ books { nodes { authors { name } } } }', { headers: { 'quire-session': headers.get('quire-session')! } })
      expect(data).toEqual({ books: { nodes: [{ authors: [{ name: 'new' }] }] } })
      expect(report.relations).toMatchObject([{ from: 'REFERENCE', because: 'the snapshot may not include what this client wrote' }])
    })
  })

  test('what is known of the age survives a feed that is behind for long, and never gets smaller than it is', async () => {
    await shelf()
    const one = propagator('one')
    while ((await one.round()) > 0);
    const watermark = new Watermark(lived(store, { clock, callsLeft: Infinity }), clock)
    await watermark.mark()
    await watermark.refresh(one.progress)
    const provedAtMs = clock.ms
    for (let name = 0; name < 300; name++) {
      await rename(String(name))
      clock.ms += 100
      await watermark.mark()
      await watermark.refresh(one.progress)
      expect(watermark.freshness.boundMs).toBeGreaterThanOrEqual(clock.ms - provedAtMs - 3)
    }
    while ((await one.round()) > 0);
    watermark.advance(one.progress)
    expect(watermark.freshness.boundMs).toBeLessThan(300)
  })
})

describe('the clock that measures ages', () => {
  const world = { monotonic: 0, wall: 1_000_000 }
  const pass = (ms: number, wallMs = ms) => {
    world.monotonic += ms
    world.wall += wallMs
  }
  const clock = createSteadyClock(() => world.monotonic, () => world.wall)

  test('goes on when the clock of the machine is set back', () => {
    const before = clock.now()
    pass(50, -100_000)
    expect(clock.now() - before).toBe(50)
  })

  test('includes the time for which the machine slept', () => {
    pass(10, 100_010)
    const before = clock.now()
    pass(10, 3_600_000)
    expect(clock.now() - before).toBeGreaterThanOrEqual(3_600_000 - 100)
    expect(clock.jumps).toBe(1)
  })
})
