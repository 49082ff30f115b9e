// Documents counted, summed and compared by group: each group must equal what folding plain documents gives.

import fc from '../../fast-check.ts'
import { expect, test } from 'vitest'
import type { Aggregation, Group } from '../../../src/store/aggregate/aggregation.ts'
import { comparisons } from '../../../src/model/operators.ts'
import type { Path, Scalar } from '../../../src/store/query.ts'
import type { Supports } from '../../../src/store/store.ts'
import { also, naiveSelect, valuesAt } from './naive.ts'
import { path, plainPath, scalar, selection, things } from './random.ts'
import { book, refill, withStore, type OpenStore, type Put } from './shelf.ts'

export function aggregateTest(open: OpenStore, numRuns: number): void {
  const shelf = [
    book('b1', { price: 1, 'pub-id': 'p1', name: 'C', authors: [{ id: 'a1' }, { id: 'a2' }] }),
    book('b2', { price: 2.5, 'pub-id': 'p1', name: 'A', authors: [{ id: 'a2' }, { id: 'a2' }] }),
    book('b3', { price: 4, 'pub-id': 'p2', name: 'B' }),
    book('b4', { price: 'free', name: 7 }),
    book('m1', { type: 'magazine', price: 100, 'pub-id': 'p1', authors: [{ id: 'a2' }] }),
  ]
  const all = { container: 'books', type: 'book' }
  const price = { path: ['price'], of: 'number' } as const
  const name = { path: ['name'], of: 'string' } as const
  const nothing = { count: 0, sum: 0, min: null, max: null }
  const whole = { groupBy: [], measures: [price, name], maxGroups: 10 }

  test('counts, sums and compares all documents of a selection, and takes values of other types for missing', () =>
    withStore(open, shelf, async (store) => {
      expect(await store.aggregate(all, whole, undefined)).toEqual([[
        { keys: [], count: 4, measured: [{ count: 3, sum: 7.5, min: 1, max: 4 }, { count: 3, sum: 0, min: 'A', max: 'C' }] },
      ]])
    }))

  test('has one group of nothing where nothing is grouped and nothing is found, and no groups where something is grouped', () =>
    withStore(open, shelf, async (store) => {
      const none = { ...all, where: { op: 'eq', path: ['pub-id'], value: 'nobody' } } as const
      expect(await store.aggregate(none, whole, undefined)).toEqual([[{ keys: [], count: 0, measured: [nothing, nothing] }]])
      expect(await store.aggregate(none, { ...whole, groupBy: [['name']] }, undefined)).toEqual([[]])
      expect(await store.aggregate(all, whole, { by: ['pub-id'], values: [] })).toEqual([])
    }))

  test('groups by values, of which a missing one is null', () =>
    withStore(open, shelf, async (store) => {
      const [groups] = await store.aggregate(all, { groupBy: [['pub-id']], measures: [price], maxGroups: 3 }, undefined)
      expect(sorted(groups as Group[])).toEqual(sorted([
        { keys: ['p1'], count: 2, measured: [{ count: 2, sum: 3.5, min: 1, max: 2.5 }] },
        { keys: ['p2'], count: 1, measured: [{ count: 1, sum: 4, min: 4, max: 4 }] },
        { keys: [null], count: 1, measured: [nothing] },
      ]))
    }))

  test('answers each of several values, in their order, and counts a document once for an element that it has twice', () =>
    withStore(open, shelf, async (store) => {
      const counts = { groupBy: [], measures: [price], maxGroups: 1 }
      const found = await store.aggregate(all, counts, { by: ['authors', '*', 'id'], values: ['a2', 'nobody', 'a1', 'a2'] })
      const two = [{ keys: [], count: 2, measured: [{ count: 2, sum: 3.5, min: 1, max: 2.5 }] }]
      expect(found).toEqual([two, [{ keys: [], count: 0, measured: [nothing] }], [{ keys: [], count: 1, measured: [{ count: 1, sum: 1, min: 1, max: 1 }] }], two])
    }))

  test('says that there are too many groups, instead of returning some of them', () =>
    withStore(open, shelf, async (store) => {
      const byName = { groupBy: [['name']], measures: [], maxGroups: 3 }
      expect(await store.aggregate(all, byName, undefined)).toEqual(['too many'])
      expect(await store.aggregate(all, { ...byName, maxGroups: 4 }, undefined)).toEqual([expect.any(Array)])
      expect((await store.aggregate(all, { ...byName, maxGroups: 1 }, { by: ['pub-id'], values: ['p1'] }))[0]).toBe('too many')
    }))

  const aggregation: fc.Arbitrary<Aggregation> = fc.record({
    groupBy: fc.uniqueArray(plainPath, { maxLength: 2, selector: (each) => each.join() }),
    measures: fc.array(fc.record({ path: plainPath, of: fc.constantFrom('number', 'string') }), { maxLength: 2 }),
    maxGroups: fc.constant(100),
  })

  test('random groups equal those of a naive fold', () =>
    withStore(open, [], (store) =>
      fc.assert(
        fc.asyncProperty(things, selection, aggregation, fc.option(fc.tuple(path, fc.array(scalar.filter((value) => value !== null), { minLength: 1, maxLength: 4 }))), async (written, each, asked, whose) => {
          await refill(store, 'things', written)
          const { textOrder } = store.supports
          const expected = whose ? whose[1].map((value) => naiveSelect(written, { ...each, where: also(each.where, whose[0], value) }, textOrder)) : [naiveSelect(written, each, textOrder)]
          const found = await store.aggregate(each, asked, whose ? { by: whose[0], values: whose[1] } : undefined)
          expect(found.map((groups) => comparable(groups as Group[]))).toEqual(expected.map((puts) => comparable(naiveGroups(puts, asked, textOrder))))
        }),
        { seed: 1, numRuns },
      )))
}

/** The groups as they come by going through the documents once for each. */
function naiveGroups(puts: readonly Put[], { groupBy, measures }: Aggregation, textOrder: Supports['textOrder']): Group[] {
  const keysOf = ({ body }: Put): Scalar[] => groupBy.map((at) => valuesAt(body, at)[0] ?? null)
  const groups = [...Map.groupBy(puts, (put) => JSON.stringify(keysOf(put))).values()]
  return (groupBy.length === 0 ? [puts] : groups).map((members) => ({
    keys: members[0] ? keysOf(members[0]) : [],
    count: members.length,
    measured: measures.map(({ path: at, of }) => measuredOf(members, at, of, textOrder)),
  }))
}

function measuredOf(members: readonly Put[], at: Path, of: 'number' | 'string', textOrder: Supports['textOrder']): Group['measured'][number] {
  const values = members.map(({ body }) => valuesAt(body, at)[0] ?? null).filter((value) => typeof value === of) as (string | number)[]
  const less = (a: string | number, b: string | number): boolean => (textOrder === 'code points' || of === 'number' ? comparisons.lt.holds(a, b) : a < b)
  const best = (isBetter: typeof less): string | number | null => values.reduce<string | number | null>((chosen, value) => (chosen === null || isBetter(value, chosen) ? value : chosen), null)
  return { count: values.length, sum: of === 'number' ? (values as number[]).reduce((sum, value) => sum + value, 0) : 0, min: best(less), max: best((a, b) => less(b, a)) }
}

/** In one order, and with numbers that are equal but for the digits in which stores round differently. */
function comparable(groups: readonly Group[]): unknown {
  return sorted(groups.map(({ keys, count, measured }) => ({
    keys: keys.map(rounded), count, measured: measured.map((one) => ({ count: one.count, min: rounded(one.min), max: rounded(one.max), sum: typeof one.min === 'number' ? sumOf(one.sum, one.min, one.max) : 0 })),
  })))
}

function rounded(value: Scalar): Scalar {
  return typeof value === 'number' ? Number(value.toPrecision(12)) : value
}

/** The digits of a sum of very different numbers depend on the order. */
function sumOf(sum: number, min: Scalar, max: Scalar): Scalar {
  return Math.max(Math.abs(Number(min)), Math.abs(Number(max))) > 1e6 ? 'large' : Number(sum.toFixed(6))
}

function sorted<G extends Pick<Group, 'keys'>>(groups: readonly G[]): G[] {
  return groups.toSorted((a, b) => (JSON.stringify(a.keys) < JSON.stringify(b.keys) ? -1 : 1))
}
