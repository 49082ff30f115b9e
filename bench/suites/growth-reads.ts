// The reads of the growth suite that a client may choose freely: documents that are hardly ever cached, conditions on one field
// in the order of another, and documents with very many others behind them. growth.ts measures them.

import { createRandom } from '../../schema/library/sample/random.ts'
import { sizesFor } from '../data/library-at-size.ts'
import type { LoadProcess } from '../load/load-process.ts'
import { fewBooks, writePress } from '../data/press-database.ts'
import { removeDatabase } from '../data/sample.ts'
import { short, table, whole } from '../report/table.ts'
import { startPress } from '../servers/start-press.ts'
import type { Server } from '../servers/start-server.ts'
import { median } from '../statistics.ts'
import type { Options } from '../suite.ts'

/** A request, and what it is called. */
export interface Question {
  readonly name: string
  readonly title: string
  readonly bodies: (library: Library) => Promise<string[]>
}

export interface Library {
  readonly documents: number
  readonly server: Server
}

/** How many different ids or values each question has. */
const spread = 20_000

const evenly: readonly Question[] = [
  {
    name: 'author',
    title: 'an author with the books, any author',
    bodies: async ({ documents }) => numbers(sizesFor(documents).authors).map((at) => body(`query($id: ID!) { author(id: $id) { name books { name year } } }`, { id: `a${at}` })),
  },
  {
    name: 'four-levels',
    title: 'four levels from one book, any book',
    bodies: async ({ documents }) => numbers(sizesFor(documents).books).map((at) => body(`query($id: ID!) { book(id: $id) { name authors @read(from: REFERENCE) { name books { name publisher { name } } } } }`, { id: `b${at}` })),
  },
  {
    name: 'equality',
    title: 'the books of a publisher in the order of years, any publisher',
    bodies: async ({ documents }) => numbers(sizesFor(documents).publishers).map((at) => body(`query($id: ID!) { books(first: 20, filter: { publisherId: { eq: $id } }, orderBy: { field: YEAR }) { nodes { id name year } } }`, { id: `p${at}` })),
  },
  {
    name: 'alternatives',
    title: 'books of a publisher or an author, in the order of names',
    bodies: async ({ documents }) => numbers(sizesFor(documents).publishers).map((at) => body(`query($id: ID!, $author: ID!) { books(first: 20, filter: { or: [{ publisherId: { eq: $id } }, { authorIds: { contains: $author } }] }, orderBy: { field: NAME }) { nodes { id name } } }`, { id: `p${at}`, author: `a${at}` })),
  },
]

/** Each asked evenly, where a large store has more documents than its cache, and as people ask: a few often, most seldom. */
export const readQuestions: readonly Question[] = evenly.flatMap((question) => [
  question,
  { name: `${question.name}-skewed`, title: `${question.title}, a few of them often`, bodies: async (library) => skewed(await question.bodies(library)) },
])

export interface SkewRow {
  readonly title: string
  readonly few: number
  readonly many: number
}

/** The same request for a publisher or an author of few books and of many, one client each: milliseconds at the median. */
export async function measureSkew(books: number, load: LoadProcess, { rounds, seconds, progress }: Options): Promise<SkewRow[]> {
  progress(`Growth: a publisher of ${whole(books)} books`)
  const file = await writePress('growth-skew.db', books)
  const server = await startPress(file, 'together')
  try {
    const rows: SkewRow[] = []
    for (const { title, query } of skewQuestions) {
      const p50Ms = async (id: string): Promise<number> => {
        const bodies = Array.from({ length: 100 }, (_, at) => body(query, { id, first: 20 + (at % 10) }))
        const measured = []
        for (let round = 0; round < rounds; round++) measured.push(await load.run({ port: server.port, bodies, connections: 1, seconds }, server.pid))
        return median(measured.map((each) => each.p50Ms))
      }
      rows.push({ title, few: await p50Ms('few'), many: await p50Ms('many') })
    }
    return rows
  } finally {
    await server.stop()
    removeDatabase(file)
  }
}

const skewQuestions = [
  { title: 'a page of its books, with their number', query: 'query($id: ID!, $first: Int!) { publisher(id: $id) { name countOfBooks books(first: $first) { nodes { name } } } }' },
  { title: 'a page by publisher, in the order of names', query: 'query($id: ID!, $first: Int!) { books(first: $first, filter: { publisherId: { eq: $id } }, orderBy: { field: NAME }) { nodes { name } } }' },
  { title: 'a page by author', query: 'query($id: ID!, $first: Int!) { books(first: $first, filter: { authorIds: { contains: $id } }) { nodes { name authors { name } } } }' },
]

export function skewTable(books: number, rows: readonly SkewRow[]): string {
  return `### Growth: of ${whole(fewBooks)} books and of ${whole(books)}, in one store\n\n${table(
    ['request', `p50 ms, ${whole(fewBooks)} books`, `p50 ms, ${whole(books)} books`, 'times'],
    rows.map(({ title, few, many }) => [title, short(few), short(many), short(many / few)]),
  )}`
}

/** The nth most popular is asked one nth as often as the first. Which are popular has nothing to do with where they are stored. */
function skewed(bodies: readonly string[]): string[] {
  const random = createRandom(24)
  const ranked = bodies.map((each) => ({ each, at: random.below(bodies.length) })).toSorted((one, other) => one.at - other.at)
  return Array.from({ length: 2 * spread }, () => ranked[Math.floor((bodies.length + 1) ** (random.below(resolution) / resolution)) - 1]!.each)
}

const resolution = 1_000_000

/** Numbers from 1 to `count`, spread evenly. */
function numbers(count: number): number[] {
  const many = Math.min(spread, count)
  return Array.from({ length: many }, (_, at) => Math.floor((at * count) / many) + 1)
}

function body(query: string, variables?: object): string {
  return JSON.stringify({ query, ...(variables ? { variables } : {}) })
}
