// The change feed of stores in this process, beyond the conformance suite: its parts, its points, and a
// clock that is set back.

import { afterEach, describe, expect, test, vi } from 'vitest'
import { feedParts, partOf } from '../../../src/store/in-process/feed-parts.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { followAll, partWith } from '../conformance/following.ts'
import { layout, review, withStore, type OpenStore } from '../conformance/shelf.ts'

afterEach(() => vi.restoreAllMocks())

test('partitions keep their parts, or followers would lose their points', () => {
  expect(feedParts).toEqual(['0', '1', '2', '3'])
  expect([['a'], ['b'], ['c'], ['d'], [1], ['1'], [null], ['a', 'b']].map(partOf).join('')).toBe('21320121')
})

test('many partitions are spread evenly over all parts', () => {
  const parts = Map.groupBy(Array.from({ length: 1000 }, (_, at) => partOf([`p${at}`])), (part) => part)
  for (const part of feedParts) expect(parts.get(part)!.length).toBeGreaterThan(200)
})

describe.each<[string, OpenStore]>([
  ['memory', openMemoryStore],
  ['sqlite', (containers) => openSqliteStore(':memory:', containers)],
])('the feed of the %s store', (_, open) => {
  const reviews = ['r1', 'r2', 'r3'].map((id) => review('b1', id))

  test('has nothing after a point in the future', () =>
    withStore(open, reviews, async (store) => {
      const part = await partWith(store, 'r1')
      for (const point of ['4', '1000000', '9'.repeat(30)]) expect(await store.changes(part, point, 10)).toEqual({ changes: [], point, end: true })
    }))

  test('refuses a point or a part that does not exist', () =>
    withStore(open, [], async (store) => {
      await expect(store.changes('0', '1 OR TRUE', 10)).rejects.toThrow('"1 OR TRUE" is not a point in the change feed')
      await expect(store.changes('4', undefined, 10)).rejects.toThrow('The change feed has no part "4"; its parts are 0, 1, 2, 3.')
    }))

  test('never goes back in time, even if the clock does', () =>
    withStore(open, [], async (store) => {
      const clock = vi.spyOn(Date, 'now')
      for (const [at, now] of [1000, 500, 1500].entries()) {
        clock.mockReturnValue(now)
        await store.write([reviews[at]!])
      }
      clock.mockReturnValue(700)
      await store.write([reviews[2]!])
      expect((await followAll(store)).map(({ at }) => at)).toEqual([1000, 1000, 1500])
    }))

  test('is empty when the layout has nothing to follow', async () => {
    const store = await open(layout.map(({ followed: _followed, ...container }) => container))
    await store.write(reviews)
    expect(await followAll(store)).toEqual([])
    await store.close()
  })
})
