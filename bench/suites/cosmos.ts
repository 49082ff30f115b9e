// Compares Quire with a gateway that a team would write by hand, both over the same Cosmos DB protocol server, which runs in its own process
// and answers at once or after 5 ms. The server's log says how many requests and RU an operation takes, and what a gateway at rest sends.
// Answers are compared in full before and after measuring.

import { deepStrictEqual } from 'node:assert'
import { setTimeout as pause } from 'node:timers/promises'
import { join } from 'node:path'
import { cachePath, sampleLibrary } from '../data/sample.ts'
import { namedOrAll } from '../chosen-parts.ts'
import { installPeers } from '../install-peers.ts'
import { interleaved } from '../interleaved.ts'
import { LoadProcess, type Measured } from '../load/load-process.ts'
import { defaultConnections, howLoaded } from '../load/measure-loads.ts'
import { sameRequests } from '../operations/same.ts'
import type { Documents } from '../peers/documents.ts'
import { comparisonTable, idleTable, type CosmosRow, type IdleRow } from '../report/cosmos-tables.ts'
import { CosmosProcess } from '../servers/cosmos-server.ts'
import { startServer, type Server, type ServerCommand } from '../servers/start-server.ts'
import { chosen, type Options, type Suite } from '../suite.ts'

const latencies = [{ name: '0ms', latencyMs: 0 }, { name: '5ms', latencyMs: 5 }]

/** A gateway reads the change feed every 40 seconds once it has found nothing new for this long. */
const restAfterMs = 90_000
const feedIntervalMs = 40_000

const root = join(import.meta.dirname, '../..')

export const cosmos: Suite = async (options) => {
  const parts = chosenParts(options)
  installPeers()
  const documents = await sampleLibrary()
  const load = new LoadProcess()
  const service = await CosmosProcess.start()
  const gateways: Gateway[] = []
  try {
    // Quire first: it fills the database that both read.
    for (const each of commands) gateways.push({ ...each, server: await startServer({ ...each.command(service), logFile: cachePath(`cosmos-${each.name}.log`) }) })
    const restsAt = Date.now() + restAfterMs
    await untilQuiet(service)
    const run: Run = { documents, gateways, load, service, options }
    const comparisons: Comparison[] = []
    for (const { latencyMs } of parts.latencies) {
      await service.setLatency(latencyMs)
      for (const variant of parts.variants) {
        options.progress(`${variant.title}, requests to Cosmos DB take ${latencyMs} ms`)
        comparisons.push({ latencyMs, operation: variant.name, title: variant.title, rows: await measure(variant, run) })
      }
    }
    const idle = parts.idle ? await measureIdle(run, restsAt) : []
    const tables = [
      ...comparisons.map(({ latencyMs, title, rows }) => `### ${title}, requests to Cosmos DB take ${latencyMs} ms\n\n${comparisonTable(rows)}`),
      ...(idle.length > 0 ? [`### A gateway at rest\n\n${idleTable(idle)}`] : []),
    ].join('\n\n')
    return { how: howLoaded(options), tables, data: { connections: defaultConnections, comparisons, idle } }
  } finally {
    load.stop()
    await Promise.all(gateways.map(({ server }) => server.stop()))
    service.stop()
  }
}

interface Variant {
  readonly name: string
  readonly title: string
  readonly operation: string
  /** Whether Quire may answer from snapshots, which the other gateway does not have. */
  readonly fromSnapshots: boolean
}

const variants: readonly Variant[] = [
  { name: 'A-looked-up', title: 'A: fifty books with their authors, looked up', operation: 'A', fromSnapshots: false },
  { name: 'A', title: 'A: fifty books with their authors, from snapshots', operation: 'A', fromSnapshots: true },
  { name: 'B', title: 'B: fifty books, their authors, all books of those, and their publishers', operation: 'B', fromSnapshots: false },
  { name: 'point', title: 'point: one book by its id', operation: 'point', fromSnapshots: false },
]

/** What `--only` names: operations, latencies, and the gateway at rest. */
function chosenParts(options: Options) {
  const names = new Set(chosen([...variants, ...latencies, { name: 'idle' }], options).map(({ name }) => name))
  const some = variants.filter(({ name }) => names.has(name))
  const idle = names.has('idle')
  return { variants: some.length > 0 || idle ? some : variants, latencies: namedOrAll(latencies, names), idle }
}

interface Command {
  readonly name: 'quire' | 'hand-written'
  readonly title: string
  readonly command: (service: CosmosProcess) => ServerCommand
}

const commands: readonly Command[] = [
  {
    name: 'quire', title: 'Quire, log',
    // No QUIRE_LOG: the default of `quire start`.
    command: ({ endpoint, key }) => ({ args: [join(root, 'bin/quire.js'), 'start'], cwd: root, env: { QUIRE_LOG: undefined, QUIRE_STORE: 'cosmos', COSMOS_ENDPOINT: endpoint, COSMOS_KEY: key } }),
  },
  {
    name: 'hand-written', title: 'Yoga, DataLoader, SDK, log',
    command: ({ endpoint, key }) => ({ args: [join(root, 'bench/peers/cosmos-yoga.ts')], env: { BENCH_LOG: 'info', COSMOS_ENDPOINT: endpoint, COSMOS_KEY: key } }),
  },
]

type Gateway = Command & { readonly server: Server }

interface Run {
  readonly documents: Documents
  readonly gateways: readonly Gateway[]
  readonly load: LoadProcess
  readonly service: CosmosProcess
  readonly options: Options
}

interface Comparison {
  readonly latencyMs: number
  readonly operation: string
  readonly title: string
  readonly rows: readonly CosmosRow[]
}

async function measure({ operation: name, fromSnapshots }: Variant, { documents, gateways, load, service, options }: Run): Promise<CosmosRow[]> {
  const operation = sameRequests.find((each) => each.name === name)!
  const { query, expected } = operation.requests(documents)[0]!
  const entries = gateways.map((gateway) => {
    const text = gateway.name === 'quire' && !fromSnapshots ? (operation.lookedUp ?? query) : query
    return { gateway, body: JSON.stringify({ query: text }) }
  })
  const check = async (): Promise<void> => {
    for (const { gateway, body } of entries) deepStrictEqual(await gateway.server.ask(body), { data: expected }, `${gateway.title} gives a wrong answer to ${body}`)
  }
  const loaded = async ({ gateway: { server }, body }: (typeof entries)[number]): Promise<Round> => {
    server.emptyLog()
    await service.takeTraffic()
    const measured = await load.run({ port: server.port, bodies: [body], connections: defaultConnections, seconds: options.seconds }, server.pid)
    const { reads } = await service.takeTraffic()
    return { ...measured, requests: reads.requests / measured.answered, requestCharge: reads.requestCharge / measured.answered }
  }
  await check()
  await interleaved(1, entries, loaded)
  const rounds = await interleaved(options.rounds, entries, loaded)
  await check()
  return entries.map((entry) => ({ name: entry.gateway.name, title: entry.gateway.title, rounds: rounds.get(entry)! }))
}

type Round = Measured & Pick<CosmosRow['rounds'][number], 'requests' | 'requestCharge'>

/** A new database is filled, and what follows from that is written, before anything is measured. */
async function untilQuiet(service: CosmosProcess): Promise<void> {
  do {
    await service.takeTraffic()
    await pause(1000)
  } while ((await service.takeTraffic()).reads.requests > 0)
}

/** One gateway at a time: the others are stopped. */
async function measureIdle({ gateways, service, options }: Run, restsAt: number): Promise<IdleRow[]> {
  const [quire, ...others] = gateways
  await Promise.all(others.map(({ server }) => server.stop()))
  const seconds = options.quick ? 10 : feedIntervalMs / 1000
  options.progress(`A gateway at rest for ${seconds} s`)
  if (!options.quick) await pause(Math.max(0, restsAt - Date.now()))
  await service.takeTraffic()
  await pause(seconds * 1000)
  const { all } = await service.takeTraffic()
  return [{ title: quire!.title, seconds, requestsPerSecond: all.requests / seconds, requestChargePerSecond: all.requestCharge / seconds }]
}
