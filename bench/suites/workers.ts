// Measures what a second worker is worth: the same operations on one SQLite file with one worker and with two, each worker on a
// core of its own. The load needs CPU time as well, and a machine of two cores has no third one for it: each core has a worker
// and a load of its own, and what the load used is taken off.
//
//   requests per CPU second      answers, divided by the CPU time of all server processes: what the workers could serve if they
//                                had their cores to themselves and never waited
//   requests per second          answers, divided by the time that the load left to the workers: waiting counts, too
//
// Meanwhile a client writes through one connection and reads through others, some of which belong to the other worker: an answer
// that is older than the acknowledged write is counted as stale.

import { copyFileSync } from 'node:fs'
import { quireStart } from '../contenders.ts'
import { cachePath, removeDatabase, sampleLibrary, writeSampleDatabase } from '../data/sample.ts'
import { signIn } from '../data/sign-in.ts'
import { interleaved } from '../interleaved.ts'
import { LoadProcess } from '../load/load-process.ts'
import { StaleReads } from '../load/stale-reads.ts'
import { mixes } from '../operations/mix.ts'
import { bodiesOf } from '../operations/operation.ts'
import { short, table, times, whole } from '../report/table.ts'
import { pinned } from '../servers/start-server.ts'
import { startWorkers, type WorkersServer } from '../servers/start-workers.ts'
import { median, ratio } from '../statistics.ts'
import { chosen, type Suite } from '../suite.ts'

/** Connections for each worker. */
const connections = 10

interface Entry {
  readonly workers: number
  readonly server: WorkersServer
  readonly bodies: readonly string[]
}

interface Round {
  readonly answered: number
  readonly seconds: number
  readonly p99Ms: number
  readonly serverCpuSeconds: number
  readonly loadCpuSeconds: number
  /** Of so many reads right after a write. */
  readonly stale: number
  readonly checked: number
}

export const workers: Suite = async (options) => {
  const documents = await sampleLibrary()
  const { jwks, headers } = await signIn()
  const sample = await writeSampleDatabase('workers.db')
  const loads = [new LoadProcess(0), new LoadProcess(1)]
  const servers = await Promise.all([1, 2].map(async (count) => {
    const database = cachePath(`workers-${count}.db`)
    removeDatabase(database)
    copyFileSync(sample, database)
    return { workers: count, server: await startWorkers(quireStart({ store: 'sqlite', jwks, database }, { QUIRE_LOG: 'warn' }), count) }
  }))
  try {
    const results = []
    for (const operation of chosen(mixes, options)) {
      options.progress(operation.title)
      const requests = operation.requests(documents)
      const entries: Entry[] = await Promise.all(servers.map(async ({ workers: count, server }) => ({ workers: count, server, bodies: await bodiesOf(requests, (body) => server.ask(body, headers)) })))
      const run = async ({ workers: count, server, bodies }: Entry, _round: number, seconds = options.seconds): Promise<Round> => {
        const stale = operation.writes ? new StaleReads(server.port, headers, documents.publishers.at(-1)!) : undefined
        const before = server.cpuSeconds() ?? NaN
        const measured = await Promise.all(loads.slice(0, count).map((load) => load.run({ port: server.port, bodies, headers, connections, seconds }, server.pid)))
        const serverCpuSeconds = (server.cpuSeconds() ?? NaN) - before
        const found = await stale?.stop()
        return {
          answered: measured.reduce((sum, { answered }) => sum + answered, 0),
          seconds: Math.max(...measured.map((each) => each.seconds)),
          p99Ms: Math.max(...measured.map(({ p99Ms }) => p99Ms)),
          serverCpuSeconds,
          loadCpuSeconds: measured.reduce((sum, { ownCpu, seconds: taken }) => sum + ownCpu * taken, 0),
          stale: found?.stale ?? 0,
          checked: found?.checked ?? 0,
        }
      }
      await interleaved(1, entries, run)
      const rounds = await interleaved(options.rounds, entries, run)
      results.push({ name: operation.name, title: operation.title, rows: entries.map((entry) => ({ workers: entry.workers, rounds: rounds.get(entry)! })) })
    }
    return {
      how: `${options.rounds} rounds of ${options.seconds} s, ${connections} connections for each worker, ${pinned ? 'each worker and its load on one core' : 'not pinned to cores'}`,
      tables: results.map(({ title, rows }) => `### Workers: ${title}\n\n${resultTable(rows)}`).join('\n\n'),
      data: { connections, results },
    }
  } finally {
    for (const load of loads) load.stop()
    await Promise.all(servers.map(({ server }) => server.stop('SIGTERM')))
    for (const { workers: count } of servers) removeDatabase(cachePath(`workers-${count}.db`))
  }
}

interface Row {
  readonly workers: number
  readonly rounds: readonly Round[]
}

function resultTable(rows: readonly Row[]): string {
  return table(['workers', 'requests/CPU s of each', 'both, times one', 'requests/s', 'times one', 'p99 ms', 'CPU µs each', 'stale reads'], rows.map((row) => [
    String(row.workers),
    whole(median(perCpuSecond(row))),
    times(ratio(perCpuSecond(row).map((each) => each * row.workers), perCpuSecond(rows[0]!))),
    whole(median(perSecond(row))),
    times(ratio(perSecond(row), perSecond(rows[0]!))),
    short(median(row.rounds.map(({ p99Ms }) => p99Ms))),
    whole(median(row.rounds.map(({ serverCpuSeconds, answered }) => (serverCpuSeconds * 1e6) / answered))),
    `${total(row.rounds.map(({ stale }) => stale))} of ${whole(total(row.rounds.map(({ checked }) => checked)))}`,
  ]))
}

function perCpuSecond({ rounds }: Row): number[] {
  return rounds.map(({ answered, serverCpuSeconds }) => answered / serverCpuSeconds)
}

/** With the time that the load used taken off. */
function perSecond({ workers: count, rounds }: Row): number[] {
  return rounds.map(({ answered, seconds, loadCpuSeconds }) => (answered * count) / (count * seconds - loadCpuSeconds))
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0)
}
