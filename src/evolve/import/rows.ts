// The rows of a file, whatever its format: CSV with a header, or one JSON object per line. A row that
// cannot be read says so and the next one is read.

import { createReadStream, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../../model/json/json.ts'
import { csvRecords, type CsvRecord } from './csv.ts'

export interface Row {
  /** As a spreadsheet or an editor shows it: the header of a CSV file is row 1. */
  readonly number: number
  readonly cell: (column: string) => Json | undefined
  /** Why the row cannot be read, to be read after its name. */
  readonly problem?: string
}

export interface RowFile {
  /** As the mapping calls it. */
  readonly name: string
  readonly path: string
  readonly separator: string
}

export function rowFile(folder: string, name: string, separator: string): RowFile {
  return { name, path: join(folder, name), separator }
}

export function bytesOf({ path }: RowFile): number | undefined {
  return existsSync(path) ? statSync(path).size : undefined
}

/** The rows, some at a time. */
export function rowsOf(file: RowFile): AsyncGenerator<Row[]> {
  return isCsv(file) ? csvRows(file) : jsonRows(file)
}

/** The names of a CSV file's columns; undefined where every row names its own. */
export async function columnsOf(file: RowFile): Promise<readonly string[] | undefined> {
  if (!isCsv(file)) return undefined
  for await (const [header] of csvRecords(textOf(file), file.separator)) return namesIn(header!)
  return []
}

function isCsv({ name }: RowFile): boolean {
  return !/\.(jsonl|ndjson)$/i.test(name)
}

async function* csvRows(file: RowFile): AsyncGenerator<Row[]> {
  let places: ReadonlyMap<string, number> | undefined
  for await (const records of csvRecords(textOf(file), file.separator)) {
    const rows = places ? records : records.slice(1)
    places ??= new Map(namesIn(records[0]!).map((name, place) => [name, place]))
    const known = places
    yield rows.map((record) => csvRow(record, known))
  }
}

function namesIn({ cells }: CsvRecord): string[] {
  return cells.map((name) => name.trim())
}

function csvRow({ row, cells, problem }: CsvRecord, places: ReadonlyMap<string, number>): Row {
  const ragged = cells.length === places.size ? undefined : `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, and the header has ${places.size}`
  const wrong = problem ?? ragged
  return { number: row, cell: (column) => cells[places.get(column)!], ...(wrong === undefined ? {} : { problem: wrong }) }
}

async function* jsonRows(file: RowFile): AsyncGenerator<Row[]> {
  let number = 0
  let rest = ''
  const rowsIn = (lines: readonly string[]) => lines.flatMap((line) => {
    number++
    return line.trim() === '' ? [] : [jsonRow(number, line)]
  })
  for await (const chunk of textOf(file)) {
    const lines = (rest + (number === 0 && rest === '' ? chunk.replace(/^\uFEFF/, '') : chunk)).split('\n')
    rest = lines.pop()!
    yield rowsIn(lines)
  }
  yield rowsIn([rest])
}

function jsonRow(number: number, line: string): Row {
  try {
    const object = JSON.parse(line) as Record<string, Json> | null
    if (typeof object === 'object' && object !== null && !Array.isArray(object)) {
      return { number, cell: (column) => (Object.hasOwn(object, column) ? object[column] : undefined) }
    }
  } catch {
    // It is said below.
  }
  return { number, cell: () => undefined, problem: 'is no JSON object' }
}

async function* textOf({ path }: RowFile): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) yield decoder.decode(chunk as Buffer, { stream: true })
  yield decoder.decode()
}
