// Parses CSV (RFC 4180) chunk by chunk: a cell may be quoted, a quoted cell may contain separators, newlines and doubled
// quotes, and lines end with or without a carriage return. What the cells mean is decided elsewhere.

export interface CsvRecord {
  /** Counted from 1, as in a spreadsheet. */
  readonly row: number
  readonly cells: readonly string[]
  /** Why the record cannot be used; printed after the row number. */
  readonly problem?: string
}

/** In characters. A longer record is refused: it usually has an unclosed quote. */
const maxRecordLength = 1024 * 1024

/** Yields the records that each chunk completes. Empty lines are skipped, but count as rows. */
export async function* csvRecords(chunks: AsyncIterable<string>, separator = ','): AsyncGenerator<CsvRecord[]> {
  let row = 0
  let rest = ''
  let begun = false
  /** Whether the rest of a record that is too long is being skipped, up to the end of its line. */
  let skips = false
  let ends = 'in a cell' as 'in a quote' | 'in a cell'
  const take = (text: string, last: boolean): CsvRecord[] => {
    const records: CsvRecord[] = []
    let at = 0
    while (at < text.length) {
      const found = recordAt(text, at, separator, last)
      if (typeof found === 'string') {
        ends = found
        break
      }
      row++
      if (!found.blank) records.push({ row, cells: found.cells, ...(found.problem === undefined ? {} : { problem: found.problem }) })
      at = found.next
    }
    rest = text.slice(at)
    return records
  }
  for await (const chunk of chunks) {
    const whole = begun || !chunk.startsWith('\uFEFF') ? chunk : chunk.slice(1)
    begun ||= chunk.length > 0
    const text = skips ? afterLine(whole) : whole
    if (text === undefined) continue
    skips = false
    const records = take(rest + text, false)
    if (records.length > 0) yield records
    if (rest.length <= maxRecordLength) continue
    row++
    yield [{ row, cells: [], problem: ends === 'in a quote' ? unclosed : tooLong }]
    // Outside of quotes the next line is the next record. Inside, nothing tells where the quote was meant to end.
    if (ends === 'in a quote') return
    skips = true
    rest = ''
  }
  const records = take(rest, true)
  if (records.length > 0) yield records
}

const unclosed = 'a quote is never closed, or only after a million characters, so the rest of the file was not read. Close it, or double it if it is part of the text'
const tooLong = `is longer than ${maxRecordLength} characters. Shorten its cells`

/** Undefined where the line does not end. */
function afterLine(text: string): string | undefined {
  const end = text.indexOf('\n')
  return end < 0 ? undefined : text.slice(end + 1)
}

interface Found {
  readonly cells: readonly string[]
  readonly next: number
  readonly blank: boolean
  readonly problem?: string
}

/** When the record is incomplete, where the text ends. */
function recordAt(text: string, from: number, separator: string, last: boolean): Found | 'in a quote' | 'in a cell' {
  const cells: string[] = []
  let problem: string | undefined
  for (let at = from; ;) {
    const cell = text[at] === '"' ? quotedAt(text, at, last) : { text: '', next: at }
    if (cell === 'unclosed') return { cells, next: text.length, blank: false, problem: unclosed }
    if (!cell) return 'in a quote'
    const end = endOfCell(text, cell.next, separator, last)
    if (end === undefined) return 'in a cell'
    // Text after a closing quote makes the cell ambiguous.
    if (text[at] === '"' && end > cell.next) problem ??= `cell ${cells.length + 1} has text after its closing quote. Double the quotes that are part of the text`
    cells.push(text[at] === '"' ? cell.text : text.slice(at, end))
    if (text[end] === separator) {
      at = end + 1
      continue
    }
    const next = end + (text[end] === '\r' ? 2 : 1)
    return { cells, next, blank: end === from, ...(problem === undefined ? {} : { problem }) }
  }
}

function quotedAt(text: string, from: number, last: boolean): { text: string; next: number } | 'unclosed' | undefined {
  let cell = ''
  for (let start = from + 1; ;) {
    const quote = text.indexOf('"', start)
    if (quote < 0) return last ? 'unclosed' : undefined
    // The next chunk may start with the second quote of a pair.
    if (quote + 1 === text.length && !last) return undefined
    if (text[quote + 1] !== '"') return { text: cell + text.slice(start, quote), next: quote + 1 }
    cell += text.slice(start, quote + 1)
    start = quote + 2
  }
}

/** The position of the next separator or newline, or the end of the text. */
function endOfCell(text: string, from: number, separator: string, last: boolean): number | undefined {
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === separator || character === '\n') return at
    if (character !== '\r') continue
    if (at + 1 === text.length && !last) return undefined
    if (text[at + 1] === '\n') return at
  }
  return last ? text.length : undefined
}
