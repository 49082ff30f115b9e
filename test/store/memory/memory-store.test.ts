// The memory store in the conformance suite, and what is special to it: readers share frozen bodies.

import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { conformance } from '../conformance/index.ts'
import { book, bookKey, layout } from '../conformance/shelf.ts'

conformance('memory', openMemoryStore)

test('every reader gets the same frozen body', async () => {
  const store = await openMemoryStore(layout)
  await store.write([book('b1', { authors: [{ id: 'a1' }] })])
  const [one, two] = await store.readMany('books', [bookKey('b1'), bookKey('b1')])
  expect(one).toBe(two)
  expect(Object.isFrozen(one!.body)).toBe(true)
  expect(Object.isFrozen(one!.body.authors)).toBe(true)
  expect(() => Object.assign(one!.body, { name: 'changed' })).toThrow(TypeError)
})

test('it declares that it is not durable', async () => {
  const { supports } = await openMemoryStore([])
  expect(supports).toEqual({ system: 'memory', atomic: 'store', maxWriteDelayMs: 0, positions: 'writes', charges: 'estimated', sizes: 'exact', textOrder: 'code points', batch: { writes: Infinity, bytes: Infinity }, durable: false, sameObjects: true, keysPerRequest: 1000, documentBytes: 2_097_152 })
})
