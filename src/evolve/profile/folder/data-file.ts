// One file of documents: JSON, JSON lines or CSV. A row of a CSV file is a document whose cells are texts; columns.ts says what else they are.

import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import type { Body, Json } from '../../../model/json/json.ts'
import { decoded } from '../../import/rows/decode-text.ts'
import { columnsOf, rowFile, rowsOf } from '../../import/rows/rows.ts'
import { jsonObjects } from './json-objects.ts'

const separators: Readonly<Record<string, string>> = { '.csv': ',', '.tsv': '\t' }

export const dataFileEndings: readonly string[] = ['.json', '.jsonl', '.ndjson', ...Object.keys(separators)]

/** Whether cells are texts that may stand for numbers. */
export function isTable(path: string): boolean {
  return separatorOf(path) !== undefined
}

/** The documents as they are in the file, some at a time; undefined for one that cannot be read. */
export async function* documentsIn(folder: string, name: string): AsyncGenerator<(Body | undefined)[]> {
  const separator = separatorOf(name)
  const file = rowFile(folder, name, separator ?? ',')
  if (separator === undefined) {
    yield* jsonObjects(decoded(createReadStream(file.path, { highWaterMark: 256 * 1024 }), 'utf-8'), extname(name).toLowerCase() !== '.json')
    return
  }
  const columns = (await columnsOf(file))!
  for await (const rows of rowsOf(file)) {
    yield rows.map(({ cell, problem }) => (problem === undefined ? rowOf(columns, cell) : undefined))
  }
}

/** The columns that documents do not have, a sentence each: those without a name, and those whose name another one has. */
export async function columnsLeftOut(folder: string, name: string): Promise<string[]> {
  const separator = separatorOf(name)
  if (separator === undefined) return []
  const columns = (await columnsOf(rowFile(folder, name, separator)))!
  const nameless = columns.filter((column) => column === '').length
  const doubled = [...new Set(columns.filter((column, index) => column !== '' && columns.indexOf(column) !== index))]
  return [
    ...doubled.map((column) => `every column of ${name} called ${JSON.stringify(column)} but the first. Give them other names.`),
    ...(nameless > 0 ? [`${nameless} ${nameless === 1 ? 'column' : 'columns'} of ${name} without a name.`] : []),
  ]
}

/** Empty cells are absent. */
function rowOf(columns: readonly string[], cell: (column: string) => Json | undefined): Body {
  return Object.fromEntries(columns.flatMap((column) => {
    const value = cell(column)
    return column === '' || value === undefined || value === '' ? [] : [[column, value]]
  }))
}

function separatorOf(path: string): string | undefined {
  return separators[extname(path).toLowerCase()]
}
