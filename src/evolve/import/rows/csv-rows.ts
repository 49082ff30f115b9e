// CSV with a header as rows: the header names the columns, and every row has as many cells.

import { csvRecords, type CsvRecord } from './csv.ts'
import { hasUndecodable, notText } from './decode-text.ts'
import type { Row, RowFormat } from './rows.ts'

export const csvRows: RowFormat = {
  async *rows(text, separator) {
    let header: Header | undefined
    for await (const records of csvRecords(text, separator)) {
      const rows = header ? records : records.slice(1)
      const known = (header ??= headerOf(records[0]!))
      yield rows.map((record) => rowOf(record, known))
    }
  },
  async columns(text, separator) {
    for await (const [header] of csvRecords(text, separator)) return namesIn(header!)
    return []
  },
}

interface Header {
  readonly width: number
  /** A name that is there twice stands for its first column; a mapping that uses it is refused. */
  readonly positions: ReadonlyMap<string, number>
}

function headerOf(record: CsvRecord): Header {
  const names = namesIn(record)
  return { width: names.length, positions: new Map(names.map((name, position) => [name, position] as const).toReversed()) }
}

function namesIn({ cells }: CsvRecord): string[] {
  return cells.map((name) => name.trim())
}

function rowOf({ row, cells, problem }: CsvRecord, { width, positions }: Header): Row {
  const ragged = cells.length === width ? undefined : `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, but the header has ${width}`
  const wrong = problem ?? (cells.some(hasUndecodable) ? notText : ragged)
  return { number: row, cell: (column) => cells[positions.get(column)!], ...(wrong === undefined ? {} : { problem: wrong }) }
}
