// The effects mode belongs to the store: a gateway that starts in another one drains the feed first, or refuses while others run.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { GatewayOptions } from '../../src/gateway.ts'
import { enterEffectsMode } from '../../src/feed/mode/effects-mode.ts'
import type { GatewayMode } from '../../src/feed/mode/gateway-mode.ts'
import { registeredIn, registration, registrationKey } from '../../src/feed/mode/registered-gateways.ts'
import { createSweep } from '../../src/feed/sweep-feed.ts'
import { leaseKey } from '../../src/feed/lease-document.ts'
import { deadLetter, listDeadLetters } from '../../src/feed/dead-letters.ts'
import { Memory, openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { feedKey, ownContainer } from '../../src/store/own-container.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { SetupError, StoreUnavailableError } from '../../src/store/store-errors.ts'
import type { ContainerLayout, Store } from '../../src/store/store.ts'
import { Writer, type EffectsMode } from '../../src/write/writer.ts'
import { earlyTimers } from '../fast-clock.ts'
import { openGateway, type Ask } from '../harness.ts'
import { VirtualClock } from './virtual-clock.ts'
import { declaration, sdl, untruths } from './world.ts'

let folder: string
let memory: Memory
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-mode-'))
  memory = new Memory()
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Each opens the same documents again, as another process would. */
const stores: readonly { name: string; open: (layout: readonly ContainerLayout[]) => Promise<Store> }[] = [
  { name: 'memory', open: (layout) => openMemoryStore(layout, memory) },
  { name: 'sqlite', open: (layout) => openSqliteStore(join(folder, 'books.db'), layout) },
]

describe.each(stores)('on $name', ({ name, open }) => {
  const opened: Ask[] = []
  afterEach(async () => {
    for (const ask of opened.splice(0)) await ask.close()
  })
  const gateway = async (effects: EffectsMode, options: Partial<GatewayOptions> = {}) => {
    const ask = await openGateway({ typeDefs: sdl, store: open, effects, propagates: true, clock: earlyTimers, ...options })
    opened.push(ask)
    return ask
  }
  /** A gateway that leaves effects to the feed and never propagates them, with a rename that has reached no snapshot. */
  const behind = async () => {
    const ask = await gateway('feed', { propagates: false })
    await ask('mutation { createAuthor(input: { id: "a", name: "old" }) { author { id } } }')
    for (const id of ['b1', 'b2']) await ask(`mutation { createBook(input: { id: "${id}", title: "t", authorIds: ["a"] }) { book { id } } }`)
    await ask('mutation { updateAuthor(input: { id: "a", name: "new" }) { author { id } } }')
    return ask
  }
  const withStore = async <T>(use: (store: Store) => Promise<T>): Promise<T> => {
    const store = await open(declaration.layout)
    try {
      return await use(store)
    } finally {
      await store.close()
    }
  }
  const close = async (ask: Ask) => {
    opened.splice(opened.indexOf(ask), 1)
    await ask.close()
  }

  test('from feed to together, the feed is drained before the first answer', async () => {
    await close(await behind())
    const ask = await gateway('together')
    expect(await read(ask)).toEqual({ names: ['new', 'new'], boundMs: 0 })
    await close(ask)
    await withStore(async (store) => expect(await untruths(store)).toEqual([]))
  })

  test('a store of a version without the record is drained, too', async () => {
    await close(await behind())
    await withStore(async (store) => {
      const part = (await store.feedParts())[0]!
      await store.write([
        { kind: 'delete', container: ownContainer, key: { partition: ['effects'], id: 'effects' } },
        // Killed while its clock was ahead: neither its share of the parts nor its lease is waited for.
        { kind: 'put', container: ownContainer, key: feedKey('follower-killed'), body: { id: 'follower-killed', partition: 'feed', type: 'follower', expiresAt: Number.MAX_SAFE_INTEGER - 1 } },
        { kind: 'put', container: ownContainer, key: leaseKey(part), body: { id: leaseKey(part).id, partition: 'feed', owner: 'killed', expiresAt: Number.MAX_SAFE_INTEGER - 1, watermark: Date.now() + 1e6 } },
      ])
    })
    expect(await read(await gateway('together'))).toEqual({ names: ['new', 'new'], boundMs: 0 })
  })

  test('a gateway refuses to start while another runs in the other mode', async () => {
    const ask = await behind()
    await expect(gateway('together')).rejects.toThrow(SetupError)
    await close(ask)
    await gateway('together')
    await expect(gateway('feed')).rejects.toThrow('QUIRE_EFFECTS=together')
  })

  test('a process that has nothing else to do waits for those that do not answer', async ({ skip }) => {
    if (name !== 'sqlite') skip('Only a file is shared by processes.')
    await withStore(async (store) => {
      await (await enterEffectsMode(store, 'feed', { drain: full })).leave()
      await store.write([registration(registrationKey(), 'feed')])
    })
    const code = `
      import { fastClock } from ${JSON.stringify(resolve('test/fast-clock.ts'))}
      import { enterEffectsMode } from ${JSON.stringify(resolve('src/feed/mode/effects-mode.ts'))}
      import { openSqliteStore } from ${JSON.stringify(resolve('src/store/sqlite/sqlite-store.ts'))}
      const store = await openSqliteStore(${JSON.stringify(join(folder, 'books.db'))}, ${JSON.stringify(declaration.layout)})
      await enterEffectsMode(store, 'together', { drain: async () => undefined, clock: fastClock('sqlite') })
      console.log('entered')
      process.exit(0)`
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code])
    expect(stderr).toBe('')
    expect(stdout).toBe('entered\n')
  }, 30_000)

  test('several gateways of one mode run side by side', async () => {
    const [one, two] = [await gateway('together'), await gateway('together')]
    await one('mutation { createAuthor(input: { id: "a", name: "x" }) { author { id } } }')
    expect((await two('{ author(id: "a") { name } }')).data).toEqual({ author: { name: 'x' } })
  })

  test('a change that cannot be propagated keeps the store in feed mode', async () => {
    await close(await behind())
    await withStore(async (store) => store.write([deadLetter({ container: 'authors', key: { partition: ['a'], id: 'a' }, deleted: false, body: { id: 'a' }, at: 0, position: 1 }, new Error('No.'))]).then(() => undefined))
    await expect(gateway('together')).rejects.toThrow('dead-letters')
    await withStore(async (store) => store.write((await listDeadLetters(store)).map(({ key }) => ({ kind: 'delete', container: ownContainer, key }))).then(() => undefined))
    await gateway('feed')
  })

  describe('a gateway that was killed or stopped', () => {
    let store: Store
    let clock: VirtualClock
    const held: GatewayMode[] = []
    beforeEach(async () => {
      store = await open(declaration.layout)
      clock = new VirtualClock(0)
    })
    afterEach(async () => {
      for (const each of held.splice(0)) await each.leave()
      await store.close()
    })
    const enter = async (mode: EffectsMode, own = clock) => {
      const mine = await enterEffectsMode(store, mode, { drain: async () => undefined, clock: own })
      held.push(mine)
      return mine
    }

    test('is asked, and no longer counts when it does not answer', async () => {
      await enter('feed', new VirtualClock(0))
      const entering = enter('together')
      await clock.pass(10_000, 1)
      await entering
    })

    test('is not believed to be the only one when it goes on: it rejects writes, and calls nothing current', async () => {
      const frozen = new VirtualClock(0)
      const old = await enter('together', frozen)
      expect(old.isCertain).toBe(true)
      const entering = enter('feed')
      await clock.pass(10_000, 1)
      await entering
      await frozen.pass(6000, 1)
      expect(old.isCertain).toBe(false)
      const writer = new Writer(declaration, store, 'together', undefined, () => old.check())
      await expect(writer.write(async (change) => ({ house: await change.create('House', { id: 'h', name: 'h' }) }))).rejects.toThrow('QUIRE_EFFECTS=feed')
      expect(await store.readMany('houses', [{ partition: ['h'], id: 'h' }])).toEqual([undefined])
    })

    test('leaves a registration, which is removed when there are many', async () => {
      const left = Array.from({ length: 25 }, () => registration(registrationKey(), 'together'))
      await store.write(left)
      await enter('together')
      await clock.pass(10_000, 1)
      await clock.idle(1)
      expect(await registeredIn(store, 'together')).toHaveLength(1)
    })

    test('can start while nothing can be written, and is certain of its mode once it is registered', async () => {
      await enter('together')
      let isFull = true
      const filling: Store = { ...store, atomically: (...args) => (isFull ? full() : store.atomically(...args)), write: (...args) => (isFull ? full() : store.write(...args)) }
      const mine = await enterEffectsMode(filling, 'together', { drain: full, clock })
      held.push(mine)
      await clock.pass(3000, 2)
      expect(mine.isCertain).toBe(false)
      isFull = false
      await clock.pass(3000, 2)
      await clock.idle(2)
      expect(mine.isCertain).toBe(true)
      await expect(enterEffectsMode({ ...store, atomically: full }, 'feed', { drain: full, clock })).rejects.toThrow(StoreUnavailableError)
    })

    test('leaves no entries of deleted documents in the feed, but the newest', async () => {
      const writer = new Writer(declaration, store, 'together')
      for (const id of ['h1', 'h2', 'h3', 'h4']) await writer.write(async (change) => ({ house: await change.create('House', { id, name: 'h' }) }))
      for (const id of ['h1', 'h2', 'h3']) await writer.write(async (change) => ({ house: await change.delete('House', { id }) }))
      held.push(await enterEffectsMode(store, 'together', { drain: async () => undefined, clock, onLook: createSweep(store) }))
      await clock.pass(5000, 1)
      await clock.idle(1)
      const entries = await Promise.all((await store.feedParts()).map(async (part) => (await store.changes(part, undefined, 100)).changes))
      // A store may count the next position from the newest entry.
      expect(entries.flat().filter(({ key, deleted }) => !(deleted && key.id === 'h3')).map(({ key }) => key.id)).toEqual(['h4'])
    })

    test('is certain of its mode for as long as it looks at it', async () => {
      const mine = await enter('together')
      for (let minute = 0; minute < 5; minute++) {
        await clock.pass(60_000, 1)
        await clock.idle(1)
        expect(mine.isCertain).toBe(true)
      }
    })
  })
})

/** What a client gets that allows no stale snapshots. */
async function read(ask: Ask) {
  const { data, report } = await ask('query @read(maxStaleMs: 0) { books { nodes { authors { name } } } }')
  return { names: (data as { books: { nodes: { authors: { name: string }[] }[] } }).books.nodes.map(({ authors }) => authors[0]!.name), boundMs: report.staleness.boundMs }
}

async function full(): Promise<never> {
  throw new StoreUnavailableError('The disk is full.')
}
