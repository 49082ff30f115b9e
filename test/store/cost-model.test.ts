// The cost model, pinned: the cost report and every benchmark depend on these numbers.

import { expect, test } from 'vitest'
import { countCharge, hundredths, queryCharge, readCharge, readManyCharge, writeCharge, uniformQueryCharge, uniformReadCharge } from '../../src/store/cost-model.ts'

const kilobytes = (count: number): number => count * 1024

test.each([
  [1, 1, 4.95], [2, 1.04, 6.29], [4, 1.14, 6.67], [8, 1.33, 7.04], [16, 1.67, 9.52], [32, 2.19, 11.23],
  [64, 4.76, 22.67], [128, 9.95, 48.19], [256, 20.28, 98.29], [512, 40.95, 184.57], [1024, 145.9, 625], [2048, 291.8, 1250],
])('a document of %i kB costs %d to read and %d to write', (size, read, write) => {
  expect(readCharge(kilobytes(size))).toBe(read)
  expect(writeCharge(kilobytes(size))).toBe(write)
})

test('between the sizes of the table, charges are interpolated', () => {
  expect(readCharge(kilobytes(3))).toBe(1.09)
  expect(readCharge(kilobytes(96))).toBe(7.36)
  expect(writeCharge(kilobytes(12))).toBe(8.28)
})

test('below one kilobyte every document costs the same, and so does a missing one', () => {
  expect(readCharge(10)).toBe(1)
  expect(readCharge(undefined)).toBe(1)
  expect(writeCharge(0)).toBe(4.95)
})

test('beyond the table a charge grows with the size', () => {
  expect(readCharge(kilobytes(4096))).toBe(583.6)
  expect(writeCharge(kilobytes(4096))).toBe(2500)
})

test('replacing pays for the old document and the new one', () => {
  expect(writeCharge(kilobytes(1), kilobytes(2))).toBe(11.24)
})

test('a query costs a little more for each document and each kilobyte', () => {
  expect(queryCharge([])).toBe(2.5)
  expect(queryCharge([kilobytes(1)])).toBe(2.91)
  expect(queryCharge(Array.from({ length: 100 }, () => kilobytes(1)))).toBe(13.82)
})

test('up to three documents of 1 kB are cheaper as point reads, from four on as a query', () => {
  const many = (count: number): number => readManyCharge(Array.from({ length: count }, () => kilobytes(1)))
  expect([1, 2, 3].map(many)).toEqual([1, 2, 3])
  expect(many(4)).toBe(3.24)
  expect(many(4)).toBe(queryCharge([1, 1, 1, 1].map(kilobytes)))
})

test('a query pays nothing for missing keys', () => {
  expect(readManyCharge([undefined, undefined])).toBe(2)
  expect(readManyCharge(Array.from({ length: 10 }, () => undefined))).toBe(2.5)
})

test('a count costs as much as one small result', () => {
  expect(countCharge()).toBe(2.9)
})

test('sums of charges are exact to the hundredth', () => {
  expect(0.1 + 0.2).not.toBe(0.3)
  expect(hundredths(0.1 + 0.2)).toBe(0.3)
})

test('documents of the same size cost as much as by the general functions', () => {
  for (const bytes of [100, 1024, 1500, 40_000]) {
    for (const count of [0, 1, 2, 3, 4, 50, 999, 1000]) {
      const sizes = Array.from({ length: count }, () => bytes)
      expect(uniformQueryCharge(count, bytes)).toBe(queryCharge(sizes))
      expect(uniformReadCharge(count, bytes)).toBe(readManyCharge(sizes))
    }
  }
})
