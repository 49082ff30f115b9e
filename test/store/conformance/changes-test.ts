// The change feed: each document once, at its last change, and a follower misses nothing.

import fc from '../../fast-check.ts'
import { expect, test } from 'vitest'
import { partitionText, type Key } from '../../../src/model/keys/key.ts'
import type { Body } from '../../../src/model/json/json.ts'
import { ConflictError } from '../../../src/store/store-errors.ts'
import type { Store, Write } from '../../../src/store/store.ts'
import { followAll, followPart, idsAndFates, nameOf, partWith, replay } from './following.ts'
import { book, bookKey, fill, review, withStore, type OpenStore, type Put } from './shelf.ts'

export function changesTest(open: OpenStore, numRuns: number): void {
  const reviews = ['r1', 'r2', 'r3', 'r4', 'r5'].map((id) => review('b1', id))
  const manyBooks = Array.from({ length: 40 }, (_, at) => book(`b${at}`))

  test('an empty feed returns no changes and the same point', () =>
    withStore(open, [], async (store) => {
      for (const part of await store.feedParts()) expect(await store.changes(part, undefined, 10)).toEqual({ changes: [], point: undefined, end: true })
    }))

  test('the changes of a partition are in the order of the writes', () =>
    withStore(open, [], async (store) => {
      for (const id of ['r2', 'r3', 'r1']) await store.write([review('b1', id, { rating: 5 })])
      await store.write([review('b1', 'r5'), review('b1', 'r4')])
      const changes = await followAll(store)
      expect(idsAndFates(changes)).toEqual(['r2', 'r3', 'r1', 'r5', 'r4'])
      const { at: _, position: __, ...first } = changes[0]!
      expect(first).toEqual({ container: 'reviews', key: { partition: ['b1'], id: 'r2' }, deleted: false, body: { id: 'r2', bookId: 'b1', rating: 5 } })
    }))

  test('a document that changes again moves to the end: one change, with its current body', () =>
    withStore(open, reviews, async (store) => {
      await store.write([review('b1', 'r2', { rating: 1 })])
      await store.write([review('b1', 'r2', { rating: 2 })])
      const changes = await followAll(store)
      expect(idsAndFates(changes)).toEqual(['r1', 'r3', 'r4', 'r5', 'r2'])
      expect(changes.at(-1)!.body).toEqual({ id: 'r2', bookId: 'b1', rating: 2 })
    }))

  test('writing an unchanged document is a change', () =>
    withStore(open, reviews, async (store) => {
      await store.write([review('b1', 'r1')])
      expect(idsAndFates(await followAll(store))).toEqual(['r2', 'r3', 'r4', 'r5', 'r1'])
    }))

  test('a deletion is a change with the last body', () =>
    withStore(open, reviews, async (store) => {
      await store.write([review('b1', 'r1', { rating: 3 })])
      await store.write([remove('reviews', reviews[0]!.key)])
      const changes = await followAll(store)
      expect(idsAndFates(changes)).toEqual(['r2', 'r3', 'r4', 'r5', 'r1 deleted'])
      expect(changes.at(-1)).toMatchObject({ container: 'reviews', key: reviews[0]!.key, body: { id: 'r1', bookId: 'b1', rating: 3 } })
    }))

  test('deleting a missing document is no change', () =>
    withStore(open, reviews, async (store) => {
      await store.write([remove('reviews', { partition: ['b1'], id: 'nobody' })])
      await store.write([remove('reviews', reviews[0]!.key)])
      const after = await followAll(store)
      await store.write([remove('reviews', reviews[0]!.key)])
      expect(await followAll(store)).toEqual(after)
      expect(idsAndFates(after)).toEqual(['r2', 'r3', 'r4', 'r5', 'r1 deleted'])
    }))

  test('a document that was deleted and created again is not deleted', () =>
    withStore(open, reviews, async (store) => {
      await store.write([remove('reviews', reviews[0]!.key)])
      await store.write([review('b1', 'r1', { rating: 4 })])
      const changes = await followAll(store)
      expect(idsAndFates(changes)).toEqual(['r2', 'r3', 'r4', 'r5', 'r1'])
      expect(changes.at(-1)!.body).toEqual({ id: 'r1', bookId: 'b1', rating: 4 })
    }))

  test('several writes of one document in one call are one change', () =>
    withStore(open, [], async (store) => {
      await store.write([review('b1', 'r1', { rating: 1 }), review('b1', 'r2'), remove('reviews', reviews[0]!.key), review('b1', 'r1', { rating: 2 })])
      const changes = await followAll(store)
      expect(idsAndFates(changes)).toEqual(['r2', 'r1'])
      expect(changes[1]!.body.rating).toBe(2)
    }))

  test('the changes of one call appear together, and those of a refused call never', () =>
    withStore(open, reviews.slice(0, 2), async (store) => {
      const before = await followAll(store)
      const refused = [review('b1', 'r3'), review('b1', 'r1', { rating: 1 }), remove('reviews', reviews[1]!.key), { ...review('b1', 'r1'), only: 'if-absent' } as const]
      await expect(store.write(refused)).rejects.toBeInstanceOf(ConflictError)
      expect(await followAll(store)).toEqual(before)
      await store.write(refused.slice(0, 3))
      expect(idsAndFates(await followAll(store))).toEqual(['r3', 'r1', 'r2 deleted'])
    }))

  test('containers that are not followed are not in the feed', () =>
    withStore(open, [book('b1')], async (store) => {
      const note: Put = { kind: 'put', container: 'notes', key: bookKey('n1'), body: { id: 'n1' } }
      await store.write([note])
      await store.write([{ ...note, body: { id: 'n1', text: 'changed' } }])
      await store.write([remove('notes', note.key)])
      expect((await followAll(store)).map(nameOf)).toEqual([nameOf(book('b1'))])
    }))

  test('documents of several containers with the same key are told apart', () =>
    withStore(open, [], async (store) => {
      await fill(store, [book('same', { name: 'a book' }), { ...book('same', { name: 'a thing', shelf: 'same' }), container: 'things' }])
      const changes = await followAll(store)
      expect(new Map(changes.map(({ container, body }) => [container, body.name]))).toEqual(new Map([['books', 'a book'], ['things', 'a thing']]))
    }))

  test('every document is in one part, and stays there when it changes', () =>
    withStore(open, manyBooks, async (store) => {
      const before = await idsByPart(store)
      expect(before.flat().toSorted()).toEqual(manyBooks.map(({ key }) => key.id).toSorted())
      await fill(store, manyBooks.map(({ key }) => book(key.id, { price: 1 })))
      await fill(store, manyBooks.slice(0, 10).map(({ key }) => remove('books', key)))
      expect(await idsByPart(store)).toEqual(before)
    }))

  test.each([1, 2, 3, 4, 5, 6])('pages of %i contain every change exactly once, in order', (limit) =>
    withStore(open, [], async (store) => {
      await oneByOne(store, reviews)
      const part = await partWith(store, 'r1')
      const { changes, point } = await followPart(store, part, undefined, limit)
      expect(idsAndFates(changes)).toEqual(['r1', 'r2', 'r3', 'r4', 'r5'])
      expect(await store.changes(part, point, limit)).toEqual({ changes: [], point, end: true })
      const first = await store.changes(part, undefined, limit)
      expect(idsAndFates(first.changes)).toEqual(['r1', 'r2', 'r3', 'r4', 'r5'].slice(0, limit))
    }))

  test('a point stays valid: from there on, a follower sees exactly what has changed since', () =>
    withStore(open, [], async (store) => {
      await oneByOne(store, reviews)
      const part = await partWith(store, 'r1')
      const { point } = await store.changes(part, undefined, 3)
      await store.write([review('b1', 'r1', { rating: 1 })])
      await store.write([remove('reviews', reviews[4]!.key)])
      expect(idsAndFates((await store.changes(part, point, 10)).changes)).toEqual(['r4', 'r1', 'r5 deleted'])
      expect(idsAndFates((await store.changes(part, point, 10)).changes)).toEqual(['r4', 'r1', 'r5 deleted'])
    }))

  test('feedEnd is after all changes so far, and before the next one', () =>
    withStore(open, reviews, async (store) => {
      const part = await partWith(store, 'r1')
      const end = await store.feedEnd(part)
      expect(await store.changes(part, end, 10)).toMatchObject({ changes: [], end: true })
      await store.write([review('b1', 'r3', { rating: 1 })])
      expect(idsAndFates((await store.changes(part, end, 10)).changes)).toEqual(['r3'])
    }))

  test('positions grow with every change, and a look after one finds everything up to it', () =>
    withStore(open, [], async (store) => {
      let last = -Infinity
      for (const each of reviews) {
        await store.write([each])
        const { earliest, latest } = await store.position()
        expect(latest).toBeGreaterThanOrEqual(earliest)
        // A store that goes by a clock may learn meanwhile that it is less ahead.
        if (store.supports.positions === 'writes') expect(latest).toBeGreaterThan(last)
        last = latest
        for (const change of await followAll(store)) expect(change.position).toBeLessThanOrEqual(latest)
      }
    }))

  test('sweepFeed forgets deleted documents up to a point, in slices, and nothing else', () =>
    withStore(open, reviews, async (store) => {
      const part = await partWith(store, 'r1')
      for (const { key } of reviews.slice(0, 3)) await store.write([remove('reviews', key)])
      const passed = await store.feedEnd(part)
      const position = await store.position()
      await store.write([remove('reviews', reviews[3]!.key)])
      const swept = [await store.sweepFeed(part, undefined, 10), await store.sweepFeed(part, passed, 2), await store.sweepFeed(part, passed, 2), await store.sweepFeed(part, passed, 2)]
      const left = idsAndFates(await followAll(store))
      if (store.supports.positions === 'writes') {
        expect(swept).toEqual([0, 2, 1, 0])
        expect(left).toEqual(['r5', 'r4 deleted'])
        expect((await store.position()).latest).toBeGreaterThanOrEqual(position.latest)
      } else expect(left).toEqual(['r5', 'r1 deleted', 'r2 deleted', 'r3 deleted', 'r4 deleted'])
      await store.write([review('b1', 'r1', { rating: 9 })])
      expect(idsAndFates((await store.changes(part, passed, 10)).changes)).toEqual(['r4 deleted', 'r1'])
    }))

  test('a point within one container has all later changes of that container', () =>
    withStore(open, reviews, async (store) => {
      const part = await partWith(store, 'r1')
      const ends = Object.fromEntries(await Promise.all((await store.feedParts()).map(async (each) => [each, await store.feedEnd(each)] as const)))
      const within = await store.pointsOf(store.pointsWithin(ends, 'reviews'))
      await store.write([review('b1', 'r1', { rating: 9 })])
      const { changes } = await store.changes(part, within[part], 100)
      expect(changes.map(({ key }) => key.id)).toEqual(['r1'])
    }))

  test('positions do not fall when the newest entry is swept', () =>
    withStore(open, reviews, async (store) => {
      const part = await partWith(store, 'r1')
      for (const { key } of reviews) await store.write([remove('reviews', key)])
      // A clock of the database is known better with every answer, so its latest reading may fall; what is certain never does.
      const bound = store.supports.positions === 'writes' ? 'latest' : 'earliest'
      const position = await store.position()
      await store.sweepFeed(part, await store.feedEnd(part), 100)
      expect((await store.position())[bound]).toBeGreaterThanOrEqual(position[bound])
      await store.write([review('b1', 'r1')])
      expect((await store.position())[bound]).toBeGreaterThanOrEqual(position[bound])
    }))

  test('a settled write is a change that followers need not handle, if they have handled the one before', () =>
    withStore(open, reviews, async (store) => {
      if (store.supports.positions !== 'writes') return
      const part = await partWith(store, 'r1')
      const { latest } = await store.position()
      await store.write([{ ...review('b1', 'r1', { rating: 1 }), settled: latest }, { ...review('b1', 'r2', { rating: 1 }), settled: 0 }, { ...review('b1', 'r9'), settled: latest }])
      await store.write([review('b1', 'r3', { rating: 1 })])
      await store.write([{ ...review('b1', 'r3', { rating: 2 }), settled: latest }, { ...review('b1', 'r1', { rating: 2 }), settled: latest }])
      const { changes } = await store.changes(part, undefined, 10)
      expect(changes.map(({ key, settled = false }) => [key.id, settled])).toEqual([['r4', false], ['r5', false], ['r2', false], ['r9', false], ['r3', false], ['r1', true]])
    }))

  test('the time of a change is not later than when it can be read, by the store\'s clock, nor earlier than the previous change', () =>
    withStore(open, [], async (store) => {
      const started = await store.now()
      for (const each of reviews) {
        await store.write([each])
        const seen = await store.now()
        expect((await followAll(store)).at(-1)!.at).toBeLessThanOrEqual(seen.latest)
      }
      const times = (await followAll(store)).map(({ at }) => at)
      // A store may have a clock of whole seconds.
      expect(times[0]).toBeGreaterThanOrEqual(started.earliest - 1000)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
    }))

  test('a follower misses nothing while others write, with any writes and any page size', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), (steps) =>
        withStore(open, [], async (store) => {
          const parts = await store.feedParts()
          const points = new Map<string, string | undefined>()
          const homes = new Map<string, string>()
          const copy = new Map<string, Body>()
          const read = async (part: string, limit: number): Promise<void> => {
            const { changes, point } = await store.changes(part, points.get(part), limit)
            points.set(part, point)
            // Changes of one call may be on one page.
            expect(changes.length).toBeLessThan(limit + mostTogether)
            expect(new Set(changes.map(nameOf)).size).toBe(changes.length)
            for (const change of changes) {
              if (!homes.has(nameOf(change))) homes.set(nameOf(change), part)
              expect(homes.get(nameOf(change))).toBe(part)
            }
            replay(copy, changes)
          }
          for (const each of steps) {
            if ('limit' in each) await read(parts[each.part % parts.length]!, each.limit)
            else await store.write(each.writes).catch(isConflict)
          }
          for (const part of parts) replay(copy, (await followPart(store, part, points.get(part))).changes)
          expect(copy).toEqual(await everything(store))
        })),
      { seed: 1, numRuns: Math.ceil(numRuns * 0.3) },
    ))
}

const mostTogether = 4

const key = fc.record({ partition: fc.constantFrom(['p1'], ['p2'], [3]), id: fc.constantFrom('a', 'b', 'c') })

const write: fc.Arbitrary<Write> = fc
  .record({ container: fc.constantFrom('things', 'others'), key, n: fc.nat(3), kind: fc.constantFrom('put', 'put', 'new', 'delete') })
  .map(({ container, key: { partition, id }, n, kind }) => {
    const place = { container, key: { partition, id } }
    if (kind === 'delete') return { kind, ...place }
    return { kind: 'put', ...place, body: { id, shelf: partition[0], n }, ...(kind === 'new' ? { only: 'if-absent' } : {}) }
  })

/** Writes that every store can make atomically: one container and one partition. */
const batch = fc.array(write, { minLength: 1, maxLength: mostTogether }).map((writes) => ({ writes: writes.filter((each) => scopeOf(each) === scopeOf(writes[0]!)) }))

/** Either a write, or the follower reads a page. */
const step = fc.oneof({ weight: 2, arbitrary: batch }, { weight: 1, arbitrary: fc.record({ part: fc.nat(), limit: fc.integer({ min: 1, max: 4 }) }) })

async function everything(store: Store): Promise<Map<string, Body>> {
  const containers = ['others', 'things']
  const found = await Promise.all(containers.map(async (container) => store.query({ container, orderBy: { path: ['id'], descending: false }, limit: 100 })))
  return new Map(found.flatMap((documents, at) => documents.map((document) => [nameOf({ container: containers[at]!, key: document.key }), document.body])))
}

async function idsByPart(store: Store): Promise<string[][]> {
  const parts = await Promise.all((await store.feedParts()).map((part) => followPart(store, part)))
  return parts.map(({ changes }) => changes.map(({ key: { id } }) => id).toSorted())
}

/** Each is a change by itself, after which a page may end. */
async function oneByOne(store: Store, writes: readonly Write[]): Promise<void> {
  for (const each of writes) await store.write([each])
}

function scopeOf({ container, key: { partition } }: Write): string {
  return container + partitionText(partition)
}

function remove(container: string, removed: Key): Write {
  return { kind: 'delete', container, key: removed }
}

function isConflict(error: unknown): void {
  expect(error).toBeInstanceOf(ConflictError)
}
