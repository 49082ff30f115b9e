// JSON lines as rows: one object per line, whose properties are the columns.

import type { Json } from '../../../model/json/json.ts'
import { hasUndecodable, notText } from './decode-text.ts'
import type { Row, RowFormat } from './rows.ts'

export const jsonLines: RowFormat = {
  async *rows(text) {
    let number = 0
    let rest = ''
    const rowsIn = (lines: readonly string[]): Row[] => lines.flatMap((line) => {
      number++
      return line.trim() === '' ? [] : [rowOf(number, line)]
    })
    for await (const chunk of text) {
      const lines = (rest + (number === 0 && rest === '' ? chunk.replace(/^\uFEFF/, '') : chunk)).split('\n')
      rest = lines.pop()!
      yield rowsIn(lines)
    }
    yield rowsIn([rest])
  },
}

function rowOf(number: number, line: string): Row {
  if (hasUndecodable(line)) return { number, cell: () => undefined, problem: notText }
  try {
    const object = JSON.parse(line) as Record<string, Json> | null
    if (typeof object === 'object' && object !== null && !Array.isArray(object)) {
      return { number, object, length: line.length, cell: (column) => (Object.hasOwn(object, column) ? object[column] : undefined) }
    }
  } catch {
    // Reported below, like a line that is JSON but no object.
  }
  return { number, cell: () => undefined, problem: 'is not a JSON object' }
}
