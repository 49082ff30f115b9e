// Measures light reads by many keep-alive clients at once: 250 and 1,000, each with a connection of its own. Once every client
// sends its next request as soon as the last one is answered, so that as many requests wait as there are clients; and once all of
// them together send at half of that rate, as independent clients do. Nobody may be refused.
//
// Without pause, four times as many clients wait four times as long wherever one thread serves them: that is the length of the line. So
// node:http with a fixed answer runs under the same load. What Quire adds is the difference between the two.

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** Both answer the same requests. */
const servers = { quire: 'Quire', fixed: 'node:http, a fixed answer' } as const

const reads = [
  { name: 'point', title: 'one book by its id', query: 'query ($id: ID!) { book(id: $id) { id name year } }' },
  { name: 'authors', title: 'one book with its authors', query: 'query ($id: ID!) { book(id: $id) { name authors { name } } }' },
]

interface Entry {
  readonly server: keyof typeof servers
  readonly clients: number
  readonly isPaced: boolean
}

export const clients: Suite = async (options) => {
  const { books } = await sampleLibrary()
  const { jwks } = await signIn()
  const database = await writeSampleDatabase('clients.db')
  const load = new LoadProcess()
  const quire = await startServer(quireStart({ store: 'sqlite', jwks, database }, { QUIRE_LOG: 'warn' }))
  const answers = cachePath('clients-answers.json')
  try {
    const results = []
    for (const { name, title, query } of chosen(reads, options)) {
      options.progress(`Clients: ${title}`)
      const bodies = books.slice(0, 100).map(({ id }) => JSON.stringify({ query, variables: { id } }))
      writeFileSync(answers, JSON.stringify(Object.fromEntries(await Promise.all(bodies.map(async (body) => [body, JSON.stringify(await quire.ask(body))])))))
      const fixed = await startServer({ args: [join(import.meta.dirname, '../peers/fixed.ts')], env: { BENCH_ANSWERS: answers } })
      try {
        const shared = { bodies, seconds: options.seconds, goodWithinMs: 60_000 }
        const { goodPerSecond } = await load.peak({ ...shared, port: quire.port, connections: counts[0]! })
        const entries = Object.keys(servers).flatMap((server) => [false, true].flatMap((isPaced) => counts.map((count) => ({ server, clients: count, isPaced })))) as Entry[]
        const measured = await interleaved(options.rounds, entries, ({ server, clients: connections, isPaced }) =>
          load.runPaced({ ...shared, port: (server === 'quire' ? quire : fixed).port, connections, waits: true, opensFirst: true, ...(isPaced ? { perSecond: goodPerSecond / 2 } : {}) }))
        results.push({ name, title, rows: entries.map((entry) => ({ ...entry, rounds: measured.get(entry)! })) })
      } finally {
        await fixed.stop()
      }
    }
    return {
      how: howLoaded(options),
      tables: results.map(({ title, rows }) => `### Clients: ${title}\n\n${resultTable(rows)}`).join('\n\n'),
      data: { results },
    }
  } finally {
    load.stop()
    await quire.stop()
    removeDatabase(cachePath('clients.db'))
    rmSync(answers, { force: true })
  }
}

interface Row extends Entry {
  readonly rounds: readonly PacedResult[]
}

function resultTable(rows: readonly Row[]): string {
  return table(['server', 'clients', 'each sends', 'answers/s', 'p50 ms', 'p99 ms', `p99, times ${counts[0]} clients`, 'all connected after ms', 'refused', 'failed'], rows.map((row) => {
    const fewest = rows.find(({ server, clients: count, isPaced }) => server === row.server && count === counts[0] && isPaced === row.isPaced)!
    return [
      servers[row.server],
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
