// The reads of the growth suite that a client may choose freely: documents that are hardly ever cached, conditions on one field
// in the order of another, and a light request beside many heavy ones. growth.ts measures them.

import { createRandom } from '../../schema/library/sample/random.ts'
import { sizesFor } from '../data/library-at-size.ts'
import type { LoadProcess } from '../load/load-process.ts'
import { runPlainGets } from '../load/plain-gets.ts'
import { WaitingClients } from '../load/waiting-clients.ts'
import { table, whole } from '../report/table.ts'
import type { Server } from '../servers/start-server.ts'
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

export interface BesideSlow {
  readonly documents: number
  readonly slowClients: number
  readonly light: { readonly p50Ms: number; readonly p99Ms: number }
  readonly health: { readonly p50Ms: number; readonly p99Ms: number }
  readonly slow: { readonly answered: number; readonly refused: number; readonly failed: number }
}

/** A light page and `/health`, each from one client, while slow clients ask for pages that no index leads to. No index leads to the light one either, but its walk is soon over. */
export async function besideSlowClients({ documents, server }: Library, load: LoadProcess, { seconds }: Options): Promise<BesideSlow[]> {
  const results: BesideSlow[] = []
  for (const slowClients of [0, 20, 100]) {
    const light = lightLoad(server.port, seconds, slowClients)
    // Each with a value of its own, so that no result is remembered.
    const slow = new WaitingClients(server.port, (at) => body('query($id: ID!) { books(first: 10, filter: { not: { or: [{ name: { startsWith: "" } }, { id: { eq: $id } }] } }, orderBy: { field: NAME }) { nodes { id } } }', { id: `none${at}` }))
    slow.begin(slowClients)
    try {
      const [asked, health] = await Promise.all([load.run(light, server.pid), runPlainGets(server.port, '/health', seconds)])
      results.push({ documents, slowClients, light: { p50Ms: asked.p50Ms, p99Ms: asked.p99Ms }, health, slow: slow.counts() })
    } finally {
      await slow.end()
    }
  }
  return results
}

/** Each request has a value of its own, so that no result is remembered. */
function lightLoad(port: number, seconds: number, run: number) {
  const query = 'query($id: ID!) { books(first: 10, filter: { year: { gt: 1990 }, not: { publisherId: { eq: $id } } }, orderBy: { field: NAME }) { nodes { name } } }'
  return { port, connections: 1, seconds, answers: 'no errors' as const, bodies: Array.from({ length: 50_000 }, (_, at) => body(query, { id: `none ${run} ${at}` })) }
}

export function besideSlowTable(results: readonly BesideSlow[]): string {
  return `### Growth: beside slow clients, ${whole(results[0]!.documents)} documents\n\n${table(
    ['slow clients', 'light page p50 ms', 'p99 ms', '/health p50 ms', 'p99 ms', 'slow: answered', 'refused', 'failed'],
    results.map(({ slowClients, light, health, slow }) => [whole(slowClients), ms(light.p50Ms), ms(light.p99Ms), ms(health.p50Ms), ms(health.p99Ms), whole(slow.answered), whole(slow.refused), whole(slow.failed)]),
  )}`
}

function ms(value: number): string {
  return value.toFixed(1)
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
