// Values that may be available at once: the order of events, and no unhandled rejections.

import { expect, test } from 'vitest'
import { allReady, whenReady } from '../../src/store/maybe-promise.ts'

function fail(): never {
  throw new Error('At once.')
}

test('continues at once with a value, and later with a promise', async () => {
  expect(whenReady(1, (one) => one + 1)).toBe(2)
  expect(await whenReady(Promise.resolve(1), (one) => one + 1)).toBe(2)
  expect(() => whenReady(1, fail)).toThrow('At once.')
  await expect(whenReady(Promise.reject(new Error('No.')), () => 1)).rejects.toThrow('No.')
})

test('all values are available at once only if each of them is', async () => {
  expect(allReady(3, (at) => at)).toEqual([0, 1, 2])
  expect(allReady(0, (at) => at)).toEqual([])
  expect(await allReady(3, (at) => (at === 0 ? Promise.resolve(at) : at))).toEqual([0, 1, 2])
})

test('an error is thrown at once, unless promises are pending: then it is a rejection, and theirs are handled', async () => {
  expect(() => allReady(2, (at) => (at === 1 ? fail() : at))).toThrow('At once.')
  const stray: unknown[] = []
  const listen = (reason: unknown): void => void stray.push(reason)
  process.on('unhandledRejection', listen)
  const later = Promise.withResolvers<number>()
  await expect(allReady(2, (at) => (at === 1 ? fail() : later.promise))).rejects.toThrow('At once.')
  later.reject(new Error('Later.'))
  await new Promise(setImmediate)
  process.off('unhandledRejection', listen)
  expect(stray).toEqual([])
})
