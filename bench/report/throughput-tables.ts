// The tables of the comparisons, one per operation and store. Each row is compared with the fastest peer of its table that logs as
// it does, round by round. Quire's rows are bold.

import { median, ratio } from '../statistics.ts'
import type { Comparison, Row } from './comparison.ts'
import { middle, short, table, times, timesLess, whole } from './table.ts'

export function throughputTables(comparisons: readonly Comparison[]): string {
  return comparisons.map((comparison) => `### ${titleOf(comparison)}\n\n${shown(comparison.query)}\n\n${comparisonTable(comparison.rows)}`).join('\n\n')
}

export function titleOf({ operation, title, store }: Comparison): string {
  return `${operation}: ${title.charAt(0).toLowerCase()}${title.slice(1)}, ${store === 'memory' ? 'in memory' : 'on SQLite'}`
}

/** A GraphQL text as code, a description as it is. */
function shown(query: string): string {
  return query.includes('{') ? `\`${query}\`` : `${query.charAt(0).toUpperCase()}${query.slice(1)}.`
}

/** The peer with the most requests per second among those that log, or among those that do not; undefined when `--only` left them out. */
export function bestPeer(rows: readonly Row[], logs: boolean): Row | undefined {
  return fastestFirst(rows).find((row) => row.kind === 'peer' && row.logs === logs)
}

export function fastestFirst(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => median(other.perSecond) - median(one.perSecond))
}

function comparisonTable(rows: readonly Row[]): string {
  const best = { log: bestPeer(rows, true), noLog: bestPeer(rows, false) }
  const head = ['server', 'requests/s', 'p50 ms', 'p99 ms', 'p99.9 ms', 'longest ms', 'times the best peer', 'server CPU µs', 'times, by CPU']
  return table(head, fastestFirst(rows).map((row) => {
    const peer = row.logs ? best.log : best.noLog
    return [
      row.kind === 'quire' ? `**${row.title}**` : row.title,
      whole(median(row.perSecond)),
      short(median(row.p50Ms)),
      short(median(row.p99Ms)),
      short(median(row.p999Ms)),
      short(Math.max(...row.longestMs)),
      peer ? times(ratio(row.perSecond, peer.perSecond)) : '',
      middle(row.serverCpuUs),
      peer ? timesLess(row.serverCpuUs, peer.serverCpuUs) : '',
    ]
  }))
}
