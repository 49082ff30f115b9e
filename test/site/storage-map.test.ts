// The storage map: its content, and that boxes do not overlap.

import fc from '../fast-check.ts'
import { describe, expect, test } from 'vitest'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { derive as libraryDerive } from '../../schema/library/derive.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import { storageMap, type MapBox, type MapRow, type StorageMap } from '../../src/site/map/storage-map.ts'
import { layOut } from '../../src/site/map/map-layout.ts'
import { legend, mapInWords, mapSvg } from '../../src/site/map/map-svg.ts'
import { derive as blogDerive, schema as blog } from '../blog/blog.ts'
import { everyKind } from '../random/every-kind.ts'

const schemas = [
  ['the library', readDeclaration(readSdlFolder('schema/library'), libraryDerive)],
  ['a blog', readDeclaration(blog, blogDerive)],
  ['a schema of every kind', readDeclaration(everyKind.typeDefs, everyKind.derive)],
] as const

describe.each(schemas)('of %s', (_, { model }) => {
  const map = storageMap(model)

  test('every document type has a box, every relation a line, in both drawings', () => {
    const drawing = mapSvg(map).text
    const relations = map.boxes.flatMap(({ rows }) => rows).filter(({ leads }) => leads)
    for (const type of model.documents.keys()) expect(drawing.split(`data-type="${type}"`)).toHaveLength(3)
    expect(drawing.split('class="relation"')).toHaveLength(2 * relations.length + 1)
  })

  test('the text lists every type, also contained ones', () => {
    const words = mapInWords(map).text
    for (const type of [...model.documents.keys(), ...model.contained.keys()]) expect(words).toContain(type)
  })

  test('every kind that is used is explained', () => {
    const used = new Set(map.boxes.flatMap(({ rows }) => rows.map(({ kind }) => kind)))
    expect(new Set<string>(map.kinds.map(({ name }) => name))).toEqual(used)
    for (const { name, meaning } of map.kinds) {
      expect(meaning).toMatch(/^[A-Z].*\.$/)
      expect(legend(map).text).toContain(`<b>${name}</b>`)
    }
  })

  test('no boxes overlap, and nothing is outside the drawing', () => {
    for (const narrow of [false, true]) expectNoOverlaps(map, narrow)
  })
})

test('the map of the library shows its schema', () => {
  const boxes = new Map(storageMap(schemas[0][1].model).boxes.map((box) => [box.type, box]))
  expect(boxes.get('Book')).toEqual({
    type: 'Book', container: 'books', partitionKey: '/bookId',
    rows: [
      { label: 'authors', kind: 'snapshot', target: 'Author', leads: true, details: 'fields name, thumbnailUrl, indexed name, max 100' },
      { label: 'publisher', kind: 'reference', target: 'Publisher', leads: true, details: 'max 1000' },
      { label: 'countOfReviews', kind: 'counted', target: 'Int', leads: false, details: 'relation reviews' },
      { label: 'reviews', kind: 'bucketed', target: 'Review', leads: false, details: 'recent 3, size 100' },
    ],
  })
  expect(boxes.get('Portfolio')?.rows.map(({ label, leads }) => [label, leads])).toEqual([['owner', true], ['holdings', false], ['holdings.stock', true]])
  expect(boxes.get('Trade')?.partitionKey).toBe('symbol-date + hash of id in 20')
})

test('partition keys are shown in all their forms', () => {
  const keys = schemas.flatMap(([, { model }]) => storageMap(model).boxes.map(({ partitionKey }) => partitionKey))
  expect(keys).toEqual(expect.arrayContaining(['/id', '/country, /id', 'deviceId-year', 'price + one of 3 at random']))
})

test('any map has no overlaps, and is always drawn the same', () => {
  fc.assert(fc.property(randomMap(), fc.boolean(), (map, narrow) => {
    expectNoOverlaps(map, narrow)
    expect(layOut(map, narrow)).toEqual(layOut(structuredClone(map), narrow))
  }))
})

function expectNoOverlaps(map: StorageMap, narrow: boolean): void {
  const { width, height, boxes, lines } = layOut(map, narrow)
  for (const [index, one] of boxes.entries()) {
    expect(one.x >= 0 && one.y >= 0 && one.x + one.width <= width && one.y + one.height <= height).toBe(true)
    for (const other of boxes.slice(index + 1)) {
      const apart = one.x + one.width <= other.x || other.x + other.width <= one.x || one.y + one.height <= other.y || other.y + other.height <= one.y
      expect(apart).toBe(true)
    }
  }
  for (const { path, head } of lines) expect(path + head).not.toMatch(/NaN|undefined|Infinity/)
  if (narrow) expect(width).toBeLessThanOrEqual(340)
}

function randomMap(): fc.Arbitrary<StorageMap> {
  return fc.integer({ min: 0, max: 12 }).chain((count) => {
    const names = Array.from({ length: count }, (_, index) => `Type${index}`)
    const row: fc.Arbitrary<MapRow> = fc.record({
      label: fc.string({ maxLength: 40 }), kind: fc.constantFrom('reference', 'snapshot'), target: fc.constantFrom('Nothing', ...names), details: fc.string(),
    }).map((each) => ({ ...each, leads: each.target !== 'Nothing' }))
    const box = (type: string): fc.Arbitrary<MapBox> => fc.record({
      type: fc.constant(type), container: fc.string(), partitionKey: fc.string(), rows: fc.array(row, { maxLength: 8 }),
    })
    return fc.tuple(...names.map(box)).map((boxes) => ({ boxes, kinds: [] }))
  })
}
