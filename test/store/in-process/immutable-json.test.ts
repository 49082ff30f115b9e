// Shared bodies are exactly what JSON makes of the given object, whether it was copied or parsed.

import fc from '../../fast-check.ts'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { frozen, frozenCopy } from '../../../src/store/in-process/immutable-json.ts'
import type { Body } from '../../../src/model/json/json.ts'

const throughJson = (body: unknown): Body => frozenCopy(body as Body, JSON.stringify(body))

function expectFrozen(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  expect(Object.isFrozen(value)).toBe(true)
  Object.values(value).forEach(expectFrozen)
}

/** Random bodies with any JavaScript values, parts of them frozen. */
const anything = fc.object({
  maxDepth: 4, withNullPrototype: true, withDate: true,
  key: fc.oneof(fc.string(), fc.constantFrom('__proto__', 'toJSON', 'constructor', '1')),
  values: [fc.string({ unit: 'binary' }), fc.double(), fc.constantFrom(-0, NaN, Infinity, undefined, null, true), fc.date({ noInvalidDate: true }), fc.array(fc.integer(), { maxLength: 3 }).map((list) => Object.freeze(list)), fc.dictionary(fc.string(), fc.integer()).map((object) => frozen(object))],
})

describe('a copy', () => {
  test('equals the parsed JSON, in the same order, and is frozen', () => {
    fc.assert(fc.property(anything, (body) => {
      const copy = throughJson(body)
      expect(isDeepStrictEqual(copy, JSON.parse(JSON.stringify(body)))).toBe(true)
      expect(JSON.stringify(copy)).toBe(JSON.stringify(body))
      expectFrozen(copy)
    }), { numRuns: 2000 })
  })

  test('shares the parts that are frozen already', () => {
    const part = frozen({ list: [1, { a: 'b' }] })
    const body = { id: '1', part, more: [part] }
    const copy = throughJson(body) as typeof body
    expect(copy.part).toBe(part)
    expect(copy.more[0]).toBe(part)
    expect(throughJson(copy)).toBe(copy)
  })

  test('does not share a part that is not wholly frozen or that JSON would change', () => {
    const list = [1]
    const moment = new Date(0)
    const holes: unknown[] = []
    holes.length = 1
    const copy = throughJson({ held: Object.freeze({ list }), at: Object.freeze({ moment }), gone: Object.freeze({ a: undefined, b: 1 }), holes: Object.freeze(holes) })
    list.push(2)
    expect(copy).toStrictEqual({ held: { list: [1] }, at: { moment: '1970-01-01T00:00:00.000Z' }, gone: { b: 1 }, holes: [null] })
  })

  test('does not change the given object', () => {
    const body = { list: [{ a: 1 }] }
    throughJson(body)
    body.list[0]!.a = 2
    body.list.push({ a: 3 })
    expect(body).toEqual({ list: [{ a: 2 }, { a: 3 }] })
  })
})
