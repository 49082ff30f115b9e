// The CSV reader returns what a correct writer wrote, in chunks of any size.

import fc from '../../fast-check.ts'
import { expect, test } from 'vitest'
import { csvRecords, type CsvRecord } from '../../../src/evolve/import/rows/csv.ts'

async function read(text: string, chunkSize = Infinity, separator = ','): Promise<CsvRecord[]> {
  const all: CsvRecord[] = []
  for await (const records of csvRecords(chunksOf(text, chunkSize), separator)) all.push(...records)
  return all
}

async function* chunksOf(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

async function cellsOf(text: string): Promise<(readonly string[])[]> {
  return (await read(text)).map(({ cells }) => cells)
}

test('a written record is read back, in chunks of any size, with any separator and newline', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\n', '\r', ' ', '\t'), maxLength: 6 })
  await fc.assert(fc.asyncProperty(
    fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), fc.integer({ min: 1, max: 9 }),
    fc.constantFrom(',', ';'), fc.constantFrom('\n', '\r\n'), fc.boolean(), fc.boolean(),
    async (records, chunkSize, separator, newline, ends, marked) => {
      const lines = records.map((cells) => cells.map((each) => `"${each.replaceAll('"', '""')}"`).join(separator))
      const text = `${marked ? '\uFEFF' : ''}${lines.join(newline)}${ends && lines.length > 0 ? newline : ''}`
      const found = await read(text, chunkSize, separator)
      expect(found).toEqual(records.map((cells, index) => ({ row: index + 1, cells })))
    }))
})

test('cells without special characters need no quotes', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é'), minLength: 1, maxLength: 5 })
  await fc.assert(fc.asyncProperty(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), fc.integer({ min: 1, max: 9 }), async (records, chunkSize) => {
    expect((await read(records.map((cells) => cells.join(',')).join('\r\n'), chunkSize)).map(({ cells }) => cells)).toEqual(records)
  }))
})

test.each([
  ['a newline and doubled quotes inside quotes', 'a,"b ""c""\nd"\n', [['a', 'b "c"\nd']]],
  ['empty cells', ',\n"",', [['', ''], ['', '']]],
  ['a byte order mark', '\uFEFFa,b', [['a', 'b']]],
  ['ragged records as they are', 'a,b\nc\n1,2,3', [['a', 'b'], ['c'], ['1', '2', '3']]],
  ['a quote in the middle of a cell as part of it', '5" disk,x', [['5" disk', 'x']]],
  ['nothing at all', '', []],
])('reads %s', async (_, text, cells) => {
  expect(await cellsOf(text)).toEqual(cells)
})

test('empty lines are skipped, but count as rows', async () => {
  expect(await read('a\n\nb\r\n\r\nc')).toEqual([{ row: 1, cells: ['a'] }, { row: 3, cells: ['b'] }, { row: 5, cells: ['c'] }])
})

test('text after a closing quote is a problem, and the next record is read', async () => {
  const problem: unknown = expect.stringMatching(/cell 1 .*quote/)
  expect(await read('"a"b,c\nd,e')).toEqual([{ row: 1, cells: ['a', 'c'], problem }, { row: 2, cells: ['d', 'e'] }])
})

test('a quote that is never closed ends the reading, after the last character or after a megabyte', async () => {
  const problem: unknown = expect.stringMatching(/quote .*never closed/)
  expect(await read('a\n"b\nc')).toEqual([{ row: 1, cells: ['a'] }, { row: 2, cells: [], problem }])
  expect(await read(`a\n"${'x'.repeat(3_000_000)}`, 100_000)).toEqual([{ row: 1, cells: ['a'] }, { row: 2, cells: [], problem }])
})

test('an unquoted record that is too long is refused as such, and the next ones are read', async () => {
  const long = 'x'.repeat(1_500_000)
  for (const newline of ['\n', '\r\n']) {
    expect(await read(`a${newline}${long},y${newline}b${newline}${long}`, 100_000)).toEqual([
      { row: 1, cells: ['a'] }, { row: 2, cells: [], problem: expect.stringMatching(/longer than/) as string }, { row: 3, cells: ['b'] }, { row: 4, cells: [], problem: expect.stringMatching(/longer than/) as string },
    ])
  }
})
