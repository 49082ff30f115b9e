// Values that may be available at once: the order of events, and no unhandled rejections.

import { expect, test } from 'vitest'
import { allRead, Pending, whenRead, whenReady } from '../../src/store/maybe-promise.ts'

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
  expect(allRead(3, (at) => at)).toEqual([0, 1, 2])
  expect(allRead(0, (at) => at)).toEqual([])
  expect(await allRead(3, (at) => (at === 0 ? Promise.resolve(at) : at))).toEqual([0, 1, 2])
})

test('an error is thrown at once, unless promises are pending: then it is a rejection, and theirs are handled', async () => {
  expect(() => allRead(2, (at) => (at === 1 ? fail() : at))).toThrow('At once.')
  const stray: unknown[] = []
  const listen = (reason: unknown): void => void stray.push(reason)
  process.on('unhandledRejection', listen)
  const later = Promise.withResolvers<number>()
  await expect(allRead(2, (at) => (at === 1 ? fail() : later.promise))).rejects.toThrow('At once.')
  later.reject(new Error('Later.'))
  await new Promise(setImmediate)
  process.off('unhandledRejection', listen)
  expect(stray).toEqual([])
})

test('a pending value runs its callbacks the moment it is there', () => {
  const events: unknown[] = []
  const pending = new Pending<number>()
  void whenRead(whenRead(pending, (one) => one + 1), (two) => events.push(two))
  void whenRead(allRead(2, (at) => (at === 0 ? pending : at)), (all) => events.push(all))
  expect(events).toEqual([])
  pending.resolve(1)
  expect(events).toEqual([2, [1, 1]])
  void whenRead(pending, (one) => events.push(one))
  expect(events).toEqual([2, [1, 1], 1])
  expect([pending.isSettled, pending.outcome()]).toEqual([true, 1])
})

test('a pending value that waits for another, or for a promise, is there when that is', async () => {
  const [first, second] = [new Pending<number>(), new Pending<number>()]
  const both = whenRead(first, (one) => whenRead(second, (two) => one + two))
  first.resolve(1)
  second.resolve(2)
  expect((both as Pending<number>).outcome()).toBe(3)
  expect(await (whenRead(first, async (one) => one + 1) as Pending<number>).outcome()).toBe(2)
  expect(await first).toBe(1)
})

test('an error in a callback, or of the value, reaches the end of the chain', async () => {
  const pending = new Pending<number>()
  const failed = whenRead(pending, fail) as Pending<number>
  const waiting = failed.outcome()
  pending.resolve(1)
  await expect(waiting).rejects.toThrow('At once.')
  expect(() => failed.outcome()).toThrow('At once.')
  const refused = new Pending<number>()
  const all = allRead(2, (at) => (at === 0 ? refused : at)) as Pending<number[]>
  refused.reject(new Error('No.'))
  expect(() => all.outcome()).toThrow('No.')
  expect(failed.then(undefined, () => 7).outcome()).toBe(7)
})
