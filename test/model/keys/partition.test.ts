// Partitions from values, for every form of partition key: where a document is written, and when a reader knows
// enough to find it. Reads are tested elsewhere.

import { describe, expect, test } from 'vitest'
import { isFoundById, keyById, partitionFrom, partitionsFrom, placed } from '../../../src/model/keys/partition.ts'
import { partitionProperties, type DocumentType } from '../../../src/model/model.ts'
import { readModel } from '../../../src/model/read-model.ts'
import { readSdl } from '../../../src/model/sdl/read-sdl.ts'

/** A document type with this partition key, written the way a schema writes it. */
function typeWith(partitionKey: string): DocumentType {
  const { model } = readModel(readSdl(`
    type Reading @document(container: "readings", partitionKey: ${partitionKey}) { id: ID! deviceId: String! date: Int sealed: Boolean place: Place @contained }
    type Place { city: String! }
  `))
  return model.documents.get('Reading')!
}

const reading = { id: 'r1', deviceId: 'abc-123', date: 2018, sealed: true, place: { city: 'Oslo' } }

const concatenated = typeWith('{ concat: ["deviceId", "date"] }')
const random = typeWith('{ concat: ["date"], suffix: { random: 4 } }')
const hashed = typeWith('{ concat: ["deviceId", "date"], suffix: { hashOf: "id", spread: 20 } }')

const forms = {
  'the id by default': { type: typeWith('"/id"'), partition: ['r1'], needs: ['id'] },
  'a declared property': { type: typeWith('"/deviceId"'), partition: ['abc-123'], needs: ['deviceId'] },
  'a property that no field declares, which holds the id': { type: typeWith('"/readingId"'), partition: ['r1'], needs: ['id'] },
  'a number': { type: typeWith('"/date"'), partition: [2018], needs: ['date'] },
  'a boolean': { type: typeWith('"/sealed"'), partition: [true], needs: ['sealed'] },
  'a property of a contained object': { type: typeWith('"/place/city"'), partition: ['Oslo'], needs: ['place'] },
  'several levels': { type: typeWith('["/deviceId", "/date", "/id"]'), partition: ['abc-123', 2018, 'r1'], needs: ['deviceId', 'date', 'id'] },
  'several levels, the last one holding the id': { type: typeWith('["/deviceId", "/readingId"]'), partition: ['abc-123', 'r1'], needs: ['deviceId', 'id'] },
  'properties joined by hyphens': { type: concatenated, partition: ['abc-123-2018'], needs: ['deviceId', 'date'] },
  'one property alone, joined with nothing': { type: typeWith('{ concat: ["date"] }'), partition: ['2018'], needs: ['date'] },
  'joined properties and a hash of the id': { type: hashed, partition: ['abc-123-2018.15'], needs: ['deviceId', 'date', 'id'] },
  'joined properties and a hash of another property': {
    type: typeWith('{ concat: ["date"], suffix: { hashOf: "deviceId", spread: 400 } }'), partition: ['2018.32'], needs: ['date', 'deviceId'],
  },
} as const

describe.each(Object.entries(forms))('a key that is %s', (_, { type, partition, needs }) => {
  test('is computed from the document', () => {
    expect(partitionFrom(type, reading)).toEqual(partition)
  })

  test('needs exactly its own parts', () => {
    expect(partitionFrom(type, only(needs))).toEqual(partition)
    for (const part of needs) {
      const others = needs.filter((name) => name !== part)
      expect(partitionFrom(type, only(others)), `without ${part}`).toBeUndefined()
      expect(partitionFrom(type, { ...reading, [part]: null }), `with ${part} null`).toBeUndefined()
    }
  })

  test('is the partition that the document is written to', () => {
    expect(placed(type, reading).partition).toEqual(partition)
  })

  test('follows from the id in one step where the id is enough', () => {
    const known = partitionFrom(type, { id: 'r1' })
    expect(keyById(type)?.('r1')).toEqual(known && { partition: known, id: 'r1' })
  })

  test('is found by the id alone only if it needs nothing else', () => {
    expect(isFoundById(type)).toBe(needs.every((part) => part === 'id'))
    expect(partitionProperties(type)).toEqual(needs.filter((part) => part !== 'id'))
  })
})

describe('the body that is written', () => {
  test('has the id in a partition key property that no field declares', () => {
    expect(placed(typeWith('["/deviceId", "/readingId"]'), reading).body).toEqual({ ...reading, readingId: 'r1' })
  })

  test('has the joined properties where at says', () => {
    expect(placed(concatenated, reading).body).toEqual({ ...reading, partitionKey: 'abc-123-2018' })
    expect(placed(typeWith('{ concat: ["date"], at: "shard" }'), reading).body).toEqual({ ...reading, shard: '2018' })
  })

  test('is otherwise unchanged', () => {
    expect(placed(typeWith('"/place/city"'), reading).body).toEqual(reading)
  })

  test.each([concatenated, random, hashed, typeWith('"/deviceId"'), typeWith('["/id", "/date"]')])('is rejected when a part is missing (%#)', (type) => {
    expect(() => placed(type, { id: 'r1' })).toThrow('lacks a property of its partition key')
  })
})

describe('a hashed suffix', () => {
  const suffixes = Array.from({ length: 10_000 }, (_, number) => suffixOf(partitionFrom(hashed, { ...reading, id: `r${number}` })))

  test('is the same for the same value, regardless of other properties', () => {
    const again = suffixes.map((_, number) => suffixOf(partitionFrom(hashed, { id: `r${number}`, date: 1, deviceId: 'other' })))
    expect(again).toEqual(suffixes)
  })

  test('is from 1 to the spread, evenly distributed', () => {
    const counts = Map.groupBy(suffixes, (suffix) => suffix)
    expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, suffix) => suffix + 1))
    for (const [suffix, all] of counts) {
      expect(all.length, `suffix ${suffix}`).toBeGreaterThan(400)
      expect(all.length, `suffix ${suffix}`).toBeLessThan(600)
    }
  })

  test('never changes, because stored documents depend on it', () => {
    const ids = ['r1', 'r2', 'r3', '', 'é', '😀']
    expect(ids.map((id) => suffixOf(partitionFrom(hashed, { ...reading, id })))).toEqual([15, 18, 3, 11, 19, 9])
  })

  test('is the same for a number as for the number as text', () => {
    const type = typeWith('{ concat: ["deviceId"], suffix: { hashOf: "date", spread: 400 } }')
    expect(partitionFrom(type, { ...reading, date: '2018' })).toEqual(partitionFrom(type, reading))
  })
})

describe('a random suffix', () => {
  test('cannot be computed by a reader', () => {
    expect(partitionFrom(random, reading)).toBeUndefined()
    expect(isFoundById(random)).toBe(false)
  })

  test('takes every value from 1 to the spread', () => {
    // Missing one of four in a thousand writes happens once in more than 10^124 runs.
    const written = Array.from({ length: 1000 }, () => placed(random, reading))
    expect(new Set(written.map(({ partition }) => partition[0]))).toEqual(new Set(['2018.1', '2018.2', '2018.3', '2018.4']))
    expect(written.every(({ partition, body }) => partition[0] === (body as { partitionKey?: string }).partitionKey)).toBe(true)
  })
})

describe('the list of possible partitions', () => {
  test('has one partition if it is known', () => {
    expect(partitionsFrom(hashed, reading)).toEqual([['abc-123-2018.15']])
    expect(partitionsFrom(concatenated, reading)).toEqual([['abc-123-2018']])
  })

  test('has one partition for each suffix if only the suffix is unknown', () => {
    expect(partitionsFrom(random, { date: 2018 })).toEqual([['2018.1'], ['2018.2'], ['2018.3'], ['2018.4']])
    expect(partitionsFrom(hashed, only(['deviceId', 'date']))).toEqual(Array.from({ length: 20 }, (_, suffix) => [`abc-123-2018.${suffix + 1}`]))
  })

  test('is undefined when a joined property is missing', () => {
    expect(partitionsFrom(random, { id: 'r1' })).toBeUndefined()
    expect(partitionsFrom(hashed, only(['date', 'id']))).toBeUndefined()
    expect(partitionsFrom(concatenated, only(['date']))).toBeUndefined()
    expect(partitionsFrom(typeWith('"/deviceId"'), { id: 'r1' })).toBeUndefined()
  })
})

function only(properties: readonly string[]): object & { [property: string]: unknown } {
  return Object.fromEntries(Object.entries(reading).filter(([property]) => properties.includes(property)))
}

function suffixOf(partition: readonly unknown[] | undefined): number {
  return Number(String(partition?.[0]).split('.').at(-1))
}
