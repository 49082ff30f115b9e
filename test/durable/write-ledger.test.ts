// That the shows would notice: a ledger held against stores in which something is lost, torn, doubled or there though it
// was refused.

import { expect, test } from 'vitest'
import { WriteLedger, type Stored } from '../../reliability/durability/write-ledger.ts'

function stored({ values = {}, elements = {}, totals = {} }: { values?: Record<string, string | number>; elements?: Record<string, number>; totals?: Record<string, number> }): Stored {
  return { value: (place) => values[place] ?? null, occurrences: (element) => elements[element] ?? 0, total: (name) => totals[name] ?? 0 }
}

test('what was acknowledged has to be there, and what was refused must not', () => {
  const ledger = new WriteLedger()
  ledger.changed('name', 'acknowledged', () => 'first')
  ledger.changed('name', 'refused', () => 'second')
  ledger.added('a review', 'acknowledged')
  ledger.added('a refused one', 'refused')
  ledger.summed('sold', 'acknowledged', 5)
  expect(ledger.copy().settle(stored({ values: { name: 'first' }, elements: { 'a review': 1 }, totals: { sold: 5 } }))).toEqual([])
  expect(ledger.copy().settle(stored({ values: { name: 'second' }, elements: { 'a review': 2, 'a refused one': 1 }, totals: { sold: 6 } }))).toEqual([
    'name is "second", and can only be "first"', 'a review was acknowledged and is there 2 times', 'a refused one was refused and is there', 'sold is 6, and can only be from 5 to 5',
  ])
  expect(ledger.copy().settle(stored({}))).toEqual(['name is null, and can only be "first"', 'a review was acknowledged and is there 0 times', 'sold is 0, and can only be from 5 to 5'])
})

test('what nobody heard of may be there as a whole or not at all, and from then on it is known', () => {
  const ledger = new WriteLedger()
  ledger.changed('held', 'acknowledged', () => 10)
  ledger.changed('held', 'unknown', (before) => Number(before) + 5)
  ledger.added('a review', 'unknown')
  expect([ledger.certain('held'), ledger.least('held')]).toEqual([undefined, 10])
  expect(ledger.copy().settle(stored({ values: { held: 10 } }))).toEqual([])
  expect(ledger.copy().settle(stored({ values: { held: 12 }, elements: { 'a review': 2 } }))).toEqual(['held is 12, and can only be 10 or 15', 'a review is there 2 times'])
  expect(ledger.settle(stored({ values: { held: 15 }, elements: { 'a review': 1 } }))).toEqual([])
  expect(ledger.certain('held')).toBe(15)
  expect(ledger.settle(stored({ values: { held: 10 } }))).toEqual(['held is 10, and can only be 15', 'a review was acknowledged and is there 0 times'])
})

test('answers that nobody heard make what they acknowledged unknown', () => {
  const ledger = new WriteLedger()
  ledger.added('a book', 'acknowledged')
  ledger.changed('name', 'acknowledged', () => 'first')
  const then = ledger.copy()
  ledger.changed('name', 'acknowledged', () => 'second')
  ledger.added('another', 'acknowledged')
  ledger.added('a book', 'refused')
  ledger.summed('sold', 'acknowledged', 5)
  const unheard = ledger.unheardSince(then)
  expect(unheard.copy().settle(stored({ values: { name: 'first' }, elements: { 'a book': 1 } }))).toEqual([])
  expect(unheard.copy().settle(stored({ values: { name: 'second' }, elements: { another: 1 }, totals: { sold: 5 } }))).toEqual([])
  expect(unheard.copy().settle(stored({ values: { name: 'third' }, elements: { another: 2 } }))).toEqual(['name is "third", and can only be "first" or "second"', 'another is there 2 times'])
})

test('what nobody heard was made may be there and empty, whatever is ordered next', () => {
  const found = stored({ values: { name: 'Mine', held: 0 } })
  const order = (ledger: WriteLedger): WriteLedger => {
    ledger.settle(found)
    ledger.changed('held', 'unknown', (before) => Number(before) + 16)
    return ledger
  }
  const careless = new WriteLedger()
  careless.changed('name', 'unknown', () => 'Mine')
  expect(order(careless).settle(found)).toEqual(['held is 0, and can only be null or 16'])
  const careful = new WriteLedger()
  careful.changed('name', 'unknown', () => 'Mine')
  careful.changed('held', 'unknown', () => 0)
  expect(order(careful).settle(found)).toEqual([])
})
