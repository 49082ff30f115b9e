// Compares Quire and its peers on the same documents and operations. Answers are compared in full before and after measuring. All
// servers run throughout, and the load goes to one after the other in short rounds, so that a slow moment of the machine affects
// all of them.

import { deepStrictEqual } from 'node:assert'
import { copyFileSync } from 'node:fs'
import type { Contender, Data } from '../contenders.ts'
import { cachePath, removeDatabase, sampleLibrary, writeCached, writeSampleDatabase } from '../data/sample.ts'
import { signIn, type SignIn } from '../data/sign-in.ts'
import { LoadProcess, type Measured } from '../load/load-process.ts'
import { defaultConnections, howLoaded, measureLoads, type LoadEntry } from '../load/measure-loads.ts'
import { bodiesOf, comparable, type Operation, type Request } from '../operations/operation.ts'
import type { Documents } from '../peers/documents.ts'
import type { Comparison, Row } from '../report/comparison.ts'
import { throughputChart } from '../report/throughput-chart.ts'
import { throughputTables } from '../report/throughput-tables.ts'
import { hasLogged, startServer, type Server } from '../servers/start-server.ts'
import type { Options, SuiteResult } from '../suite.ts'

interface Parts {
  readonly operations: readonly Operation[]
  readonly contenders: readonly Contender[]
}

/** `chart` is the name of its file. */
export async function compare(parts: Parts, chart: string, options: Options): Promise<SuiteResult> {
  const comparisons = await measureAll(parts, options)
  return { how: howLoaded(options), tables: throughputTables(comparisons), data: { connections: defaultConnections, comparisons }, charts: { [chart]: throughputChart(comparisons) } }
}

/** Every operation on every server, in memory and on SQLite. */
export async function measureAll({ operations, contenders }: Parts, options: Options): Promise<Comparison[]> {
  const documents = await sampleLibrary()
  const signedIn = await signIn()
  const load = new LoadProcess()
  const run: Run = { operations, documents, signedIn, load, options }
  try {
    const memory = { store: 'memory' as const, jwks: signedIn.jwks, documents: writeCached('sample.json', documents), answers: writeCached('answers.json', await fixedAnswers(operations, documents)) }
    const on = (store: Data['store']) => contenders.filter(({ stores }) => stores.includes(store))
    const inMemory = await compareOn('memory', on('memory'), () => memory, run)
    const sample = await writeSampleDatabase('sample.db')
    const onSqlite = await compareOn('sqlite', on('sqlite'), ({ name }) => ({ store: 'sqlite', jwks: signedIn.jwks, database: copyOf(sample, name) }), run)
    return [...inMemory, ...onSqlite]
  } finally {
    load.stop()
  }
}

interface Run {
  readonly operations: readonly Operation[]
  readonly documents: Documents
  readonly signedIn: SignIn
  readonly load: LoadProcess
  readonly options: Options
}

type Entry = Pick<Row, 'name' | 'title' | 'kind' | 'logs'> & LoadEntry & { readonly requests: readonly Request[] }

async function compareOn(store: Data['store'], contenders: readonly Contender[], dataOf: (contender: Contender) => Data, run: Run): Promise<Comparison[]> {
  const servers = new Map<Contender, Server>()
  try {
    for (const contender of contenders) {
      const logFile = cachePath(`${contender.name}.log`)
      servers.set(contender, await startServer({ ...contender.command(dataOf(contender)), logFile }))
    }
    const comparisons: Comparison[] = []
    for (const operation of run.operations) {
      const { name, title, query } = operation
      run.options.progress(`${title}, ${store}`)
      const rows = servers.size === 0 ? [] : await measure(operation, servers, run)
      if (rows.length > 0) comparisons.push({ store, operation: name, title, query, rows })
    }
    return comparisons
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()))
  }
}

async function measure(operation: Operation, servers: ReadonlyMap<Contender, Server>, { documents, signedIn, load, options }: Run): Promise<Row[]> {
  const requests = operation.requests(documents)
  const headers = operation.signedIn ? signedIn.headers : {}
  // A fixed answer cannot follow writes.
  const able = [...servers].filter(([{ kind }]) => kind !== 'ceiling' || !operation.writes)
  const entries = (await Promise.all(able.map(([contender, server]) => entriesOf(operation, requests, headers, contender, server)))).flat()
  for (const entry of entries) await checkAnswers(entry)
  const measured = await measureLoads(entries, load, options)
  for (const entry of entries) await checkLog(entry)
  for (const entry of entries) {
    if (operation.writes) await writeOriginals(entry)
    await checkAnswers(entry)
  }
  return entries.map((entry) => rowOf(entry, measured.get(entry)!))
}

/** Quire has two rows where snapshots can answer: with them, and without, since the peers have none. */
async function entriesOf({ lookedUp }: Operation, requests: readonly Request[], headers: Record<string, string>, { name, title, kind, logs }: Contender, server: Server): Promise<Entry[]> {
  const entry = async (sent: readonly Request[], suffix = '', variant = ''): Promise<Entry> =>
    ({ name: `${name}${suffix}`, title: `${title}${variant}`, kind, logs, server, headers, requests: sent, bodies: await bodiesOf(sent, (body) => server.ask(body, headers)) })
  if (kind !== 'quire' || lookedUp === undefined) return [await entry(requests)]
  return [await entry(requests, '', ', from snapshots'), await entry(requests.map((request) => ({ ...request, query: lookedUp })), '-looked-up', ', looked up')]
}

async function checkAnswers({ title, server, headers, requests, bodies }: Entry): Promise<void> {
  for (const [at, body] of bodies.entries()) {
    deepStrictEqual(comparable(await server.ask(body, headers)), comparable({ data: requests[at]!.expected }), `${title} gives a wrong answer to ${body}`)
  }
}

/** The load may have ended between a write and the one that undoes it. */
async function writeOriginals({ server, headers, requests, bodies }: Entry): Promise<void> {
  for (const [at, body] of bodies.entries()) if (requests[at]!.query.startsWith('mutation')) await server.ask(body, headers)
}

/** A row says whether it logs, so its log has to agree. */
async function checkLog({ title, logs, server }: Entry): Promise<void> {
  if (!logs && server.stderr() !== '') throw new Error(`${title} wrote a log: ${server.stderr().slice(0, 500)}`)
  if (logs && !(await hasLogged(server))) throw new Error(`${title} wrote no log`)
}

function rowOf({ name, title, kind, logs }: Entry, rounds: readonly Measured[]): Row {
  return {
    name, title, kind, logs,
    perSecond: rounds.map(({ perSecond }) => perSecond),
    p50Ms: rounds.map(({ p50Ms }) => p50Ms),
    p99Ms: rounds.map(({ p99Ms }) => p99Ms),
    p999Ms: rounds.map(({ p999Ms }) => p999Ms),
    longestMs: rounds.map(({ longestMs }) => longestMs),
    serverCpuUs: rounds.map(({ serverCpuUs }) => serverCpuUs),
    loadCpu: rounds.map(({ ownCpu }) => ownCpu),
  }
}

/** Each server writes to its own copy. */
function copyOf(database: string, name: string): string {
  const copy = cachePath(`sample-${name}.db`)
  removeDatabase(copy)
  copyFileSync(database, copy)
  return copy
}

/** The prepared answers of peers/fixed.ts, by request body. */
async function fixedAnswers(operations: readonly Operation[], documents: Documents): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const operation of operations.filter(({ writes }) => !writes)) {
    const requests = operation.requests(documents)
    const bodies = await bodiesOf(requests, async (_, at) => ({ data: requests[at]!.expected }))
    for (const [at, body] of bodies.entries()) answers[body] = JSON.stringify({ data: requests[at]!.expected })
  }
  return answers
}
