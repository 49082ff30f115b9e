// The write log finds every contradiction: writes that are lost, torn, duplicated, or stored though they were refused.

import { expect, test } from 'vitest'
import { WriteLog, type Stored } from '../../reliability/durability/write-log.ts'

function stored({ values = {}, elements = {}, totals = {} }: { values?: Record<string, string | number>; elements?: Record<string, number>; totals?: Record<string, number> }): Stored {
  return { value: (property) => values[property] ?? null, occurrences: (element) => elements[element] ?? 0, total: (name) => totals[name] ?? 0 }
}

test('an acknowledged write must be stored, a refused one must not', () => {
  const writeLog = new WriteLog()
  writeLog.changed('name', 'acknowledged', () => 'first')
  writeLog.changed('name', 'refused', () => 'second')
  writeLog.added('a review', 'acknowledged')
  writeLog.added('a refused one', 'refused')
  writeLog.summed('sold', 'acknowledged', 5)
  expect(writeLog.copy().settle(stored({ values: { name: 'first' }, elements: { 'a review': 1 }, totals: { sold: 5 } }))).toEqual([])
  expect(writeLog.copy().settle(stored({ values: { name: 'second' }, elements: { 'a review': 2, 'a refused one': 1 }, totals: { sold: 6 } }))).toEqual([
    'name is "second", and can only be "first"', 'a review was acknowledged and is there 2 times', 'a refused one was refused and is there', 'sold is 6, and can only be from 5 to 5',
  ])
  expect(writeLog.copy().settle(stored({}))).toEqual(['name is null, and can only be "first"', 'a review was acknowledged and is there 0 times', 'sold is 0, and can only be from 5 to 5'])
})

test('an unanswered write may be stored as a whole or not at all, and is known after the inspection', () => {
  const writeLog = new WriteLog()
  writeLog.changed('held', 'acknowledged', () => 10)
  writeLog.changed('held', 'unknown', (before) => Number(before) + 5)
  writeLog.added('a review', 'unknown')
  expect([writeLog.certain('held'), writeLog.smallest('held')]).toEqual([undefined, 10])
  expect(writeLog.copy().settle(stored({ values: { held: 10 } }))).toEqual([])
  expect(writeLog.copy().settle(stored({ values: { held: 12 }, elements: { 'a review': 2 } }))).toEqual(['held is 12, and can only be 10 or 15', 'a review is there 2 times'])
  expect(writeLog.settle(stored({ values: { held: 15 }, elements: { 'a review': 1 } }))).toEqual([])
  expect(writeLog.certain('held')).toBe(15)
  expect(writeLog.settle(stored({ values: { held: 10 } }))).toEqual(['held is 10, and can only be 15', 'a review was acknowledged and is there 0 times'])
})

test('without their answers, acknowledged writes become unknown', () => {
  const writeLog = new WriteLog()
  writeLog.added('a book', 'acknowledged')
  writeLog.changed('name', 'acknowledged', () => 'first')
  const then = writeLog.copy()
  writeLog.changed('name', 'acknowledged', () => 'second')
  writeLog.added('another', 'acknowledged')
  writeLog.added('a book', 'refused')
  writeLog.summed('sold', 'acknowledged', 5)
  const unheard = writeLog.unansweredSince(then)
  expect(unheard.copy().settle(stored({ values: { name: 'first' }, elements: { 'a book': 1 } }))).toEqual([])
  expect(unheard.copy().settle(stored({ values: { name: 'second' }, elements: { another: 1 }, totals: { sold: 5 } }))).toEqual([])
  expect(unheard.copy().settle(stored({ values: { name: 'third' }, elements: { another: 2 } }))).toEqual(['name is "third", and can only be "first" or "second"', 'another is there 2 times'])
})

test('a portfolio whose creation was not answered may be there and empty when the next order comes', () => {
  const found = stored({ values: { name: 'Mine', held: 0 } })
  const order = (writeLog: WriteLog): WriteLog => {
    writeLog.settle(found)
    writeLog.changed('held', 'unknown', (before) => Number(before) + 16)
    return writeLog
  }
  const incomplete = new WriteLog()
  incomplete.changed('name', 'unknown', () => 'Mine')
  expect(order(incomplete).settle(found)).toEqual(['held is 0, and can only be null or 16'])
  const complete = new WriteLog()
  complete.changed('name', 'unknown', () => 'Mine')
  complete.changed('held', 'unknown', () => 0)
  expect(order(complete).settle(found)).toEqual([])
})
