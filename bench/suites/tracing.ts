// What the account costs: the same operation with tracing off, with tracing on, and by a gateway from
// which the code of the account was taken out before it was loaded. Each has a process of its own, so
// that none is compiled for what another does.

import { join } from 'node:path'
import { LoadProcess, type Measured } from '../load/load-process.ts'
import { howLoaded, measureLoads } from '../load/measure-loads.ts'
import { operations } from '../operations.ts'
import { middle, table, times, timesLess, whole } from '../report/table.ts'
import { startQuire } from '../servers/start-quire.ts'
import type { Server } from '../servers/start-server.ts'
import { median, ratio } from '../statistics.ts'
import { chosen, type Options, type Suite } from '../suite.ts'

const cutter = join(import.meta.dirname, '../servers/without-account.ts')

interface Way {
  readonly title: string
  readonly server: Server
  readonly headers: Record<string, string>
}

export const tracing: Suite = async (options) => {
  const load = new LoadProcess()
  const ways = await startWays(options)
  try {
    const results = []
    for (const { name, query } of chosen(asked, options)) {
      options.progress(`Tracing: ${name}`)
      const entries = ways.map((way) => ({ ...way, bodies: [JSON.stringify({ query })], answers: 'no errors' as const }))
      const measured = await measureLoads(entries, load, options)
      results.push({ operation: name, rows: entries.map((entry) => ({ tracing: entry.title, rounds: measured.get(entry)! })) })
    }
    return { how: howLoaded(options), tables: results.map(({ operation, rows }) => `### Tracing: ${operation}\n\n${tracingTable(rows)}`).join('\n\n'), data: { results } }
  } finally {
    load.stop()
    await Promise.all(ways.map(({ server }) => server.stop()))
  }
}

const asked = operations.filter(({ pages }) => !pages).flatMap(({ name, query, lookedUp }) => [
  { name, query },
  ...(lookedUp === undefined ? [] : [{ name: `${name}-looked-up`, query: lookedUp }]),
])

async function startWays({ progress }: Options): Promise<Way[]> {
  const ways: Way[] = [
    { title: 'off', server: await startQuire('memory'), headers: {} },
    { title: 'on', server: await startQuire('memory'), headers: { 'quire-trace': '1' } },
  ]
  try {
    return [...ways, { title: 'taken out', server: await startQuire('memory', {}, ['--import', cutter]), headers: {} }]
  } catch (error) {
    progress(`Without a gateway that has no account: ${String(error)}`)
    return ways
  }
}

interface Row {
  readonly tracing: string
  readonly rounds: readonly Measured[]
}

function tracingTable(rows: readonly Row[]): string {
  const off = rows[0]!
  return table(['tracing', 'requests/s', 'times off', 'server CPU µs', 'times, by CPU'], rows.map((row) => [
    row.tracing, whole(median(perSecond(row))), times(ratio(perSecond(row), perSecond(off))), middle(cpuUs(row)), timesLess(cpuUs(row), cpuUs(off)),
  ]))
}

function perSecond({ rounds }: Row): number[] {
  return rounds.map((round) => round.perSecond)
}

function cpuUs({ rounds }: Row): (number | undefined)[] {
  return rounds.map(({ serverCpuUs }) => serverCpuUs)
}
