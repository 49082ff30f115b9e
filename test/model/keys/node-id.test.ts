// Global ids can be read back, and any other text is rejected. Whether the document exists is not checked here.

import fc from '../../fast-check.ts'
import { describe, expect, test } from 'vitest'
import { nodeId, readNodeId } from '../../../src/model/keys/node-id.ts'
import { readModel } from '../../../src/model/read-model.ts'
import { readSdl } from '../../../src/model/sdl/read-sdl.ts'

const { model } = readModel(readSdl(`
  type Post @document(container: "posts", partitionKey: "/postId") { id: ID! }
  type View @document(container: "views", partitionKey: ["/siteId", "/day"]) { id: ID! siteId: Int! day: String! }
  type Reading @document(container: "readings", partitionKey: { concat: ["day"], suffix: { random: 9 } }) { id: ID! day: String! }
`))
const post = model.documents.get('Post')!
const view = model.documents.get('View')!
const reading = model.documents.get('Reading')!

const runs = { seed: 20_260_809, numRuns: 500 }
const text = fc.string({ unit: 'binary' })
/** The values of a partition after JSON, which has no -0. */
const part = fc.oneof(text, fc.boolean(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)))

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

describe('a global id', () => {
  test('of a type that is found by id has only the type and the id', () => {
    expect(nodeId(post, 'p1', ['p1'])).toBe(encoded(['Post', 'p1']))
    expect(nodeId(post, 'p1', undefined)).toBe(encoded(['Post', 'p1']))
  })

  test('of any other type has the partition, too', () => {
    expect(nodeId(view, 'v1', [7, 'monday'])).toBe(encoded(['View', 'v1', [7, 'monday']]))
  })

  test('gives back any id', () => {
    fc.assert(fc.property(text, (id) => {
      expect(readNodeId(model, nodeId(post, id, [id]))).toEqual({ type: post, key: { partition: [id], id } })
    }), runs)
  })

  test('gives back any partition', () => {
    fc.assert(fc.property(text, part, part, (id, one, other) => {
      expect(readNodeId(model, nodeId(view, id, [one, other]))).toEqual({ type: view, key: { partition: [one, other], id } })
      expect(readNodeId(model, nodeId(reading, id, [one]))).toEqual({ type: reading, key: { partition: [one], id } })
    }), runs)
  })

  test('needs no encoding in a URL', () => {
    fc.assert(fc.property(text, part, (id, one) => {
      expect(nodeId(reading, id, [one])).toMatch(/^[\w-]+$/)
    }), runs)
  })
})

describe('a text that is not a global id is rejected', () => {
  const garbage = {
    'nothing': '',
    'text': 'p1',
    'characters that base64 does not have': '%%% ?? 😀',
    'bytes that are not JSON': Buffer.from([0, 255, 128, 7]).toString('base64url'),
    'JSON that is cut off': Buffer.from('["Post","p1"').toString('base64url'),
    'a number': encoded(7),
    'null': encoded(null),
    'an object': encoded({ 0: 'Post', 1: 'p1' }),
    'a text that looks like a list': encoded('["Post","p1"]'),
    'an empty list': encoded([]),
    'a type without an id': encoded(['Post']),
    'an id that is a number': encoded(['Post', 1]),
    'an id that is null': encoded(['Post', null]),
    'a type of another schema': encoded(['Book', 'b1']),
    'a type that is not text': encoded([['Post'], 'p1']),
    'a type that every object seems to have': encoded(['constructor', 'p1']),
    'a type in the wrong case': encoded(['post', 'p1']),
    'no partition, where the id does not say it': encoded(['View', 'v1']),
    'an empty partition': encoded(['View', 'v1', []]),
    'a partition that is text': encoded(['View', 'v1', '7']),
    'a partition that is an object': encoded(['View', 'v1', { length: 2 }]),
    'a partition of objects': encoded(['View', 'v1', [{}, {}]]),
    'a partition of lists': encoded(['View', 'v1', [[7], ['monday']]]),
    'a partition with a hole': encoded(['View', 'v1', [7, null]]),
    'a partition of too few levels': encoded(['View', 'v1', [7]]),
    'a partition of too many levels': encoded(['Reading', 'r1', ['monday.1', 'x']]),
  }

  test.each(Object.entries(garbage))('%s', (_, garbled) => {
    expect(readNodeId(model, garbled)).toBeUndefined()
  })

  test('without an exception, for any text', () => {
    fc.assert(fc.property(text, (any) => {
      expect(readNodeId(model, any)).toBeUndefined()
    }), runs)
  })

  test('without an exception, for any JSON', () => {
    fc.assert(fc.property(fc.json(), (json) => {
      expect(readNodeId(model, Buffer.from(json).toString('base64url'))).toBeUndefined()
    }), runs)
  })

  test('if its type is not in the model, even if it is nearly valid', () => {
    const name = fc.oneof(fc.constantFrom('Post', 'View', 'Reading'), text)
    fc.assert(fc.property(name, fc.jsonValue(), fc.jsonValue(), (type, id, partition) => {
      const found = readNodeId(model, encoded([type, id, partition]))
      if (found) expect([model.documents.get(type), id]).toEqual([found.type, found.key.id])
    }), runs)
  })
})
