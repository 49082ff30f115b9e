// The propagator step by step: what it writes and in which batches, what it claims about time, what it
// does with changes that cannot be propagated, and how several share the work.

import { beforeEach, describe, expect, test } from 'vitest'
import { feedKey, ownContainer } from '../../src/store/own-container.ts'
import { deadLetter, listDeadLetters } from '../../src/feed/dead-letters.ts'
import { readProgress } from '../../src/feed/watermark.ts'
import { Propagator } from '../../src/feed/propagator.ts'
import type { Body } from '../../src/model/json/json.ts'
import { StoreUnavailableError, type Changes, type Store, type Write } from '../../src/store/store.ts'
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
    new Propagator(declaration, through, { owner, leaseMs: 1000, pageSize })

  async function shelf(books: number): Promise<void> {
    await writer.write(async (change) => ({ author: await change.create('Author', { id: 'a', name: 'old' }) }))
    for (let book = 0; book < books; book++) {
      await writer.write(async (change) => ({ book: await change.create('Book', { id: `b${book}`, title: 't', authorIds: ['a'] }) }))
    }
  }

  const anew = async (houseId: string | null, authorIds: string[]) => {
    await writer.write(async (change) => ({ book: await change.delete('Book', { id: 'b0' }) }))
    await writer.write(async (change) => ({ book: await change.create('Book', { id: 'b0', title: 't', authorIds, houseId }) }))
  }
  const drain = async () => {
    while ((await propagator('one').round()) > 0);
  }
  const rename = (name: string) => writer.write(async (change) => ({ author: await change.update('Author', { id: 'a', name }) }))
  const body = async (container: string, id: string): Promise<Body> => (await store.readMany(container, [{ partition: [id], id }]))[0]!.body
  const copied = async (id: string) => (await body('books', id))['authors']

  test('until it has been there, copies are as they were; then they are true', async () => {
    await shelf(3)
    await propagator('one').round()
    await rename('new')
    expect(await copied('b1')).toMatchObject([{ id: 'a', name: 'old' }])
    await propagator('one').round()
    expect(await copied('b1')).toMatchObject([{ id: 'a', name: 'new' }])
    expect(await untruths(store)).toEqual([])
  })

  test('many copies are written in batches of at most a hundred writes', async () => {
    await shelf(250)
    await propagator('one').round()
    await rename('new')
    const sizes: number[] = []
    const watched = watching(lived(store, { clock, callsLeft: Infinity }), { write: (writes) => void sizes.push(writes.length) })
    await propagator('one', watched).round()
    // Each with the renewal of the lease, where it can be written with them.
    if (store.supports.atomic === 'store') expect(sizes.filter((size) => size > 1).toSorted((one, other) => other - one)).toEqual([100, 100, 53])
    else expect(Math.max(...sizes)).toBe(1)
    expect(await untruths(store)).toEqual([])
  })

  test('large copies are written in batches of at most two megabytes', async () => {
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

  test('when it has nothing to do, it writes nothing but its leases', async () => {
    await shelf(3)
    await drain()
    const containers = new Set<string>()
    const watched = watching(lived(store, { clock, callsLeft: Infinity }), { write: (writes) => writes.forEach(({ container }) => containers.add(container)) })
    expect(await propagator('one', watched).round()).toBe(0)
    expect([...containers]).toEqual([ownContainer])
  })

  test('a change that comes while it works is not claimed to have been propagated', async () => {
    await shelf(1)
    await drain()
    const part = await partOf(store, 'a')
    let renamedAt = 0
    const watched = watching(lived(store, { clock, callsLeft: Infinity }), {
      // Just after the author's part of the feed had nothing to tell.
      changes: async (looked) => {
        if (looked !== part || renamedAt > 0) return
        await rename('new')
        renamedAt = clock.ms
      },
    })
    await propagator('one', watched).round()
    expect(await copied('b0')).toMatchObject([{ name: 'old' }])
    const lease = (await store.readMany(ownContainer, [feedKey(`feed-${part}`)]))[0]!.body
    expect(lease['watermark']).toBeLessThan(renamedAt)
  })

  test('the watermark stands still while there is more to follow', async () => {
    await shelf(20)
    const crashing = lived(store, { clock, callsLeft: 40 })
    await expect(propagator('one', crashing, 2).round()).rejects.toThrow()
    expect((await readProgress(store)).watermark).toBe(0)
  })

  test('an older copy does not replace a newer one', async () => {
    await shelf(1)
    await propagator('one').round()
    await rename('new')
    const [old] = await store.readMany('authors', [{ partition: ['a'], id: 'a' }])
    await rename('newest')
    await propagator('one').round()
    clock.ms += 5000
    // A follower that read the author before the last change, and comes to the book after it.
    const late = watching(lived(store, { clock, callsLeft: Infinity }), { readMany: (container, documents) => (container === 'authors' ? [old] : documents) })
    await replay(store)
    await propagator('two', late).round()
    expect(await copied('b0')).toMatchObject([{ name: 'newest' }])
  })

  test('a document that is deleted and created anew before anyone looked is missed nowhere', async () => {
    const houses = ['h1', 'h2', 'h3']
    for (const id of houses) await writer.write(async (change) => ({ house: await change.create('House', { id, name: id }) }))
    await shelf(1)
    await anew('h1', ['a'])
    await drain()
    await anew('h2', [])
    await anew('h3', [])
    await anew(null, [])
    await drain()
    expect(await Promise.all(houses.map(async (id) => (await body('houses', id))['countOfBooks']))).toEqual([0, 0, 0])
    expect((await body('authors', 'a'))['books']).toEqual([])
    expect(await untruths(store)).toEqual([])
    const notes = await store.query({ container: ownContainer, orderBy: { path: ['id'], descending: false }, limit: 100 })
    expect(notes.filter(({ key }) => key.id.startsWith('gone-'))).toEqual([])
  })

  test('what cannot be propagated is set aside with its reason, the rest goes on, and it can be retried', async () => {
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

  test('nothing after a change that was set aside is claimed to have been propagated', async () => {
    await shelf(1)
    await drain()
    const before = (await readProgress(store)).watermark
    const change = { container: 'authors', key: { partition: ['a'], id: 'a' }, deleted: false, body: await body('authors', 'a'), at: before - 500 }
    await store.write([deadLetter(change, new Error('No.'))])
    expect((await readProgress(store)).watermark).toBe(before - 500)
    await propagator('one').retryDeadLetters()
    expect((await readProgress(store)).watermark).toBe(before)
  })

  test('a store that does not answer is no fault of a change: nothing is set aside, and nothing is skipped', async () => {
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

  describe('several followers', () => {
    test('share the parts evenly', async () => {
      const [one, two] = [propagator('one'), propagator('two')]
      await one.round()
      expect(new Set(await holdersOf(store))).toEqual(new Set(['one']))
      // One part has one follower, and the others stand by.
      if ((await store.feedParts()).length === 1) return
      // The second says that it is there; the first gives up what is more than its share; the second takes it.
      await two.round()
      await one.round()
      await two.round()
      expect(new Set(await holdersOf(store))).toEqual(new Set(['one', 'two']))
      expect((await holdersOf(store)).filter((owner) => owner === 'one')).toHaveLength(2)
    })

    test('take over from one that is not heard of any more, and not before', async () => {
      await propagator('dead').round()
      await shelf(1)
      await propagator('heir').round()
      expect(new Set(await holdersOf(store))).toEqual(new Set(['dead']))
      clock.ms += 1001
      await propagator('heir').round()
      expect(new Set(await holdersOf(store))).toEqual(new Set(['heir']))
      expect(await untruths(store)).toEqual([])
    })

    test('give their parts back when they stop', async () => {
      const one = propagator('one')
      await one.round()
      await one.stop()
      await propagator('two').round()
      expect(new Set(await holdersOf(store))).toEqual(new Set(['two']))
    })

    test('who has lost a part writes nothing more', async () => {
      await shelf(1)
      await propagator('one').round()
      await rename('new')
      let stolen = false
      const slow = watching(lived(store, { clock, callsLeft: Infinity }), {
        query: async () => {
          if (stolen) return
          stolen = true
          for (const part of await store.feedParts()) await writeLeaseOf(store, part, { owner: 'thief', expiresAt: clock.ms + 1000 })
        },
      })
      await propagator('one', slow).round()
      expect(stolen).toBe(true)
      // Without a fence the copy is written all the same, and is true; how far it has come, only the new owner says.
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

/** The store with someone looking over its shoulder: at writes and queries before, at changes and reads after. */
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

/** Who has which part. */
async function holdersOf(store: Store): Promise<unknown[]> {
  const parts = await store.feedParts()
  const leases = await store.readMany(ownContainer, parts.map((part) => feedKey(`feed-${part}`)))
  return leases.map((lease) => lease!.body['owner'])
}

/** The part of the feed in which a document is. */
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

/** Everything in the feed once more. */
async function replay(store: Store): Promise<void> {
  for (const part of await store.feedParts()) await writeLeaseOf(store, part, { owner: '', expiresAt: 0, point: undefined })
}

async function writeLeaseOf(store: Store, part: string, changed: Body): Promise<void> {
  const key = feedKey(`feed-${part}`)
  const [lease] = await store.readMany(ownContainer, [key])
  await store.write([{ kind: 'put', container: ownContainer, key, body: { ...lease!.body, ...changed } }])
}
