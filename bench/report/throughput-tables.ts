// The tables of the throughput suite, one per operation and store. Each row is compared with the fastest peer of its table, round
// by round.

import { median, ratio } from '../statistics.ts'
import type { Comparison, Row } from '../suites/throughput.ts'
import { middle, short, table, times, timesLess, whole } from './table.ts'

export function throughputTables(comparisons: readonly Comparison[]): string {
  return comparisons.map((comparison) => `### ${titleOf(comparison)}\n\n\`${comparison.query}\`\n\n${comparisonTable(comparison.rows)}`).join('\n\n')
}

export function titleOf({ operation, title, store }: Comparison): string {
  return `${operation}: ${title.charAt(0).toLowerCase()}${title.slice(1)}, ${store === 'memory' ? 'in memory' : 'on SQLite'}`
}

/** The peer with the most requests per second; undefined when `--only` left out all peers. */
export function bestPeer(rows: readonly Row[]): Row | undefined {
  return fastestFirst(rows).find(({ kind }) => kind === 'peer')
}

export function fastestFirst(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => median(other.perSecond) - median(one.perSecond))
}

function comparisonTable(rows: readonly Row[]): string {
  const best = bestPeer(rows)
  const head = ['server', 'requests/s', 'p50 ms', 'p99 ms', 'times the best peer', 'server CPU µs', 'times, by CPU']
  return table(head, fastestFirst(rows).map((row) => [
    row.kind === 'quire' ? `**${row.title}**` : row.title,
    whole(median(row.perSecond)),
    short(median(row.p50Ms)),
    short(median(row.p99Ms)),
    best ? times(ratio(row.perSecond, best.perSecond)) : '',
    middle(row.serverCpuUs),
    best ? timesLess(row.serverCpuUs, best.serverCpuUs) : '',
  ]))
}
