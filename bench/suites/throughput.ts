// Compares requests per second of Quire and its peers on the same documents and operations. Answers are compared in full before
// and after measuring. All servers run throughout, and the load goes to one after the other in short rounds, so that a slow moment
// of the machine affects all of them.

import { deepStrictEqual } from 'node:assert'
import { contenders, type Contender, type Data } from '../contenders.ts'
import { sampleLibrary, writeCached, writeSampleDatabase } from '../data/sample.ts'
import { LoadProcess, type Measured } from '../load/load-process.ts'
import { howLoaded, measureLoads, defaultConnections, type LoadEntry } from '../load/measure-loads.ts'
import { comparable, operations, requestsFor, type Operation } from '../operations.ts'
import type { Documents } from '../peers/library.ts'
import { throughputChart } from '../report/throughput-chart.ts'
import { throughputTables } from '../report/throughput-tables.ts'
import { startServer, type Server } from '../servers/start-server.ts'
import { chosen, type Options, type Suite } from '../suite.ts'

/** One row of a table: a server and one variant of the operation. */
export interface Row {
  readonly name: string
  readonly title: string
  readonly kind: Contender['kind']
  /** This list and those below have one number per round. */
  readonly perSecond: readonly number[]
  readonly p50Ms: readonly number[]
  readonly p99Ms: readonly number[]
  readonly serverCpuUs: readonly (number | undefined)[]
  readonly loadCpu: readonly number[]
}

export interface Comparison {
  readonly store: Data['store']
  readonly operation: string
  readonly title: string
  readonly query: string
  readonly rows: readonly Row[]
}

export const throughput: Suite = async (options) => {
  const documents = await sampleLibrary()
  const entrants = chosen(contenders, options)
  const memory: Data = { store: 'memory', documents: writeCached('sample.json', documents), answers: writeCached('answers.json', await fixedAnswers(documents)) }
  const load = new LoadProcess()
  try {
    const inMemory = await compare(memory, entrants, documents, load, options)
    const onSqlite = entrants.filter((contender) => contender.onSqlite)
    const sqlite: Data = { store: 'sqlite', database: await writeSampleDatabase('sample.db') }
    const comparisons = [...inMemory, ...(await compare(sqlite, onSqlite, documents, load, options))]
    return { how: howLoaded(options), tables: throughputTables(comparisons), data: { connections: defaultConnections, comparisons }, charts: { 'throughput.svg': throughputChart(comparisons) } }
  } finally {
    load.stop()
  }
}

type Entry = Pick<Row, 'name' | 'title' | 'kind'> & LoadEntry

async function compare(data: Data, entrants: readonly Contender[], documents: Documents, load: LoadProcess, options: Options): Promise<Comparison[]> {
  const servers = new Map<Contender, Server>()
  try {
    for (const contender of entrants) servers.set(contender, await startServer(contender.command(data)))
    const comparisons: Comparison[] = []
    for (const operation of operations) {
      options.progress(`${operation.title}, ${data.store}`)
      comparisons.push({ store: data.store, operation: operation.name, title: operation.title, query: operation.query, rows: await measure(operation, servers, documents, load, options) })
    }
    return comparisons
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()))
  }
}

async function measure(operation: Operation, servers: ReadonlyMap<Contender, Server>, documents: Documents, load: LoadProcess, options: Options): Promise<Row[]> {
  const expected = operation.expected(documents)
  const entries = (await Promise.all([...servers].map(([contender, server]) => entriesOf(operation, contender, server)))).flat()
  for (const entry of entries) await checkAnswers(entry, expected)
  const measured = await measureLoads(entries, load, options)
  for (const entry of entries) await checkAnswers(entry, expected)
  return entries.map((entry) => rowOf(entry, measured.get(entry)!))
}

/** Quire has two rows where snapshots can answer: with them, and without, since the peers have none. */
async function entriesOf({ query, lookedUp, pages }: Operation, { name, title, kind }: Contender, server: Server): Promise<Entry[]> {
  const entry = async (text: string, suffix = '', variant = ''): Promise<Entry> =>
    ({ name: `${name}${suffix}`, title: `${title}${variant}`, kind, server, bodies: await requestsFor(text, { pages }, server.ask) })
  if (kind !== 'quire' || lookedUp === undefined) return [await entry(query)]
  return [await entry(query, '', ', from copies'), await entry(lookedUp, '-looked-up', ', looked up')]
}

async function checkAnswers({ title, server, bodies }: Entry, expected: readonly unknown[]): Promise<void> {
  for (const [at, body] of bodies.entries()) {
    deepStrictEqual(comparable(await server.ask(body)), comparable({ data: expected[at] }), `${title} gives a wrong answer to ${body}`)
  }
}

function rowOf({ name, title, kind }: Entry, rounds: readonly Measured[]): Row {
  return {
    name, title, kind,
    perSecond: rounds.map(({ perSecond }) => perSecond),
    p50Ms: rounds.map(({ p50Ms }) => p50Ms),
    p99Ms: rounds.map(({ p99Ms }) => p99Ms),
    serverCpuUs: rounds.map(({ serverCpuUs }) => serverCpuUs),
    loadCpu: rounds.map(({ ownCpu }) => ownCpu),
  }
}

/** The prepared answers of peers/fixed.ts, by request body. */
async function fixedAnswers(documents: Documents): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const operation of operations) {
    const expected = operation.expected(documents).map((data) => ({ data }))
    let next = 0
    const bodies = await requestsFor(operation.query, operation, async () => expected[next++]!)
    for (const [at, body] of bodies.entries()) answers[body] = JSON.stringify(expected[at])
  }
  return answers
}
