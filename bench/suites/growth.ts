// Measures whether answers slow down as the store grows, and whether long answers cost more per row than short ones. Each size
// has its own gateway and SQLite file, and requests to them alternate.

import { databaseOfSize } from '../data/database-at-size.ts'
import { sizesFor } from '../data/library-at-size.ts'
import { LoadProcess, type Measured } from '../load/load-process.ts'
import { howLoaded, measureLoads } from '../load/measure-loads.ts'
import { middle, table, times, timesKnown, timesLess, whole } from '../report/table.ts'
import { startQuire } from '../servers/start-quire.ts'
import { median, ratio } from '../statistics.ts'
import { chosen, type Options, type Suite } from '../suite.ts'
import { besides, besideTable, measureBeside } from './growth-beside.ts'
import { measureSkew, readQuestions, skewTable, type Library, type Question } from './growth-reads.ts'

const quickSizes = [1_000, 10_000, 100_000]
const allSizes = [...quickSizes, 1_000_000]
const rowCounts = [10, 100, 1_000, 10_000]
/** The baseline of cost per row. In shorter answers the fixed cost of a request dominates. */
const comparedRows = 1_000
const rowsDatabase = 100_000
const pageSize = 50

export const growth: Suite = async (options) => {
  const libraries: Library[] = []
  const load = new LoadProcess()
  try {
    for (const documents of options.quick ? quickSizes : allSizes) {
      const file = await databaseOfSize(documents, options.progress)
      libraries.push({ documents, server: await startQuire(`sqlite:${file}`, { pageSizes: { max: Math.max(...rowCounts) } }) })
    }
    const wanted = new Set(chosen([...questions, { name: 'rows' }, { name: 'skew' }, ...besides], options).map(({ name }) => name))
    const bySize = await growthBySize(questions.filter(({ name }) => wanted.has(name)), libraries, load, options)
    const byRows = wanted.has('rows') ? await growthByRows(libraries.find(({ documents }) => documents === rowsDatabase)!, load, options) : []
    const skewedBooks = options.quick ? 10_000 : 100_000
    const skew = wanted.has('skew') ? await measureSkew(skewedBooks, load, options) : []
    const largest = libraries.at(-1)!
    const beside = []
    for (const each of besides) if (wanted.has(each.name)) beside.push({ name: each.name, each, rows: await measureBeside(each, largest, load, options) })
    const tables = [
      ...bySize.map(sizeTable), ...(byRows.length > 0 ? [rowsTable(byRows)] : []), ...(skew.length > 0 ? [skewTable(skewedBooks, skew)] : []),
      ...beside.map(({ each, rows }) => besideTable(each, largest.documents, rows)),
    ]
    return { how: howLoaded(options), tables: tables.join('\n\n'), data: { bySize, byRows, skew, beside: beside.map(({ name, rows }) => ({ name, rows })) } }
  } finally {
    load.stop()
    await Promise.all(libraries.map(({ server }) => server.stop()))
  }
}

const questions: readonly Question[] = [
  { name: 'point', title: 'one book by its id', bodies: async ({ documents }) => spreadIds(documents).map((id) => body(`{ book(id: "${id}") { name } }`)) },
  { name: 'first', title: `the first page of ${pageSize}`, bodies: async () => [body(`{ books(first: ${pageSize}) { nodes { id name } } }`)] },
  {
    name: 'last',
    title: `a page of ${pageSize} at the end of the list`,
    bodies: async ({ server }) => {
      const { data } = await server.ask(body(`{ books(last: ${2 * pageSize}) { pageInfo { startCursor } } }`))
      const { startCursor } = (data as { books: { pageInfo: { startCursor: string } } }).books.pageInfo
      return [body(`{ books(first: ${pageSize}, after: "${startCursor}") { nodes { id name } } }`)]
    },
  },
  {
    name: 'levels',
    title: 'three levels from one page of 10',
    bodies: async () => [body('{ books(first: 10) { nodes { name publisher { name } authors { name books { name } } } } }')],
  },
  ...readQuestions,
]

interface BySize {
  readonly title: string
  readonly rows: readonly { readonly documents: number; readonly rounds: readonly Measured[] }[]
}

async function growthBySize(asked: readonly Question[], libraries: readonly Library[], load: LoadProcess, options: Options): Promise<BySize[]> {
  const results: BySize[] = []
  for (const { title, bodies } of asked) {
    options.progress(`Growth: ${title}`)
    const entries = await Promise.all(libraries.map(async (library) => ({ ...library, bodies: await bodies(library) })))
    const measured = await measureLoads(entries, load, options)
    results.push({ title, rows: entries.map((entry) => ({ documents: entry.documents, rounds: measured.get(entry)! })) })
  }
  return results
}

interface ByRows {
  readonly rows: number
  readonly rounds: readonly Measured[]
}

async function growthByRows({ server }: Library, load: LoadProcess, options: Options): Promise<ByRows[]> {
  options.progress('Growth: rows per answer')
  // One connection, because this measures the latency of an answer, not throughput.
  const entries = rowCounts.map((rows) => ({ rows, server, connections: 1, bodies: [body(`{ books(first: ${rows}) { nodes { id name } } }`)] }))
  const measured = await measureLoads(entries, load, options)
  return entries.map((entry) => ({ rows: entry.rows, rounds: measured.get(entry)! }))
}

function sizeTable({ title, rows }: BySize): string {
  const smallest = rows[0]!
  const head = ['documents', 'requests/s', 'p50 ms', 'p99 ms', `times ${whole(smallest.documents)} documents`, 'server CPU µs', 'times, by CPU']
  return `### Growth: ${title}\n\n${table(head, rows.map(({ documents, rounds }) => [
    whole(documents),
    whole(median(rounds.map(({ perSecond }) => perSecond))),
    middle(rounds.map(({ p50Ms }) => p50Ms)),
    middle(rounds.map(({ p99Ms }) => p99Ms)),
    times(ratio(rounds.map(({ perSecond }) => perSecond), smallest.rounds.map(({ perSecond }) => perSecond))),
    middle(rounds.map(({ serverCpuUs }) => serverCpuUs)),
    timesLess(rounds.map(({ serverCpuUs }) => serverCpuUs), smallest.rounds.map(({ serverCpuUs }) => serverCpuUs)),
  ]))}`
}

function rowsTable(results: readonly ByRows[]): string {
  const compared = results.find(({ rows }) => rows === comparedRows)!
  return `### Growth: rows per answer\n\n${table(
    ['rows', 'p50 ms', 'µs per row', `times ${whole(comparedRows)} rows`, 'server CPU µs per row', 'times, by CPU'],
    results.map((result) => [
      whole(result.rows),
      middle(result.rounds.map(({ p50Ms }) => p50Ms)),
      middle(perRowUs(result)),
      times(ratio(perRowUs(result), perRowUs(compared))),
      middle(perRowCpuUs(result)),
      timesKnown(perRowCpuUs(result), perRowCpuUs(compared)),
    ]),
  )}`
}

function perRowUs({ rows, rounds }: ByRows): number[] {
  return rounds.map(({ p50Ms }) => (p50Ms * 1000) / rows)
}

function perRowCpuUs({ rows, rounds }: ByRows): (number | undefined)[] {
  return rounds.map(({ serverCpuUs }) => (serverCpuUs === undefined ? undefined : serverCpuUs / rows))
}

/** The ids of a hundred books, spread evenly over the store. */
function spreadIds(documents: number): string[] {
  const { books } = sizesFor(documents)
  return Array.from({ length: 100 }, (_, at) => `b${Math.floor((at * books) / 100) + 1}`)
}

function body(query: string): string {
  return JSON.stringify({ query })
}
