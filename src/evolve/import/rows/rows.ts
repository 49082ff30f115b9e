// The rows of a file in any format. A row that cannot be read has a problem, and the next row is read.
// A new format is a file like csv-rows.ts and a line in the table below.

import { createReadStream, existsSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Body, Json } from '../../../model/json/json.ts'
import { csvRows } from './csv-rows.ts'
import { decoded } from './decode-text.ts'
import { jsonLines } from './json-lines.ts'

export interface Row {
  /** As in a spreadsheet or an editor: the header of a CSV file is row 1. */
  readonly number: number
  readonly cell: (column: string) => Json | undefined
  /** Another piece of a row that was split comes before. */
  readonly isFurther?: true
  /** The whole row, where it is an object. */
  readonly object?: Body
  /** In characters, where rows are lines. */
  readonly length?: number
  /** Why the row cannot be read; printed after its number. */
  readonly problem?: string
}

export interface RowFile {
  /** As in the mapping. */
  readonly name: string
  readonly path: string
  readonly separator: string
  readonly encoding: string
}

export interface RowFormat {
  /** The rows, some at a time. */
  readonly rows: (text: AsyncIterable<string>, separator: string) => AsyncGenerator<Row[]>
  /** The names of the columns; absent where each row names its own. */
  readonly columns?: (text: AsyncIterable<string>, separator: string) => Promise<readonly string[]>
}

/** By extension; CSV for all others. */
const formats: Readonly<Record<string, RowFormat>> = {
  '.jsonl': jsonLines,
  '.ndjson': jsonLines,
}

export function rowFile(folder: string, name: string, separator = ',', encoding = 'utf-8'): RowFile {
  return { name, path: join(folder, name), separator, encoding }
}

/** Undefined where there is no such file. */
export function bytesOf({ path }: RowFile): number | undefined {
  return existsSync(path) ? statSync(path).size : undefined
}

/** The rows, some at a time. */
export function rowsOf(file: RowFile): AsyncGenerator<Row[]> {
  return formatOf(file).rows(textOf(file), file.separator)
}

/** The names of the columns; undefined where each row names its own. */
export async function columnsOf(file: RowFile): Promise<readonly string[] | undefined> {
  return formatOf(file).columns?.(textOf(file), file.separator)
}

function formatOf({ name }: RowFile): RowFormat {
  return formats[extname(name).toLowerCase()] ?? csvRows
}

function textOf({ path, encoding }: RowFile): AsyncGenerator<string> {
  return decoded(createReadStream(path, { highWaterMark: 256 * 1024 }), encoding)
}
