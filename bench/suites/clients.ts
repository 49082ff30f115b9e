// Measures light reads by many keep-alive clients at once: 250 and 1,000, each with a connection of its own. Once every client
// sends its next request as soon as the last one is answered, so that as many requests wait as there are clients; and once all of
// them together send at half of that rate, as independent clients do. Nobody may be refused.

import { quireStart } from '../contenders.ts'
import { cachePath, removeDatabase, sampleLibrary, writeSampleDatabase } from '../data/sample.ts'
import { signIn } from '../data/sign-in.ts'
import { interleaved } from '../interleaved.ts'
import { LoadProcess } from '../load/load-process.ts'
import { howLoaded } from '../load/measure-loads.ts'
import type { PacedResult } from '../load/paced-load.ts'
import { short, table, times, whole } from '../report/table.ts'
import { startServer } from '../servers/start-server.ts'
import { median, ratio } from '../statistics.ts'
import { chosen, type Suite } from '../suite.ts'

const counts = [250, 1000]

const reads = [
  { name: 'point', title: 'one book by its id', query: 'query ($id: ID!) { book(id: $id) { id name year } }' },
  { name: 'authors', title: 'one book with its authors', query: 'query ($id: ID!) { book(id: $id) { name authors { name } } }' },
]

interface Entry {
  readonly clients: number
  readonly isPaced: boolean
}

export const clients: Suite = async (options) => {
  const { books } = await sampleLibrary()
  const { jwks } = await signIn()
  const database = await writeSampleDatabase('clients.db')
  const load = new LoadProcess()
  const server = await startServer(quireStart({ store: 'sqlite', jwks, database }, { QUIRE_LOG: 'warn' }))
  try {
    const results = []
    for (const { name, title, query } of chosen(reads, options)) {
      options.progress(`Clients: ${title}`)
      const bodies = books.slice(0, 100).map(({ id }) => JSON.stringify({ query, variables: { id } }))
      const shared = { port: server.port, bodies, seconds: options.seconds, goodWithinMs: 60_000 }
      const { goodPerSecond } = await load.peak({ ...shared, connections: counts[0]! })
      const entries: Entry[] = [false, true].flatMap((isPaced) => counts.map((count) => ({ clients: count, isPaced })))
      const measured = await interleaved(options.rounds, entries, ({ clients: connections, isPaced }) =>
        load.runPaced({ ...shared, connections, waits: true, opensFirst: true, ...(isPaced ? { perSecond: goodPerSecond / 2 } : {}) }))
      results.push({ name, title, rows: entries.map((entry) => ({ ...entry, rounds: measured.get(entry)! })) })
    }
    return {
      how: howLoaded(options),
      tables: results.map(({ title, rows }) => `### Clients: ${title}\n\n${resultTable(rows)}`).join('\n\n'),
      data: { results },
    }
  } finally {
    load.stop()
    await server.stop()
    removeDatabase(cachePath('clients.db'))
  }
}

interface Row extends Entry {
  readonly rounds: readonly PacedResult[]
}

function resultTable(rows: readonly Row[]): string {
  return table(['clients', 'each sends', 'answers/s', 'p50 ms', 'p99 ms', `p99, times ${counts[0]} clients`, 'all connected after ms', 'refused', 'failed'], rows.map((row) => {
    const fewest = rows.find(({ clients: count, isPaced }) => count === counts[0] && isPaced === row.isPaced)!
    return [
      whole(row.clients),
      row.isPaced ? 'at half of the rate' : 'without pause',
      whole(median(row.rounds.map(({ goodPerSecond }) => goodPerSecond))),
      short(median(row.rounds.map(({ p50Ms }) => p50Ms))),
      short(median(p99(row))),
      times(ratio(p99(row), p99(fewest))),
      whole(median(row.rounds.map(({ openedMs }) => openedMs))),
      whole(row.rounds.reduce((sum, { refused }) => sum + refused, 0)),
      whole(row.rounds.reduce((sum, { failed }) => sum + failed, 0)),
    ]
  }))
}

function p99({ rounds }: Row): number[] {
  return rounds.map(({ p99Ms }) => p99Ms)
}
