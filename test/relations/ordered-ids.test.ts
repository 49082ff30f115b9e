import { expect, test } from 'vitest'
import fc from 'fast-check'
import { orderedIds, withId, withoutId } from '../../src/relations/pointers/ordered-ids.ts'
import { compareText } from '../../src/model/keys/compare-scalars.ts'

const ids = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c', '\uffff', '\u{10000}'), fc.string()))

const inOrder = (some: Iterable<string>): string[] => [...new Set(some)].toSorted(compareText)

test('ids are sorted and distinct, in whatever order they were given', () => {
  fc.assert(fc.property(ids, (given) => {
    expect(orderedIds(given)).toEqual(inOrder(given))
  }))
})

test('an id is inserted in order, and removing one leaves the others unchanged', () => {
  fc.assert(fc.property(ids, fc.oneof(fc.constantFrom('b', '\uffff'), fc.string()), (given, id) => {
    const before = orderedIds(given)
    expect(withId(before, id)).toEqual(inOrder([...given, id]))
    expect(withoutId(before, id)).toEqual(inOrder(given.filter((each) => each !== id)))
  }))
})
