// Measures durable writes per second through the gateway, by one client and by 32. The baseline is SQLite alone: commits with
// synchronous = FULL of as many documents. Both write to new files in the same folder. No answer may contain an error, and the
// documents are counted afterwards.

import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CostReport } from '../../src/observe/cost-report.ts'
import { databaseOfSize } from '../data/database-at-size.ts'
import { sizesFor, type Sizes } from '../data/library-at-size.ts'
import { cachePath, removeDatabase } from '../data/sample.ts'
import { interleaved } from '../interleaved.ts'
import { LoadProcess } from '../load/load-process.ts'
import { howLoaded } from '../load/measure-loads.ts'
import { mutations, type Mutation } from '../mutations.ts'
import { middle, table, times, whole } from '../report/table.ts'
import type { Commits } from '../servers/bare-commits.ts'
import { startQuire } from '../servers/start-quire.ts'
import { pinnedTo, type Server } from '../servers/start-server.ts'
import { median, ratio } from '../statistics.ts'
import { chosen, type Options, type Suite } from '../suite.ts'

const clients = [1, 32]

export const writes: Suite = async (options) => {
  const size = options.quick ? 10_000 : 100_000
  const database = cachePath('writes.db')
  removeDatabase(database)
  copyFileSync(await databaseOfSize(size, options.progress), database)
  const load = new LoadProcess()
  const server = await startQuire(`sqlite:${database}`, { openWrites: true })
  try {
    const results = []
    for (const mutation of chosen(mutations, options)) {
      options.progress(`Writes: ${mutation.title}`)
      results.push(await measure(mutation, sizesFor(size), averageBytes(database), server, load, options))
    }
    return { how: howLoaded(options), tables: results.map((result) => `### Writes: ${result.title}\n\n${writesTable(result)}`).join('\n\n'), data: { documents: size, results } }
  } finally {
    load.stop()
    await server.stop()
    removeDatabase(database)
  }
}

/** The measurements of one writer in one round. */
interface Round {
  readonly perSecond: number
  readonly p50Ms: number | undefined
  readonly p99Ms: number | undefined
}

interface Result {
  readonly title: string
  readonly documents: number
  readonly ways: readonly { readonly title: string; readonly rounds: readonly Round[] }[]
}

async function measure(mutation: Mutation, sizes: Sizes, bytes: number, server: Server, load: LoadProcess, { rounds, seconds }: Options): Promise<Result> {
  // As many requests as authors, sent in rotation: each author's list of books grows by a few entries only, and documents stay about
  // as large as those that SQLite alone writes.
  const bodies = Array.from({ length: sizes.authors }, (_, at) => JSON.stringify({ query: mutation.query, variables: { input: mutation.input(at, sizes) } }))
  const documents = await documentsTouched(server, bodies[0]!)
  const through = (connections: number) => async (): Promise<Round> => {
    const before = await counted(server, mutation)
    const { answered, ...round } = await load.run({ port: server.port, bodies, connections, seconds, answers: 'no errors' }, server.pid)
    const added = (await counted(server, mutation)) - before
    if (mutation.adds && added !== answered) throw new Error(`Wrong number of ${mutation.adds}: ${answered} writes were acknowledged, but ${added} were added.`)
    return round
  }
  const ways = [
    { title: 'SQLite alone, one after the other', run: async (): Promise<Round> => bareCommits(documents, bytes, seconds) },
    ...clients.map((count) => ({ title: `Quire, ${count === 1 ? 'one client' : `${count} clients`}`, run: through(count) })),
  ]
  await interleaved(1, ways, ({ run }) => run())
  const measured = await interleaved(rounds, ways, ({ run }) => run())
  return { title: mutation.title, documents, ways: ways.map((way) => ({ title: way.title, rounds: measured.get(way)! })) }
}

async function documentsTouched(server: Server, body: string): Promise<number> {
  const { extensions } = (await server.ask(body, { 'quire-trace': '1' })) as { extensions?: { quire: CostReport } }
  const written = extensions!.quire.calls.filter(({ operation }) => operation === 'write')
  return written.reduce((sum, call) => sum + call.documents, 0)
}

async function counted(server: Server, { adds }: Mutation): Promise<number> {
  if (adds === undefined) return 0
  const { data } = await server.ask(JSON.stringify({ query: `{ ${adds} { totalCount } }` }))
  return (data as Record<string, { totalCount: number }>)[adds]!.totalCount
}

function bareCommits(documents: number, bytes: number, seconds: number): Round {
  const file = cachePath('bare.db')
  const [command, ...args] = pinnedTo(0, ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../servers/bare-commits.ts'), file, ...[documents, bytes, seconds].map(String)])
  const { stdout, stderr, status } = spawnSync(command, args, { encoding: 'utf8' })
  removeDatabase(file)
  if (status !== 0) throw new Error(`Measuring SQLite alone failed: ${stderr}`)
  const { commits, seconds: taken } = JSON.parse(stdout) as Commits
  return { perSecond: commits / taken, p50Ms: undefined, p99Ms: undefined }
}

function averageBytes(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true })
  const row = database.prepare('SELECT avg(bytes) AS bytes FROM books').get()
  database.close()
  return Math.round(Number(row!['bytes']))
}

function writesTable({ documents, ways }: Result): string {
  return table(['written by', 'documents each', 'writes/s', 'p50 ms', 'p99 ms', 'times SQLite alone'], ways.map(({ title, rounds }) => [
    title,
    whole(documents),
    whole(median(perSecond(rounds))),
    middle(rounds.map(({ p50Ms }) => p50Ms)),
    middle(rounds.map(({ p99Ms }) => p99Ms)),
    times(ratio(perSecond(rounds), perSecond(ways[0]!.rounds))),
  ]))
}

function perSecond(rounds: readonly Round[]): number[] {
  return rounds.map((round) => round.perSecond)
}
