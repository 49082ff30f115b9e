// Pages of a query: which documents, in which order. paging-test.ts goes from page to page.

import fc from '../../fast-check.ts'
import { expect, test } from 'vitest'
import type { Condition, Order, Query } from '../../../src/store/query.ts'
import { naiveQuery } from './naive.ts'
import { query, things } from './random.ts'
import { book, books, idsOf, refill, review, withStore, type OpenStore } from './shelf.ts'

export function queryTest(open: OpenStore, numRuns: number): void {
  const shelf = [
    book('nothing'),
    book('null', { price: null }),
    book('yes', { price: true }),
    book('no', { price: false }),
    book('zero', { price: 0 }),
    book('one', { price: 1 }),
    book('ten', { price: 10 }),
    book('text-1', { price: '1' }),
    book('text-a', { price: 'a' }),
    book('text-ab', { price: 'ab' }),
    book('list', { price: [1] }),
  ]
  const nulls = ['list', 'nothing', 'null']

  test.each<[string, Condition, string[]]>([
    ['a number equals the same number only', { op: 'eq', path: ['price'], value: 1 }, ['one']],
    ['a text equals the same text only', { op: 'eq', path: ['price'], value: '1' }, ['text-1']],
    ['true equals true only', { op: 'eq', path: ['price'], value: true }, ['yes']],
    ['false equals false only', { op: 'eq', path: ['price'], value: false }, ['no']],
    ['null is what is null, missing or no scalar', { op: 'eq', path: ['price'], value: null }, nulls],
    ['not null is everything else', { op: 'not', condition: { op: 'eq', path: ['price'], value: null } }, ['no', 'one', 'ten', 'text-1', 'text-a', 'text-ab', 'yes', 'zero']],
    ['less is asked of numbers among numbers', { op: 'lt', path: ['price'], value: 10 }, ['one', 'zero']],
    ['less or equal includes the value', { op: 'lte', path: ['price'], value: 10 }, ['one', 'ten', 'zero']],
    ['greater is asked of texts among texts', { op: 'gt', path: ['price'], value: '1' }, ['text-a', 'text-ab']],
    ['greater or equal includes the value', { op: 'gte', path: ['price'], value: 'a' }, ['text-a', 'text-ab']],
    ['false is less than true', { op: 'lt', path: ['price'], value: true }, ['no']],
    ['nothing is less than null', { op: 'lt', path: ['price'], value: null }, []],
    ['null is not greater than null, but equal', { op: 'gte', path: ['price'], value: null }, nulls],
    ['in finds any of several values of any type', { op: 'in', path: ['price'], values: [1, 'a', null] }, ['list', 'nothing', 'null', 'one', 'text-a']],
    ['in nothing finds nothing', { op: 'in', path: ['price'], values: [] }, []],
    ['a prefix is looked for in texts only', { op: 'startsWith', path: ['price'], value: 'a' }, ['text-a', 'text-ab']],
    ['the empty prefix finds all texts', { op: 'startsWith', path: ['price'], value: '' }, ['text-1', 'text-a', 'text-ab']],
    ['an end is looked for in texts only', { op: 'endsWith', path: ['price'], value: 'b' }, ['text-ab']],
    ['the empty end finds all texts', { op: 'endsWith', path: ['price'], value: '' }, ['text-1', 'text-a', 'text-ab']],
    ['a part is looked for in texts only', { op: 'contains', path: ['price'], value: '1' }, ['text-1']],
    ['the empty part finds all texts', { op: 'contains', path: ['price'], value: '' }, ['text-1', 'text-a', 'text-ab']],
    ['the other texts and all that are no texts do not contain a part', { op: 'not', condition: { op: 'contains', path: ['price'], value: 'b' } }, ['list', 'no', 'nothing', 'null', 'one', 'ten', 'text-1', 'text-a', 'yes', 'zero']],
    ['case is ignored where it is asked for', { op: 'ieq', path: ['price'], value: 'AB' }, ['text-ab']],
    ['a start in either case', { op: 'istartsWith', path: ['price'], value: 'A' }, ['text-a', 'text-ab']],
    ['an end in either case', { op: 'iendsWith', path: ['price'], value: 'B' }, ['text-ab']],
    ['a part in either case', { op: 'icontains', path: ['price'], value: 'B' }, ['text-ab']],
    ['any of no conditions is false', { op: 'or', conditions: [] }, []],
    ['several conditions hold together', { op: 'and', conditions: [{ op: 'gt', path: ['price'], value: 0 }, { op: 'lt', path: ['price'], value: 10 }] }, ['one']],
    ['one of several conditions is enough', { op: 'or', conditions: [{ op: 'eq', path: ['price'], value: 0 }, { op: 'eq', path: ['price'], value: 10 }] }, ['ten', 'zero']],
    ['the id is a property like others', { op: 'in', path: ['id'], values: ['one', 'ten', 1] }, ['one', 'ten']],
    ['an id is no number', { op: 'eq', path: ['id'], value: 1 }, []],
    ['an id is no greater than any number', { op: 'gte', path: ['id'], value: 1 }, []],
    ['ids compare as texts', { op: 'lte', path: ['id'], value: 'no' }, ['list', 'no']],
  ])('%s', (_, where, expected) =>
    withStore(open, shelf, async (store) => {
      expect(idsOf(await store.query(books({ where })))).toEqual(expected)
    }))

  test('a condition on a list holds if it holds for any element', () => {
    const written = [
      book('b1', { authors: [{ id: 'a1' }, { id: 'a2' }] }),
      book('b2', { authors: [{ id: 'a2' }, { id: 'a2' }] }),
      book('b3', { authors: [] }),
      book('b4', { authors: { id: 'a2' } }),
      book('b5', { authors: [{ name: 'nobody' }] }),
    ]
    const path = ['authors', '*', 'id']
    return withStore(open, written, async (store) => {
      expect(idsOf(await store.query(books({ where: { op: 'eq', path, value: 'a2' } })))).toEqual(['b1', 'b2'])
      expect(idsOf(await store.query(books({ where: { op: 'in', path, values: ['a1', 'a3'] } })))).toEqual(['b1'])
      expect(idsOf(await store.query(books({ where: { op: 'eq', path, value: null } })))).toEqual(['b5'])
      expect(idsOf(await store.query(books({ where: { op: 'not', condition: { op: 'eq', path, value: 'a2' } } })))).toEqual(['b3', 'b4', 'b5'])
    })
  })

  test('a condition on some element holds if one element meets all of it', () => {
    const written = [
      book('b1', { authors: [{ id: 'a1', name: 'Ann' }, { id: 'a2', name: 'Bob' }] }),
      book('b2', { authors: [{ id: 'a1', name: 'Bob' }, null, 'a1'] }),
      book('b3', { authors: [] }),
      book('b4', { authors: { id: 'a1', name: 'Bob' } }),
    ]
    const both = { op: 'and', conditions: [{ op: 'eq', path: ['id'], value: 'a1' }, { op: 'startsWith', path: ['name'], value: 'B' }] } as const
    return withStore(open, written, async (store) => {
      const found = async (where: Condition) => idsOf(await store.query(books({ where })))
      expect(await found({ op: 'some', list: ['authors'], condition: both })).toEqual(['b2'])
      expect(await found({ op: 'not', condition: { op: 'some', list: ['authors'], condition: both } })).toEqual(['b1', 'b3', 'b4'])
      expect(await found({ op: 'some', list: ['authors'], condition: { op: 'not', condition: both } })).toEqual(['b1', 'b2'])
      expect(await found({ op: 'some', list: ['authors'], condition: { op: 'eq', path: ['id'], value: null } })).toEqual(['b2'])
      expect(await found({ op: 'some', list: ['authors'], condition: { op: 'and', conditions: [] } })).toEqual(['b1', 'b2'])
      expect(await found({ op: 'some', list: ['authors'], condition: { op: 'or', conditions: [] } })).toEqual([])
    })
  })

  test.each<[string, Order, string[]]>([
    ['ascending, null comes first, then booleans, numbers and texts', { path: ['price'], descending: false }, ['list', 'nothing', 'null', 'no', 'yes', 'zero', 'one', 'ten', 'text-1', 'text-a', 'text-ab']],
    ['descending, everything is the other way round, ties too', { path: ['price'], descending: true }, ['text-ab', 'text-a', 'text-1', 'ten', 'one', 'zero', 'yes', 'no', 'null', 'nothing', 'list']],
  ])('%s', (_, orderBy, expected) =>
    withStore(open, shelf, async (store) => {
      expect(idsOf(await store.query(books({ orderBy })))).toEqual(expected)
    }))

  test('letters of every alphabet have two cases, and a NUL ends no text', () =>
    withStore(open, [book('b1', { name: 'ΟΔΟΣ Émile' }), book('b2', { name: 'a\u0000z' }), book('b3', { name: 'İ 50%_' })], async (store) => {
      const found = async (op: 'ieq' | 'istartsWith' | 'iendsWith' | 'icontains' | 'contains' | 'endsWith', value: string) => idsOf(await store.query(books({ where: { op, path: ['name'], value } })))
      expect(await found('ieq', 'οδος éMILE')).toEqual(['b1'])
      expect(await found('istartsWith', 'οδοσ É')).toEqual(['b1'])
      expect(await found('icontains', 'Σ é')).toEqual(['b1'])
      expect(await found('iendsWith', '\u0000Z')).toEqual(['b2'])
      expect(await found('endsWith', 'z')).toEqual(['b2'])
      expect(await found('contains', '\u0000')).toEqual(['b2'])
      expect(await found('contains', '%_')).toEqual(['b3'])
      expect(await found('contains', '_%')).toEqual([])
    }))

  test('texts are ordered by code point or by UTF-16 unit, as the store says', () =>
    withStore(open, [book('b1', { name: '😀' }), book('b2', { name: '\uffff' }), book('b3', { name: 'z' }), book('b4', { name: 'Z' })], async (store) => {
      const last = store.supports.textOrder === 'code points' ? ['b2', 'b1'] : ['b1', 'b2']
      expect(idsOf(await store.query(books({ orderBy: { path: ['name'], descending: false } })))).toEqual(['b4', 'b3', ...last])
    }))

  test('finds only documents of the given type', () =>
    withStore(open, [book('b1'), book('m1', { type: 'magazine' }), book('x', { type: null })], async (store) => {
      expect(idsOf(await store.query(books()))).toEqual(['b1'])
      const { type: _, ...ofAnyType } = books()
      expect(idsOf(await store.query(ofAnyType))).toEqual(['b1', 'm1', 'x'])
    }))

  test('finds only documents of the given partition', () =>
    withStore(open, [review('b1', 'r1'), review('b2', 'r2'), review('b1', 'r3')], async (store) => {
      const all = { container: 'reviews', orderBy: { path: ['id'], descending: false }, limit: 10 }
      expect(idsOf(await store.query({ ...all, partition: ['b1'] }))).toEqual(['r1', 'r3'])
      expect(idsOf(await store.query({ ...all, partition: ['b9'] }))).toEqual([])
      expect(idsOf(await store.query(all))).toEqual(['r1', 'r2', 'r3'])
    }))

  test('values that look like SQL are values', () =>
    withStore(open, [book('b1', { name: `'; DROP TABLE books; --` }), book('b2', { name: `' OR '1' = '1` })], async (store) => {
      expect(idsOf(await store.query(named(`'; DROP TABLE books; --`)))).toEqual(['b1'])
      expect(idsOf(await store.query(named(`' OR '1' = '1`)))).toEqual(['b2'])
      expect(idsOf(await store.query(books()))).toEqual(['b1', 'b2'])
    }))

  test('refuses a container that the layout does not have', () =>
    withStore(open, [], async (store) => {
      await expect(async () => store.query(books({ container: 'nowhere' }))).rejects.toThrow('nowhere')
    }))

  test('random queries over random documents equal a naive scan', () =>
    withStore(open, [], (store) =>
      fc.assert(
        fc.asyncProperty(things, fc.array(query, { minLength: 1, maxLength: 8 }), async (written, queries) => {
          await refill(store, 'things', written)
          for (const each of queries) {
            expect(idsOf(await store.query(each)), JSON.stringify(each)).toEqual(idsOf(naiveQuery(written, each, store.supports.textOrder)))
          }
        }),
        { seed: 1, numRuns },
      )))
}

function named(value: string): Query {
  return books({ where: { op: 'eq', path: ['name'], value } })
}
