// The tables of what each cache is worth, one per operation and store. A row without a cache is compared, round by round, with
// the row that has all of them.

import { median } from '../statistics.ts'
import type { Comparison, Row } from './comparison.ts'
import { middle, short, table, timesKnown, whole } from './table.ts'
import { titleOf } from './throughput-tables.ts'

export function cacheTables(comparisons: readonly Comparison[]): string {
  return comparisons.map((comparison) => `### Caches in ${titleOf(comparison)}\n\n${cacheTable(comparison.rows)}`).join('\n\n')
}

function cacheTable(rows: readonly Row[]): string {
  return table(['server', 'requests/s', 'p99 ms', 'p99.9 ms', 'server CPU µs', 'the cache is worth, times'], rows.map((row) => {
    const base = rows.find(({ name }) => name === comparedWith(row.name))
    return [
      row.title,
      whole(median(row.perSecond)),
      short(median(row.p99Ms)),
      short(median(row.p999Ms)),
      middle(row.serverCpuUs),
      base ? timesKnown(row.serverCpuUs, base.serverCpuUs) : '',
    ]
  }))
}

/** The row that has all caches, in the same variant of the operation; undefined for that row itself. */
export function comparedWith(name: string): string | undefined {
  const [, server, variant = ''] = /^(.*?)(-looked-up)?$/.exec(name)!
  return server === 'all' ? undefined : `all${variant}`
}
