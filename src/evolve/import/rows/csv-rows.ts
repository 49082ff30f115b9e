// CSV with a header as rows: the header names the columns, and every row has as many cells.

import { csvRecords, type CsvRecord } from './csv.ts'
import type { Row, RowFormat } from './rows.ts'

export const csvRows: RowFormat = {
  async *rows(text, separator) {
    let positions: ReadonlyMap<string, number> | undefined
    for await (const records of csvRecords(text, separator)) {
      const rows = positions ? records : records.slice(1)
      positions ??= new Map(namesIn(records[0]!).map((name, position) => [name, position]))
      const known = positions
      yield rows.map((record) => rowOf(record, known))
    }
  },
  async columns(text, separator) {
    for await (const [header] of csvRecords(text, separator)) return namesIn(header!)
    return []
  },
}

function namesIn({ cells }: CsvRecord): string[] {
  return cells.map((name) => name.trim())
}

function rowOf({ row, cells, problem }: CsvRecord, positions: ReadonlyMap<string, number>): Row {
  const ragged = cells.length === positions.size ? undefined : `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, but the header has ${positions.size}`
  const wrong = problem ?? ragged
  return { number: row, cell: (column) => cells[positions.get(column)!], ...(wrong === undefined ? {} : { problem: wrong }) }
}
