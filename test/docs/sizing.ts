// The figures of docs/operate.md, which are those of docs/benchmarks.md: rows are found there by their
// section and their first cell, so a new measurement updates both.

import { readFileSync } from 'node:fs'

/** A cell of docs/benchmarks.md. */
export interface Cell {
  readonly section: string
  readonly row: string
  readonly column: string
}

interface Figure extends Cell {
  readonly says: string
}

const figures: readonly Figure[] = [
  { says: 'One book by its id, from SQLite, with the request log: requests a second', section: 'point: one book by its id, on SQLite', row: 'Quire, log', column: 'requests/s' },
  { says: 'Fifty books with snapshots of their authors, from SQLite, with the request log: requests a second', section: 'A: fifty books with their authors, on SQLite', row: 'Quire, log, from snapshots', column: 'requests/s' },
  { says: 'Durable writes of one document: a second, by one client', section: 'Writes: createPublisher', row: 'Quire, one client', column: 'writes/s' },
  { says: 'Memory of a request that waits for one book: kB of the process', section: 'Memory', row: 'one book by its id', column: 'process kB each' },
  { says: 'Memory of a request that waits for fifty looked up authors: kB of the process', section: 'Memory', row: 'A looked up, waiting for the authors', column: 'process kB each' },
]

export function sizingTable(): string {
  const page = readFileSync('docs/benchmarks.md', 'utf8')
  const rows = figures.map((figure) => `| ${figure.says} | ${figureIn(page, figure)} |`)
  const quick = page.includes('A quick run') ? ['', 'Some of them are from a quick run, and the benchmarks say which: measure your own before you rely on them.'] : []
  return ['| what | figure |', '|---|---:|', ...rows, ...quick].join('\n')
}

export function figureIn(page: string, { section, row, column }: Cell): string {
  const text = page.split(/^#{2,3} /m).find((each) => each.startsWith(`${section}\n`)) ?? ''
  const [header, ...rows] = text.split('\n').filter((line) => line.startsWith('|')).map(cellsOf)
  const found = rows.find((cells) => cells[1] === row)?.[header?.indexOf(column) ?? -1]
  if (!found) throw new Error(`docs/benchmarks.md has no ${column} of ${row} under ${section}.`)
  return found
}

/** Without the stars of what is emphasised. */
function cellsOf(line: string): string[] {
  return line.split('|').map((cell) => cell.replaceAll('*', '').trim())
}
