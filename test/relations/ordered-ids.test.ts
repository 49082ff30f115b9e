import { expect, test } from 'vitest'
import fc from 'fast-check'
import { changedIds, orderedIds } from '../../src/relations/pointers/ordered-ids.ts'
import { compareText } from '../../src/model/keys/compare-scalars.ts'

const ids = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c', '\uffff', '\u{10000}'), fc.string()))

const inOrder = (some: Iterable<string>): string[] => [...new Set(some)].toSorted(compareText)

test('ids are sorted and distinct, in whatever order they were given', () => {
  fc.assert(fc.property(ids, (given) => {
    expect(orderedIds(given)).toEqual(inOrder(given))
  }))
})

test('ids are inserted in order, and removing some leaves the others unchanged, one at a time or several at once', () => {
  const changes = fc.uniqueArray(fc.record({ id: fc.oneof(fc.constantFrom('b', '\uffff'), fc.string()), isListed: fc.boolean() }), { selector: ({ id }) => id })
  fc.assert(fc.property(ids, changes, (given, changed) => {
    const before = orderedIds(given)
    const removed = new Set(changed.filter(({ isListed }) => !isListed).map(({ id }) => id))
    const expected = inOrder([...given.filter((id) => !removed.has(id)), ...changed.filter(({ isListed }) => isListed).map(({ id }) => id)])
    expect(changedIds(before, changed)).toEqual(expected)
    expect(changed.reduce((listed, change) => changedIds(listed, [change]), before)).toEqual(expected)
  }))
})
