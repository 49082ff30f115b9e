// What the account costs: the same operation with tracing off and on, in one process, and beside it a
// gateway from which the code of the account was taken out before it was loaded.

import { join } from 'node:path'
import { LoadProcess, type Measured } from '../load/load-process.ts'
import { measureLoads } from '../load/measure-loads.ts'
import { operations } from '../operations.ts'
import { middle, table, times, timesLess, whole } from '../report/table.ts'
import { startQuire } from '../servers/start-quire.ts'
import type { Server } from '../servers/start-server.ts'
import { median, ratio } from '../statistics.ts'
import { chosen, type Suite } from '../suite.ts'

const cutter = join(import.meta.dirname, '../servers/without-account.ts')

export const tracing: Suite = async (options) => {
  const load = new LoadProcess()
  const quire = await startQuire('memory')
  const without = await startQuire('memory', {}, ['--import', cutter]).catch((error: unknown) => options.progress(`Without the gateway that has no account: ${String(error)}`))
  try {
    const results = []
    for (const { name, query } of chosen(operations.flatMap(({ name: operation, query: text, lookedUp, pages }) => [
      ...(pages ? [] : [{ name: operation, query: text }]),
      ...(lookedUp === undefined ? [] : [{ name: `${operation}, looked up`, query: lookedUp }]),
    ]), options)) {
      options.progress(`Tracing: ${name}`)
      const bodies = [JSON.stringify({ query })]
      const way = (title: string, server: Server, headers: Record<string, string> = {}) => ({ title, server, bodies, headers, answers: 'no errors' as const })
      const entries = [way('off', quire), way('on', quire, { 'quire-trace': '1' }), ...(without ? [way('taken out', without)] : [])]
      const measured = await measureLoads(entries, load, options)
      results.push({ operation: name, rows: entries.map((entry) => ({ tracing: entry.title, rounds: measured.get(entry)! })) })
    }
    return { tables: results.map(({ operation, rows }) => `### Tracing: ${operation}\n\n${tracingTable(rows)}`).join('\n\n'), data: { results } }
  } finally {
    load.stop()
    await Promise.all([quire.stop(), without?.stop()])
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
