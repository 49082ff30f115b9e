// What the store remembers of the documents it has read: their marks, their sizes, and the physical partitions of their keys. All of it is bounded.

import { expect, test } from 'vitest'
import { DocumentSizes } from '../../../src/store/cosmos/document-sizes.ts'
import { documentOf } from '../../../src/store/cosmos/documents.ts'
import { PhysicalPartitions } from '../../../src/store/cosmos/read-many/physical-partitions.ts'
import { WriteMarks } from '../../../src/store/cosmos/write/write-marks.ts'

test('the marks of the last 5,000 documents are known, and those of 10,000 earlier ones are not', () => {
  const marks = new WriteMarks()
  for (let count = 0; count < 15_000; count++) {
    marks.remember(`e${count}`, [`m${count}`])
    // One that is read again and again stays known.
    if (count % 4000 === 0) marks.remember('hot', ['m'])
  }
  expect([marks.after('e10000', 'new'), marks.after('e14999', 'new'), marks.after('hot', 'new')]).toEqual([['new', 'm10000'], ['new', 'm14999'], ['new', 'm']])
  expect([marks.after('e4999', 'new'), marks.after(undefined, 'new')]).toEqual([['new', '?'], ['new', '?']])
})

test('the size of a document is that of its body, and is measured for the first ones and then for some', () => {
  const item = { id: 'a', text: 'é', _rid: 'r', _self: 's', _etag: '"e"', _ts: 1 }
  expect(documentOf(item, [['id']])).toEqual({ key: { partition: ['a'], id: 'a' }, etag: 'e', body: { id: 'a', text: 'é' }, bytes: 22 })
  const sizes = new DocumentSizes()
  expect(sizes.typical('books')).toBe(1024)
  let measured = 0
  const document = { key: { partition: ['a'], id: 'a' }, etag: 'e', body: {}, get bytes() { return measured++ > 100 ? 4000 : 2000 } }
  for (let count = 0; count < 50; count++) sizes.add('books', document)
  expect([sizes.typical('books'), measured]).toEqual([2000, 50])
  for (let count = 0; count < 17_000; count++) sizes.add('books', document)
  expect(measured).toBe(1050)
  expect(sizes.typical('books')).toBe(4000)
})

test('the physical partition of a key is looked for again when the partitions have been read again', async () => {
  const ranges = [[{ id: '0', minInclusive: '', maxExclusive: 'FF' }], [{ id: '2', minInclusive: '20', maxExclusive: 'FF' }, { id: '1', minInclusive: '', maxExclusive: '20' }]]
  const partitions = new PhysicalPartitions({ readPartitionKeyRanges: () => ({ fetchAll: async () => ({ resources: ranges.shift() }) }) } as never, { paths: ['/pk'], version: 2 })
  await partitions.all()
  const keys = Array.from({ length: 20 }, (_, at) => [`k${at}`])
  const idsOf = () => [...new Set(keys.map((key) => partitions.knownOf(key)!.id))].toSorted()
  expect([idsOf(), idsOf()]).toEqual([['0'], ['0']])
  await partitions.refresh()
  expect([idsOf(), idsOf()]).toEqual([['1', '2'], ['1', '2']])
})
