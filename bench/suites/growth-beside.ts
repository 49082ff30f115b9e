// A light request while others ask for much: pages that no index leads to, which run on threads; operations with a high planned cost,
// which take turns with light ones on the event loop; and clients that read the whole store page by page. growth.ts runs it.

import { setTimeout as pause } from 'node:timers/promises'
import type { LoadProcess } from '../load/load-process.ts'
import { runPlainGets } from '../load/plain-gets.ts'
import { WaitingClients } from '../load/waiting-clients.ts'
import { short, table, whole } from '../report/table.ts'
import type { Options } from '../suite.ts'
import type { Library } from './growth-reads.ts'

/** Who asks for much, and who asks for little meanwhile. */
interface Beside {
  readonly name: 'slow' | 'costly' | 'scans'
  readonly title: string
  readonly clients: readonly number[]
  /** Of the light client; each request has a number of its own. */
  readonly light: (at: number) => string
  /** Begins so many clients; `end` returns what they got. */
  readonly begin: (library: Library, clients: number) => { readonly end: () => Promise<Heavy> }
}

interface Heavy {
  readonly answered: number
  readonly refused: number
  readonly failed: number
}

const point = (at: number): string => body('query($id: ID!) { book(id: $id) { name } }', { id: `b${(at % 100) + 1}` })

/** Values differ from request to request where a result would be remembered otherwise. */
export const besides: readonly Beside[] = [
  {
    name: 'slow',
    title: 'a page without an index that is soon full, beside clients whose pages never are',
    clients: [0, 20, 100],
    light: (at) => body('query($id: ID!) { books(first: 10, filter: { year: { gt: 1990 }, not: { publisherId: { eq: $id } } }, orderBy: { field: NAME }) { nodes { name } } }', { id: `none ${at}` }),
    begin: (library, clients) => waiting(library, clients, (at) => body('query($id: ID!) { books(first: 10, filter: { not: { or: [{ name: { startsWith: "" } }, { id: { eq: $id } }] } }, orderBy: { field: NAME }) { nodes { id } } }', { id: `none${at}` })),
  },
  {
    name: 'costly',
    title: 'one book, beside clients with a planned cost of thousands of RU',
    clients: [0, 20, 100],
    light: point,
    begin: (library, clients) => waiting(library, clients, () => body('{ books(first: 50) { nodes { name authors { name books { name publisher { name } } } } } }')),
  },
  { name: 'scans', title: 'one of a hundred books, beside clients that read all books page by page', clients: [0, 1, 4], light: point, begin: scanning },
]

export interface BesideRow {
  readonly clients: number
  readonly light: { readonly p50Ms: number; readonly p99Ms: number }
  readonly health: { readonly p50Ms: number; readonly p99Ms: number }
  readonly heavy: Heavy
}

/** The light client and one that asks for `/health`, with nobody else first. */
export async function measureBeside({ title, clients, light, begin }: Beside, library: Library, load: LoadProcess, { seconds, progress }: Options): Promise<BesideRow[]> {
  const { port, pid } = library.server
  const rows: BesideRow[] = []
  let asked = 0
  for (const count of clients) {
    progress(`Growth: ${title}: ${count}`)
    const bodies = Array.from({ length: 50_000 }, () => light(asked++))
    const heavy = begin(library, count)
    const [measured, health] = await Promise.all([load.run({ port, connections: 1, seconds, answers: 'no errors', bodies }, pid), runPlainGets(port, '/health', seconds)])
    rows.push({ clients: count, light: { p50Ms: measured.p50Ms, p99Ms: measured.p99Ms }, health, heavy: await heavy.end() })
  }
  return rows
}

export function besideTable({ title }: Beside, documents: number, rows: readonly BesideRow[]): string {
  return `### Growth: ${title}, ${whole(documents)} documents\n\n${table(
    ['other clients', 'light p50 ms', 'p99 ms', '/health p50 ms', 'p99 ms', 'others: answered', 'refused', 'failed'],
    rows.map(({ clients, light, health, heavy }) => [whole(clients), ...[light.p50Ms, light.p99Ms, health.p50Ms, health.p99Ms].map(short), whole(heavy.answered), whole(heavy.refused), whole(heavy.failed)]),
  )}`
}

function waiting({ server }: Library, clients: number, bodyOf: (at: number) => string): { readonly end: () => Promise<Heavy> } {
  const heavy = new WaitingClients(server.port, bodyOf)
  heavy.begin(clients)
  return {
    end: async () => {
      await heavy.end()
      return heavy.counts()
    },
  }
}

/** Clients that follow the cursors of all books, and begin again at the end. */
function scanning({ server }: Library, clients: number): { readonly end: () => Promise<Heavy> } {
  const counts = { answered: 0, refused: 0, failed: 0 }
  let isOver = false
  const scan = async (): Promise<void> => {
    let after: string | null = null
    while (true) {
      if (isOver) return
      const answer = (await server.ask(body('query($after: String) { books(first: 500, after: $after) { pageInfo { endCursor hasNextPage } nodes { name } } }', { after }))) as { data?: { books: { pageInfo: { endCursor: string; hasNextPage: boolean } } } }
      counts[answer.data ? 'answered' : 'failed']++
      after = answer.data?.books.pageInfo.hasNextPage ? answer.data.books.pageInfo.endCursor : null
      // The light client shares this machine.
      await pause(1)
    }
  }
  const running = Array.from({ length: clients }, scan)
  return {
    end: async () => {
      isOver = true
      await Promise.all(running)
      return counts
    },
  }
}

function body(query: string, variables?: object): string {
  return JSON.stringify({ query, ...(variables ? { variables } : {}) })
}
