// Compares Quire with a gateway that a team would write by hand, both over the same Cosmos DB protocol server, which runs in its own process
// and answers at once or after 5 ms. The server's log says how many requests and RU an operation takes, and what a gateway at rest sends.
// Answers are compared in full before and after measuring.

import { deepStrictEqual } from 'node:assert'
import { setTimeout as pause } from 'node:timers/promises'
import { namedOrAll } from '../chosen-parts.ts'
import { sampleLibrary } from '../data/sample.ts'
import { installPeers } from '../install-peers.ts'
import { interleaved } from '../interleaved.ts'
import { LoadProcess } from '../load/load-process.ts'
import { defaultConnections, howLoaded } from '../load/measure-loads.ts'
import { sameRequests } from '../operations/same.ts'
import type { Documents } from '../peers/documents.ts'
import { cosmosTables, type CosmosComparison, type CosmosRow, type IdleRow } from '../report/cosmos-tables.ts'
import { cosmosGateways, startGateway, type CosmosGateway } from '../servers/cosmos-gateways.ts'
import { CosmosProcess } from '../servers/cosmos-server.ts'
import { hasLogged } from '../servers/start-server.ts'
import { chosen, type Options, type Suite } from '../suite.ts'

const latencies = [{ name: '0ms', latencyMs: 0 }, { name: '5ms', latencyMs: 5 }]

/** Once a gateway has found nothing new for this long, it reads the change feed at its longest interval. */
const restAfterMs = 90_000
const feedIntervalMs = 40_000

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

export const cosmos: Suite = async (options) => {
  const parts = chosenParts(options)
  if (parts.gateways.some(({ name }) => name === 'hand-written')) installPeers()
  const documents = await sampleLibrary()
  const load = new LoadProcess()
  const service = await CosmosProcess.start()
  const gateways: CosmosGateway[] = []
  try {
    for (const each of parts.gateways) gateways.push(await startGateway(each, service))
    const restsAt = Date.now() + restAfterMs
    await untilQuiet(service)
    const run: Run = { documents, gateways, load, service, options }
    const comparisons: CosmosComparison[] = []
    for (const { latencyMs } of parts.latencies) {
      await service.setLatency(latencyMs)
      for (const variant of parts.variants) {
        options.progress(`${variant.title}, requests to Cosmos DB take ${latencyMs} ms`)
        comparisons.push({ latencyMs, operation: variant.name, title: variant.title, rows: await measure(variant, run) })
      }
    }
    const idle = parts.idle ? await measureIdle(run, restsAt) : []
    return { how: howLoaded(options), tables: cosmosTables(comparisons, idle), data: { connections: defaultConnections, comparisons, idle } }
  } finally {
    load.stop()
    await Promise.all(gateways.map(({ server }) => server.stop()))
    service.stop()
  }
}

/** What `--only` names: operations or the gateway at rest, latencies, and gateways. */
function chosenParts(options: Options) {
  const idle = { name: 'idle' }
  const names = new Set(chosen([...variants, idle, ...latencies, ...cosmosGateways], options).map(({ name }) => name))
  const measured = namedOrAll([...variants, idle], names)
  // Only Quire fills the database.
  const gateways = cosmosGateways.filter(({ name }) => name === 'quire' || namedOrAll(cosmosGateways, names).some((each) => each.name === name))
  return { variants: variants.filter((each) => measured.includes(each)), idle: measured.includes(idle), latencies: namedOrAll(latencies, names), gateways }
}

interface Run {
  readonly documents: Documents
  readonly gateways: readonly CosmosGateway[]
  readonly load: LoadProcess
  readonly service: CosmosProcess
  readonly options: Options
}

/** A new database is filled, and what follows from that is written, before anything is measured. */
async function untilQuiet(service: CosmosProcess): Promise<void> {
  do {
    await service.takeTraffic()
    await pause(1000)
  } while ((await service.takeTraffic()).reads.requests > 0)
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
  const loaded = async ({ gateway: { server, title }, body }: (typeof entries)[number]): Promise<CosmosRow['rounds'][number]> => {
    server.emptyLog()
    await service.takeTraffic()
    const measured = await load.run({ port: server.port, bodies: [body], connections: defaultConnections, seconds: options.seconds }, server.pid)
    const { reads } = await service.takeTraffic()
    if (!(await hasLogged(server))) throw new Error(`${title} wrote no log`)
    return { ...measured, requests: reads.requests / measured.answered, requestCharge: reads.requestCharge / measured.answered }
  }
  await check()
  await interleaved(1, entries, loaded)
  const rounds = await interleaved(options.rounds, entries, loaded)
  await check()
  return entries.map((entry) => ({ name: entry.gateway.name, title: entry.gateway.title, rounds: rounds.get(entry)! }))
}

/** Of Quire alone: the other gateway is stopped, and sends nothing at rest. */
async function measureIdle({ gateways: [quire, ...others], service, options }: Run, restsAt: number): Promise<IdleRow[]> {
  await Promise.all(others.map(({ server }) => server.stop()))
  const seconds = options.quick ? 10 : feedIntervalMs / 1000
  options.progress(`A gateway at rest for ${seconds} s`)
  if (!options.quick) await pause(Math.max(0, restsAt - Date.now()))
  await service.takeTraffic()
  await pause(seconds * 1000)
  const { all } = await service.takeTraffic()
  return [{ title: quire!.title, seconds, requestsPerSecond: all.requests / seconds, requestChargePerSecond: all.requestCharge / seconds }]
}
