// The indexes of the memory store: answers equal a naive scan while documents come, change and go, and a query looks only
// at the documents that its index leads to.

import { afterEach, expect, test, vi } from 'vitest'
import { partitionText } from '../../../src/model/keys/key.ts'
import type { Condition, Query, Scalar } from '../../../src/store/query.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { SortedRows } from '../../../src/store/memory/sorted-rows.ts'
import type { Store, Write } from '../../../src/store/store.ts'
import fc from '../../fast-check.ts'
import { also, naiveQuery, naiveSelect } from '../conformance/naive.ts'
import { path, query, scalar, things } from '../conformance/random.ts'
import { book, bookKey, books, idsOf, layout, type Put } from '../conformance/shelf.ts'

afterEach(() => vi.restoreAllMocks())

test('random queries between random writes equal a naive scan, over more documents than a block of an index holds', async () => {
  await fc.assert(fc.asyncProperty(fc.integer(), async (seed) => {
    const sample = <Value>(values: fc.Arbitrary<Value>, numRuns: number): Value[] => fc.sample(values, { seed, numRuns })
    const store = await openMemoryStore(layout)
    const stored = new Map<string, Put>()
    const rounds = sample(things, 120).map((round, at) => round.map((put) => withId(put, `${put.key.id}${at % 50}${partitionText(put.key.partition)}`)))
    const [queries, eachBy, eachValues] = [sample(query, 240), sample(path, 120), sample(fc.array(scalar, { maxLength: 4 }), 120)]
    for (const [at, round] of rounds.entries()) {
      // Every third round deletes, and every fifth begins with a write that fails and is undone.
      const writes = round.map((put): Write => (at % 3 === 2 ? { kind: 'delete', container: 'things', key: put.key } : put))
      if (at % 5 === 0) await expect(store.write([...writes, { kind: 'delete', container: 'things', key: { partition: ['p1'], id: 'none' }, only: { ifMatch: 'x' } }])).rejects.toThrow('none')
      await store.write(writes)
      for (const put of round) {
        if (at % 3 === 2) stored.delete(nameOf(put))
        else stored.set(nameOf(put), put)
      }
      const all = [...stored.values()]
      for (const asked of queries.slice(2 * at, 2 * at + 2)) {
        expect(idsOf(await store.query(asked)), JSON.stringify(asked)).toEqual(idsOf(naiveQuery(all, asked)))
        expect(await store.count(asked), JSON.stringify(asked)).toBe(naiveSelect(all, asked).length)
        const [by, values] = [eachBy[at]!, eachValues[at]!]
        const pages = await store.queryEach(asked, by, values)
        expect(pages.map(idsOf)).toEqual(values.map((value) => idsOf(naiveQuery(all, { ...asked, where: also(asked.where, by, value) }))))
        expect(await store.countEach(asked, by, values)).toEqual(values.map((value) => naiveSelect(all, { ...asked, where: also(asked.where, by, value) }).length))
      }
    }
    expect(stored.size).toBeGreaterThan(300)
  }), { numRuns: 4 })
}, 60_000)

const price = { path: ['price'], descending: false }
const name = { path: ['name'], descending: false }
const many = Array.from({ length: 2000 }, (_, at) => book(id(at), { name: `Book ${(at * 7919) % 2000}`, price: at, 'pub-id': `p${at % 100}`, genre: `g${at % 2}`, tags: [`t${at % 400}`] }))

test.each<[string, Partial<Query>, number, number]>([
  ['an equality looks at the documents with the value', { where: eq('pub-id', 'p7'), orderBy: price }, 20, 20],
  ['an equality whose layout has the order ends with the page', { where: eq('pub-id', 'p7'), orderBy: name, limit: 5 }, 5, 5],
  ['an equality in the order of ids ends with the page', { where: eq('genre', 'g1'), limit: 5 }, 5, 5],
  ['a missing value looks at nothing', { where: eq('pub-id', 'none'), orderBy: price }, 0, 0],
  ['in looks at the documents with the values', { where: { op: 'in', path: ['pub-id'], values: ['p1', 'p2', 'none', 'p1'] }, orderBy: price }, 40, 40],
  ['in without a match looks at nothing', { where: { op: 'in', path: ['pub-id'], values: ['x', 'y'] }, orderBy: price }, 0, 0],
  ['elements of a list have an index', { where: { op: 'in', path: ['tags', '*'], values: ['t1', 't2'] }, orderBy: price }, 10, 10],
  ['a range of the order is where the page begins', { where: { op: 'gte', path: ['price'], value: 1500 }, orderBy: price, limit: 5 }, 5, 5],
  ['a narrow range looks at its documents', { where: and(cmp('gte', 'price', 700), cmp('lt', 'price', 710)), orderBy: name }, 10, 10],
  ['a range beside a part of the same text looks at its documents', { where: and({ op: 'contains', path: ['name'], value: 'Book 1' }, cmp('gte', 'name', 'Book 1990'), cmp('lt', 'name', 'Book 1992')), orderBy: price }, 2, 2],
  ['a wide range is tested in the wanted order', { where: cmp('gte', 'price', 200), orderBy: name, limit: 5 }, 5, 10],
  ['the narrowest of several conditions counts', { where: and(eq('genre', 'g1'), cmp('gte', 'price', 1990)), orderBy: name }, 5, 10],
  ['a deep page begins at its position', { orderBy: price, after: { value: 1800, id: id(1800) }, limit: 5 }, 5, 5],
  ['a deep page of an equality begins at its position', { where: eq('genre', 'g1'), after: { value: id(1800), id: id(1800) }, limit: 5 }, 5, 5],
])('%s', async (_, asked, found, most) => {
  const store = await openMemoryStore(layout)
  await store.write(many)
  const wanted = books(asked)
  await store.query(wanted)
  const visits = countVisits()
  const page = await store.query(wanted)
  expect(idsOf(page)).toEqual(idsOf(naiveQuery(many, wanted)))
  expect(page).toHaveLength(found)
  expect(visits()).toBeLessThanOrEqual(most)
})

test('an order in which all matches come last is left when gathering them is shorter', async () => {
  const store = await openMemoryStore(layout)
  const late = many.map((put, at) => book(put.key.id, { ...put.body, genre: at >= 1800 ? 'late' : 'early' }))
  await store.write(late)
  const wanted = books({ where: eq('genre', 'late'), orderBy: price, limit: 10 })
  await store.query(wanted)
  const visits = countVisits()
  expect(idsOf(await store.query(wanted))).toEqual(idsOf(naiveQuery(late, wanted)))
  expect(visits()).toBeLessThan(1500)
})

test.each<[string, Condition, number, number]>([
  ['one condition is counted by its index', cmp('lt', 'price', 1234), 1234, 0],
  ['two ranges of one value are one interval', and(cmp('gt', 'price', 99), cmp('lte', 'price', 199)), 100, 0],
  ['several values are counted by their index', { op: 'in', path: ['pub-id'], values: ['p1', 'p2'] }, 40, 0],
  ['an equality and a range look at the narrower of the two', and(eq('genre', 'g0'), cmp('lt', 'price', 30)), 15, 30],
])('counts: %s', async (_, where, count, most) => {
  const store = await openMemoryStore(layout)
  await store.write(many)
  const visits = countVisits()
  expect(await store.count(books({ where }))).toBe(count)
  expect(visits()).toBeLessThanOrEqual(most)
})

test('a write that is undone leaves indexes as they were', async () => {
  const store = await openMemoryStore(layout)
  await store.write([book('b1', { price: 1 }), book('b2', { price: 2 })])
  const order = () => pageBy(store)
  expect(await order()).toEqual(['b1', 'b2'])
  const failing: Write = { kind: 'delete', container: 'books', key: bookKey('b9'), only: { ifMatch: 'x' } }
  await expect(store.write([book('b1', { price: 3 }), book('b0', { price: 0 }), { kind: 'delete', container: 'books', key: bookKey('b2') }, failing])).rejects.toThrow('b9')
  expect(await order()).toEqual(['b1', 'b2'])
  await expect(store.atomically(async () => [book('b1', { price: 3 }), failing])).rejects.toThrow('b9')
  expect(await order()).toEqual(['b1', 'b2'])
  await store.write([book('b1', { price: 3 })])
  expect(await order()).toEqual(['b2', 'b1'])
})

async function pageBy(store: Store): Promise<unknown> {
  return idsOf(await store.query(books({ orderBy: price })))
}

/** How many documents queries have looked at since. */
function countVisits(): () => number {
  const [walk, slice] = [Reflect.get(SortedRows.prototype, 'walk'), Reflect.get(SortedRows.prototype, 'slice')]
  let visits = 0
  vi.spyOn(SortedRows.prototype, 'slice').mockImplementation(function (this: SortedRows, ...given) {
    const found = slice.apply(this, given)
    visits += found.length
    return found
  })
  vi.spyOn(SortedRows.prototype, 'walk').mockImplementation(function (this: SortedRows, from, to, descending, visit) {
    walk.call(this, from, to, descending, (document) => {
      visits++
      return visit(document)
    })
  })
  return () => visits
}

function id(at: number): string {
  return `b${String(at).padStart(4, '0')}`
}

function eq(property: string, value: Scalar): Condition {
  return { op: 'eq', path: [property], value }
}

function cmp(op: 'lt' | 'lte' | 'gt' | 'gte', property: string, value: Scalar): Condition {
  return { op, path: [property], value }
}

function and(...conditions: Condition[]): Condition {
  return { op: 'and', conditions }
}

function withId(put: Put, changed: string): Put {
  return { ...put, key: { ...put.key, id: changed }, body: { ...put.body, id: changed } }
}

function nameOf({ key }: Put): string {
  return partitionText(key.partition) + key.id
}
