// Keys as text and maps by key: the fast implementations give the same results as the plain ones.

import fc from '../../fast-check.ts'
import { expect, test } from 'vitest'
import { KeyMap, keyText, partitionText, type Key, type Partition } from '../../../src/model/keys/key.ts'

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.constantFrom('', 'b1', '"', '\\', '\n', '\u001f', '\u007f', '\ud800', '\udfff', '😀', '\ue000', '\uffff', ']', '","'))
const partition: fc.Arbitrary<Partition> = fc.array(fc.oneof({ weight: 4, arbitrary: text }, fc.constantFrom(null, true, false, 0, 1, -1.5, 1e21)), { maxLength: 3 })
const key: fc.Arbitrary<Key> = fc.oneof(fc.record({ partition, id: text }), text.map((id) => ({ partition: [id], id })))

test('the text of any key and partition is its JSON', () => {
  fc.assert(fc.property(key, (each) => {
    expect(keyText(each)).toBe(JSON.stringify([each.partition, each.id]))
    expect(partitionText(each.partition)).toBe(JSON.stringify(each.partition))
  }), { seed: 1, numRuns: 2000 })
})

test('a map by key equals a map by the text of the key', () => {
  const few: fc.Arbitrary<Key> = fc.record({ partition: fc.constantFrom<Partition>(['a'], ['b'], [1], ['1'], ['a', 'b'], []), id: fc.constantFrom('a', 'b', '1') })
  const step = fc.record({ key: few, value: fc.option(fc.record({ n: fc.nat() })) })
  fc.assert(fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
    const map = new KeyMap<{ n: number }>()
    const model = new Map<string, { n: number }>()
    for (const { key: at, value } of steps) {
      if (value) map.set(at, value)
      else map.delete(at)
      if (value) model.set(keyText(at), value)
      else model.delete(keyText(at))
      for (const { key: each } of steps) expect(map.get(each)).toBe(model.get(keyText(each)))
      expect(new Set(map.values())).toEqual(new Set(model.values()))
    }
  }), { seed: 1, numRuns: 200 })
})
