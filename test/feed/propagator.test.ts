// The propagator step by step: its writes and batches, the watermark, dead letters, and several propagators at once.

import { beforeEach, describe, expect, test } from 'vitest'
import { feedKey, ownContainer } from '../../src/store/own-container.ts'
import { deadLetter, listDeadLetters } from '../../src/feed/dead-letters.ts'
import { readProgress } from '../../src/feed/watermark.ts'
import { ChangePropagation } from '../../src/feed/change-propagation.ts'
import { Leases } from '../../src/feed/leases.ts'
import { Propagator } from '../../src/feed/propagator.ts'
import type { Body } from '../../src/model/json/json.ts'
import { StoreUnavailableError } from '../../src/store/store-errors.ts'
import type { Changes, Store, Write } from '../../src/store/store.ts'
import { Writer } from '../../src/write/writer.ts'
import { stores } from '../harness.ts'
import { Clock, declaration, lived, untruths } from './world.ts'

describe.each(stores)('on $name', ({ store: open }) => {
  let store: Store
  let writer: Writer
  let clock: Clock
  beforeEach(async () => {
    store = await open(declaration.layout)
    writer = new Writer(declaration, store, 'feed')
    clock = new Clock()
  })

  const propagator = (owner: string, through: Store = lived(store, { clock, callsLeft: Infinity }), pageSize = 100) =>
    new Propagator(declaration, through, { owner, leaseMs: 1000, pageSize, clock })

  async function shelf(books: number): Promise<void> {
    await writer.write(async (change) => ({ author: await change.create('Author', { id: 'a', name: 'old' }) }))
    for (let book = 0; book < books; book++) {
      await writer.write(async (change) => ({ book: await change.create('Book', { id: `b${book}`, title: 't', authorIds: ['a'] }) }))
    }
  }

  const recreate = async (houseId: string | null, authorIds: string[]) => {
    await writer.write(async (change) => ({ book: await change.delete('Book', { id: 'b0' }) }))
    await writer.write(async (change) => ({ book: await change.create('Book', { id: 'b0', title: 't', authorIds, houseId }) }))
  }
  const drain = async () => {
    while ((await propagator('one').round()) > 0);
  }
  const rename = (name: string) => writer.write(async (change) => ({ author: await change.update('Author', { id: 'a', name }) }))
  const body = async (container: string, id: string): Promise<Body> => (await store.readMany(container, [{ partition: [id], id }]))[0]!.body
  const copied = async (id: string) => (await body('books', id))['authors']

  test('snapshots are stale until it has run, then up to date', async () => {
    await shelf(3)
    await propagator('one').round()
    await rename('new')
    expect(await copied('b1')).toMatchObject([{ id: 'a', name: 'old' }])
    await propagator('one').round()
    expect(await copied('b1')).toMatchObject([{ id: 'a', name: 'new' }])
    expect(await untruths(store)).toEqual([])
  })

  test('writes many snapshots in batches of at most a hundred writes', async () => {
    await shelf(250)
    await propagator('one').round()
    await rename('new')
    const sizes: number[] = []
    const watched = watching(lived(store, { clock, callsLeft: Infinity }), { write: (writes) => void sizes.push(writes.filter(({ container, key }) => container !== 'quire' || key.id.startsWith('feed-')).length) })
    await propagator('one', watched).round()
    // Each with the renewal of the lease, where the store can write both atomically.
    if (store.supports.atomic === 'store') expect(sizes.filter((size) => size > 1).toSorted((one, other) => other - one)).toEqual([100, 100, 53])
    else expect(Math.max(...sizes)).toBe(1)
    expect(await untruths(store)).toEqual([])
  })

  test('writes large snapshots in batches of at most two megabytes', async () => {
    await writer.write(async (change) => ({ author: await change.create('Author', { id: 'a', name: 'old' }) }))
    for (const id of ['b0', 'b1', 'b2', 'b3', 'b4']) {
      await writer.write(async (change) => ({ book: await change.create('Book', { id, title: 't'.repeat(900_000), authorIds: ['a'] }) }))
    }
    await drain()
    await rename('new')
    const batches: number[] = []
    const watched = watching(lived(store, { clock, callsLeft: Infinity }), {
      write: (writes) => void batches.push(writes.filter(({ container }) => container === 'books').length),
    })
    await propagator('one', watched).round()
    expect(batches.filter((books) => books > 0)).toEqual(store.supports.atomic === 'store' ? [2, 2, 1] : [1, 1, 1, 1, 1])
    expect(await untruths(store)).toEqual([])
  })

  test('writes only its leases when there are no changes', async () => {
    await shelf(3)
    await drain()
    const containers = new Set<string>()
    const watched = watching(lived(store, { clock, callsLeft: Infinity }), { write: (writes) => writes.forEach(({ container }) => containers.add(container)) })
    expect(await propagator('one', watched).round()).toBe(0)
    expect([...containers]).toEqual([ownContainer])
  })

  test('the watermark does not pass a change that is written during a round', async () => {
    await shelf(1)
    await drain()
    const part = await partOf(store, 'a')
    let renamedAt: number | undefined
    const watched = watching(lived(store, { clock, callsLeft: Infinity }), {
      // Just after the end of the author's part of the feed was read.
      changes: async (looked) => {
        if (looked !== part || renamedAt !== undefined) return
        await rename('new')
        renamedAt = (await lived(store, { clock, callsLeft: Infinity }).position()).latest
      },
    })
    await propagator('one', watched).round()
    expect(await copied('b0')).toMatchObject([{ name: 'old' }])
    const lease = (await store.readMany(ownContainer, [feedKey(`feed-${part}`)]))[0]!.body
    expect(lease['reached']).toBeLessThan(renamedAt!)
  })

  test('the watermark does not move before the end of the feed', async () => {
    await shelf(20)
    const crashing = lived(store, { clock, callsLeft: 40 })
    await expect(propagator('one', crashing, 2).round()).rejects.toThrow()
    expect((await readProgress(store)).watermark).toBe(-Infinity)
  })

  test('an older snapshot does not replace a newer one', async () => {
    await shelf(1)
    await propagator('one').round()
    await rename('new')
    const [old] = await store.readMany('authors', [{ partition: ['a'], id: 'a' }])
    await rename('newest')
    await propagator('one').round()
    clock.ms += 5000
    // A propagator that read the author before the last change and writes the book after it.
    const late = watching(lived(store, { clock, callsLeft: Infinity }), { readMany: (container, documents) => (container === 'authors' ? [old] : documents) })
    await replay(store)
    await propagator('two', late).round()
    expect(await copied('b0')).toMatchObject([{ name: 'newest' }])
  })

  test('propagates a document that was deleted and created again before the feed was read', async () => {
    const houses = ['h1', 'h2', 'h3']
    for (const id of houses) await writer.write(async (change) => ({ house: await change.create('House', { id, name: id }) }))
    await shelf(1)
    await recreate('h1', ['a'])
    await drain()
    await recreate('h2', [])
    await recreate('h3', [])
    await recreate(null, [])
    await drain()
    expect(await Promise.all(houses.map(async (id) => (await body('houses', id))['countOfBooks']))).toEqual([0, 0, 0])
    expect((await body('authors', 'a'))['books']).toEqual([])
    expect(await untruths(store)).toEqual([])
    const notes = await store.query({ container: ownContainer, orderBy: { path: ['id'], descending: false }, limit: 100 })
    expect(notes.filter(({ key }) => key.id.startsWith('gone-'))).toEqual([])
  })

  test('a change that fails becomes a dead letter with its reason, the feed continues, and it can be retried', async () => {
    await shelf(2)
    await propagator('one').round()
    await rename('new')
    await writer.write(async (change) => ({ house: await change.create('House', { id: 'h', name: 'h' }) }))
    const failing = watching(lived(store, { clock, callsLeft: Infinity }), {
      query: ({ container }) => {
        if (container === 'books') throw new Error('The books are being moved.')
      },
    })
    await propagator('one', failing).round()
    expect(await copied('b0')).toMatchObject([{ name: 'old' }])
    expect((await listDeadLetters(store)).map((letter) => [letter.body['container'], letter.body['reason']])).toContainEqual(['authors', 'The books are being moved.'])
    expect(await propagator('one').retryDeadLetters()).toBe(0)
    expect(await listDeadLetters(store)).toEqual([])
    expect(await copied('b0')).toMatchObject([{ name: 'new' }])
  })

  test('the watermark does not pass a dead letter', async () => {
    await shelf(1)
    await drain()
    const before = (await readProgress(store)).watermark
    const change = { container: 'authors', key: { partition: ['a'], id: 'a' }, deleted: false, body: await body('authors', 'a'), at: 0, position: before - 1 }
    await store.write([deadLetter(change, new Error('No.'))])
    expect((await readProgress(store)).watermark).toBe(before - 2)
    await propagator('one').retryDeadLetters()
    expect((await readProgress(store)).watermark).toBe(before)
  })

  test('an unavailable store makes no dead letters and skips no change', async () => {
    await shelf(1)
    await drain()
    await rename('new')
    let down = true
    const failing = watching(lived(store, { clock, callsLeft: Infinity }), {
      query: ({ container }) => {
        if (down && container === 'books') throw new StoreUnavailableError('Throttled.')
      },
    })
    await expect(propagator('one', failing).round()).rejects.toThrow(StoreUnavailableError)
    expect(await listDeadLetters(store)).toEqual([])
    down = false
    await propagator('one', failing).round()
    expect(await copied('b0')).toMatchObject([{ name: 'new' }])
  })

  test('snapshots that it writes do not go round again: the documents that list them are not read for each', async () => {
    // The service has its own feed, in which every write is a change.
    if (store.supports.positions === 'milliseconds') return
    await shelf(200)
    let authors = 0
    const watched = watching(lived(store, { clock, callsLeft: Infinity }), {
      readMany: (container, documents) => {
        if (container === 'authors') authors += documents.length
        return documents
      },
    })
    const one = propagator('one', watched)
    while ((await one.round()) > 0);
    await rename('new')
    authors = 0
    while ((await one.round()) > 0);
    expect(authors).toBeLessThan(10)
    expect(await untruths(store)).toEqual([])
  })

  test('a change that was not propagated is not passed over because a snapshot was written into its document', async () => {
    await shelf(3)
    const one = propagator('one')
    while ((await one.round()) > 0);
    await writer.write(async (change) => ({ author: await change.create('Author', { id: 'z', name: 'z' }) }))
    // The author's change is propagated into books whose own changes wait.
    for (const id of ['b0', 'b1', 'b2']) await writer.write(async (change) => ({ book: await change.update('Book', { id, authorIds: ['a', 'z'] }) }))
    await rename('new')
    while ((await propagator('one', undefined, 1).round()) > 0);
    expect((await body('authors', 'z'))['books']).toEqual(['b0', 'b1', 'b2'])
    expect(await untruths(store)).toEqual([])
  })

  test('lets requests run after a few changes', async () => {
    await shelf(100)
    let turns = 0
    let running = true
    const nextTurn = (): void => void setImmediate(() => {
      turns++
      if (running) nextTurn()
    })
    nextTurn()
    const perTurn = new Map<number, number>()
    const watched = watching(lived(store, { clock, callsLeft: Infinity }), {
      write: (writes) => {
        if (writes.some(({ container }) => container !== ownContainer)) perTurn.set(turns, (perTurn.get(turns) ?? 0) + 1)
      },
    })
    await propagator('one', watched).round()
    running = false
    expect(Math.max(...perTurn.values())).toBeLessThanOrEqual(8)
  })

  test('stores how far it has come from time to time while it catches up, and not after each page', async () => {
    let writes = 0
    const counted = (withMs: number) => watching(lived(store, { clock, callsLeft: Infinity }), {
      write: (all) => {
        if (all.every(({ container }) => container === ownContainer)) writes++
      },
      changes: async () => void (clock.ms += withMs),
    })
    await propagator('one').round()
    const writesFor = async (withMs: number): Promise<number> => {
      for (let at = 0; at < 60; at++) await writer.write(async (change) => ({ club: await change.create('Club', { id: `c${withMs}-${at}`, name: 'c' }) }))
      writes = 0
      await propagator('one', counted(withMs), 1).round()
      return writes
    }
    // Sixty pages of one change. Its registration and the end of each part are stored as well.
    expect(await writesFor(0)).toBeLessThan(20)
    expect(await writesFor(1000)).toBeGreaterThanOrEqual(60)
    expect(await propagator('one').round()).toBe(0)
  })

  test('writes a document that many changes affect once for all of them, where the store commits at once', async () => {
    await shelf(90)
    let writes = 0
    const watched = watching(lived(store, { clock, callsLeft: Infinity }), {
      write: (all) => {
        writes += all.filter(({ container, key }) => container === 'authors' && key.id === 'a').length
      },
    })
    while ((await propagator('one', watched).round()) > 0);
    expect((await body('authors', 'a'))['books']).toHaveLength(90)
    expect(await untruths(store)).toEqual([])
    expect(writes).toBeLessThanOrEqual(store.supports.atomic === 'store' ? (await store.feedParts()).length : 90)
  })

  test('one change of many that fails becomes a dead letter, and the others are propagated', async () => {
    await shelf(5)
    await drain()
    await rename('new')
    for (const id of ['c0', 'c1']) await writer.write(async (change) => ({ book: await change.create('Book', { id, title: 't', authorIds: ['a'] }) }))
    const failing = watching(lived(store, { clock, callsLeft: Infinity }), {
      query: ({ container }) => {
        if (container === 'books') throw new Error('The books are being moved.')
      },
    })
    await propagator('one', failing).round()
    expect((await listDeadLetters(store)).map((letter) => (letter.body['key'] as { id: string }).id)).toEqual(['a'])
    expect((await body('authors', 'a'))['books']).toEqual(['b0', 'b1', 'b2', 'b3', 'b4', 'c0', 'c1'])
  })

  test('does not take a further change together with one that affects many documents', async () => {
    if (store.supports.atomic !== 'store') return
    await shelf(500)
    await drain()
    await rename('new')
    await writer.write(async (change) => ({ author: await change.create('Author', { id: 'b', name: 'other' }) }))
    const pages = await Promise.all((await store.feedParts()).map(async (part) => (await store.changes(part, undefined, 1000)).changes))
    const renamed = pages.flat().filter(({ container }) => container === 'authors').toSorted((one, other) => one.position - other.position)
    expect(renamed).toHaveLength(2)
    const propagation = new ChangePropagation(declaration, store, new Leases(store, 'one', 1000), { clock, passed: () => -Infinity, transitively: false, onPropagated: undefined })
    expect(await propagation.propagate(renamed, { lease: undefined })).toBe(1)
    expect(await propagation.propagate(renamed.toReversed(), { lease: undefined })).toBe(2)
  })

  test('leaves no entries of deleted documents in the feed, but the newest', async () => {
    await shelf(30)
    await drain()
    for (let book = 0; book < 30; book++) await writer.write(async (change) => ({ book: await change.delete('Book', { id: `b${book}` }) }))
    const before = await store.position()
    await drain()
    await drain()
    const deleted = (await Promise.all((await store.feedParts()).map(async (part) => (await store.changes(part, undefined, 1000)).changes))).flat().filter((change) => change.deleted)
    // Where tombstones expire by themselves, all are still there.
    if (store.supports.positions === 'milliseconds') expect(deleted).toHaveLength(30)
    else expect(deleted.length).toBeLessThanOrEqual(1)
    // A position in milliseconds follows from an estimate of the service's clock, which gets better.
    expect((await store.position()).latest).toBeGreaterThanOrEqual(store.supports.positions === 'milliseconds' ? Math.floor(before.latest) - 1 : before.latest)
    expect(await untruths(store)).toEqual([])
  })

  describe('several propagators', () => {
    test('share the parts evenly', async () => {
      const [one, two] = [propagator('one'), propagator('two')]
      await one.round()
      expect(new Set(await holdersOf(store))).toEqual(new Set(['one']))
      // A single part has one propagator, and the others stand by.
      if ((await store.feedParts()).length === 1) return
      // The second registers; the first releases what exceeds its quota when half of its lease has passed; the second takes it.
      await two.round()
      clock.ms += 500
      await one.round()
      await two.round()
      expect(new Set(await holdersOf(store))).toEqual(new Set(['one', 'two']))
      expect((await holdersOf(store)).filter((owner) => owner === 'one')).toHaveLength(2)
    })

    test('take over a part when its lease expires, and not before', async () => {
      await propagator('dead').round()
      await shelf(1)
      await propagator('heir').round()
      expect(new Set(await holdersOf(store))).toEqual(new Set(['dead']))
      clock.ms += 1001
      await propagator('heir').round()
      expect(new Set(await holdersOf(store))).toEqual(new Set(['heir']))
      expect(await untruths(store)).toEqual([])
    })

    test('release their parts when they stop', async () => {
      const one = propagator('one')
      await one.round()
      await one.stop()
      await propagator('two').round()
      expect(new Set(await holdersOf(store))).toEqual(new Set(['two']))
    })

    test('write nothing after they have lost a part', async () => {
      await shelf(1)
      await propagator('one').round()
      await rename('new')
      let stolen = false
      const slow = watching(lived(store, { clock, callsLeft: Infinity }), {
        query: async ({ container }) => {
          if (stolen || container === ownContainer) return
          stolen = true
          for (const part of await store.feedParts()) await writeLeaseOf(store, part, { owner: 'thief', expiresAt: clock.ms + 1000 })
        },
      })
      await propagator('one', slow).round()
      expect(stolen).toBe(true)
      // Without a fence the snapshot is still written, and is right; only the new owner moves the point.
      expect(await copied('b0')).toMatchObject([{ name: store.supports.atomic === 'store' ? 'old' : 'new' }])
      expect(new Set(await holdersOf(store))).toEqual(new Set(['thief']))
    })
  })
})

interface Watchers {
  readonly write?: (writes: readonly Write[]) => void
  readonly changes?: (part: string) => Promise<void>
  readonly query?: (query: { container: string }) => void | Promise<void>
  readonly readMany?: (container: string, documents: Awaited<ReturnType<Store['readMany']>>) => Awaited<ReturnType<Store['readMany']>>
}

/** A store with hooks: before writes and queries, after changes and reads. */
function watching(store: Store, watchers: Watchers): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      switch (name) {
        case 'write':
          return (...args: Parameters<Store['write']>) => {
            watchers.write?.(args[0])
            return target.write(...args)
          }
        case 'query':
          return async (...args: Parameters<Store['query']>) => {
            await watchers.query?.(args[0])
            return target.query(...args)
          }
        case 'changes':
          return async (...args: Parameters<Store['changes']>) => {
            const answer = await target.changes(...args)
            await watchers.changes?.(args[0])
            return answer
          }
        case 'readMany':
          return async (...args: Parameters<Store['readMany']>) => {
            const documents = await target.readMany(...args)
            return watchers.readMany?.(args[0], documents) ?? documents
          }
        default:
          return target[name]
      }
    },
  })
}

/** The owner of each part. */
async function holdersOf(store: Store): Promise<unknown[]> {
  const parts = await store.feedParts()
  const leases = await store.readMany(ownContainer, parts.map((part) => feedKey(`feed-${part}`)))
  return leases.map((lease) => lease!.body['owner'])
}

/** The part of the feed that has a document. */
async function partOf(store: Store, id: string): Promise<string> {
  for (const part of await store.feedParts()) {
    let page: Changes | undefined
    do {
      page = await store.changes(part, page?.point, 1000)
      if (page.changes.some(({ key }) => key.id === id)) return part
    } while (!page.end)
  }
  throw new Error(`Nothing is known of ${id}.`)
}

/** All changes in the feed, from the start. */
async function replay(store: Store): Promise<void> {
  for (const part of await store.feedParts()) await writeLeaseOf(store, part, { owner: '', expiresAt: 0, point: undefined })
}

async function writeLeaseOf(store: Store, part: string, changed: Body): Promise<void> {
  const key = feedKey(`feed-${part}`)
  const [lease] = await store.readMany(ownContainer, [key])
  await store.write([{ kind: 'put', container: ownContainer, key, body: { ...lease!.body, ...changed } }])
}
