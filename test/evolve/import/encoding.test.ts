// Bytes that are not text never become other characters silently: their rows are refused, or the mapping names the encoding.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { decoded, hasUndecodable } from '../../../src/evolve/import/rows/decode-text.ts'
import { columnsOf, rowFile, rowsOf } from '../../../src/evolve/import/rows/rows.ts'
import fc from '../../fast-check.ts'

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function textOf(bytes: Buffer, size = Infinity, encoding = 'utf-8'): Promise<string> {
  let text = ''
  for await (const chunk of decoded(chunksOf(bytes, size), encoding)) text += chunk
  return text
}

/** The rows of a file with these bytes: two cells, or the problem. */
async function rowsIn(name: string, bytes: Buffer, encoding?: string): Promise<unknown[]> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-encoding-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, name), bytes)
  const rows: unknown[] = []
  for await (const some of rowsOf(rowFile(folder, name, ',', encoding))) rows.push(...some.map((row) => row.problem ?? [row.cell('id'), row.cell('name')]))
  return rows
}

test('text is read as it was written, in chunks of any size, also with the replacement character in it', async () => {
  const written = fc.string({ unit: fc.constantFrom('a', 'é', '€', '𝄞', '\uFFFD', '\uFEFF', '\n'), maxLength: 12 })
  await fc.assert(fc.asyncProperty(written, fc.integer({ min: 1, max: 5 }), async (text, size) => {
    expect(await textOf(Buffer.from(text), size)).toBe(text)
  }))
})

test('bytes that are not UTF-8 are marked, wherever the file is cut, and the text around them is kept', async () => {
  const part = fc.constantFrom(Buffer.from('a'), Buffer.from('é'), Buffer.from('\uFFFD'), Buffer.from([0xe9]), Buffer.from([0xff]), Buffer.from([0xf0, 0x9f]), Buffer.from([0x80]), Buffer.from('💀'))
  await fc.assert(fc.asyncProperty(fc.array(part, { maxLength: 8 }), fc.integer({ min: 1, max: 5 }), async (parts, size) => {
    const bytes = Buffer.concat(parts)
    const text = await textOf(bytes, size)
    expect(hasUndecodable(text)).toBe(!isUtf8(bytes))
    expect(text.toWellFormed()).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
  }))
})

function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString('utf8')).equals(bytes)
}

const latin1 = Buffer.from('id,name\n1,Salé\n2,Plain\n', 'latin1')

test('a character whose second half looks like the mark is read', async () => {
  expect(await rowsIn('rows.csv', Buffer.from('id,name\n1,💀'))).toEqual([['1', '💀']])
  expect(await rowsIn('rows.jsonl', Buffer.from('{"id":"1","name":"💀"}'))).toEqual([['1', '💀']])
})

test('a row with such bytes is refused, the others are read, and the declared encoding reads all', async () => {
  const refused: unknown = expect.stringMatching(/not text.*"encoding"/)
  expect(await rowsIn('rows.csv', latin1)).toEqual([refused, ['2', 'Plain']])
  expect(await rowsIn('rows.csv', latin1, 'latin1')).toEqual([['1', 'Salé'], ['2', 'Plain']])
  expect(await rowsIn('rows.csv', Buffer.from('\uFEFFid,name\r\n1,Salé', 'utf16le'), 'utf-16le')).toEqual([['1', 'Salé']])
  const lines = Buffer.from('{"id":"1","name":"Salé"}\n{"id":"2","name":"Plain"}\n', 'latin1')
  expect(await rowsIn('rows.jsonl', lines)).toEqual([refused, ['2', 'Plain']])
  expect(await rowsIn('rows.jsonl', lines, 'windows-1252')).toEqual([['1', 'Salé'], ['2', 'Plain']])
  expect(await rowsIn('rows.csv', Buffer.from([0x69, 0x64, 0x2c, 0x6e, 0x61, 0x6d, 0x65, 0x0a, 0x31, 0x2c, 0x82]), 'shift_jis')).toEqual([refused])
})

test('a header with such bytes is found before any row', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-encoding-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'rows.csv'), Buffer.from('id,prénom\n', 'latin1'))
  expect(hasUndecodable((await columnsOf(rowFile(folder, 'rows.csv')))![1]!)).toBe(true)
})
