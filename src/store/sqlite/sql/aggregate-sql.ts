// The statement that counts and measures documents by group, and the groups in its rows. Keys are sort keys, so equal values of
// different types are different groups, as everywhere.

import type { Aggregated, Aggregation, Group, Measure, Measured } from '../../aggregate/aggregation.ts'
import type { Scalar, Selection } from '../../query.ts'
import type { EachValue } from '../../store.ts'
import type { Row } from '../connection.ts'
import { columns, rankOf, type SortKey } from '../indexes/sort-key.ts'
import type { SqliteContainer } from '../prepare-layout.ts'
import { sortKeyIn } from './conditions-sql.ts'
import { documentsSql, type ChosenIndex } from './read-sql.ts'
import { join, raw, sql, type Sql } from './sql-fragment.ts'

export interface AggregateStatement {
  readonly each: EachValue | undefined
  readonly chosen: ChosenIndex | undefined
  readonly stoppable: boolean
}

/** The columns of a row: the index of the value, two for each key, the count, and four for each measure. */
export function aggregateSql(container: SqliteContainer, selection: Selection, { groupBy, measures, maxGroups }: Aggregation, { each, chosen, stoppable }: AggregateStatement): Sql {
  const documents = documentsSql(container, selection, each?.by, chosen, stoppable)
  const from = each ? sql`json_each(${JSON.stringify(each.values)}) AS p CROSS JOIN ${documents}` : documents
  const value = raw(each ? 'p.key' : '0')
  const sortKeys = groupBy.map((path) => sortKeyIn(container, path))
  const selected = join([value, ...sortKeys.map(keySql), raw('count(*)'), ...measures.map((measure) => measureSql(container, measure))], ', ')
  // A constant groups nothing, and makes a row only where there are documents.
  return sql`SELECT ${selected} FROM ${from} GROUP BY ${join([value.text === '0' ? raw("'all'") : value, ...sortKeys.map(columns)], ', ')} LIMIT ${(each?.values.length ?? 1) * maxGroups + 1}`
}

/** Numbers are read in floating point: there are larger integers in documents than JavaScript takes from SQLite. */
function keySql({ rank, value }: SortKey): Sql {
  return sql`${rank}, CASE ${rank} WHEN ${raw(String(rankOf(0)))} THEN CAST(${value} AS REAL) ELSE ${value} END`
}

/** Sums in floating point, since those of integers can overflow. */
function measureSql(container: SqliteContainer, { path, of }: Measure): Sql {
  const { rank, value } = sortKeyIn(container, path)
  const isNumber = of === 'number'
  const measured = sql`CASE WHEN ${rank} = ${raw(String(rankOf(isNumber ? 0 : '')))} THEN ${isNumber ? sql`CAST(${value} AS REAL)` : value} END`
  return sql`count(${measured}), ${isNumber ? sql`total(${measured})` : raw('0')}, min(${measured}), max(${measured})`
}

/** With a row for every group that was allowed for, some value has too many; the groups of others may be missing. */
export function groupsFrom(rows: readonly Row[], { groupBy, measures, maxGroups }: Aggregation, each: EachValue | undefined): Aggregated[] {
  const groups = Array.from({ length: each?.values.length ?? 1 }, (): Group[] => [])
  const areCut = rows.length > groups.length * maxGroups
  for (const row of rows) {
    const countAt = 1 + 2 * groupBy.length
    groups[Number(row[0])]!.push({
      keys: groupBy.map((_, at) => scalarOf(row[1 + 2 * at], row[2 + 2 * at])),
      count: Number(row[countAt]),
      measured: measures.map((_, at) => measuredFrom(row, countAt + 1 + 4 * at)),
    })
  }
  return groups.map((found) => {
    if (areCut || found.length > maxGroups) return 'too many'
    return found.length === 0 && groupBy.length === 0 ? [{ keys: [], count: 0, measured: measures.map(() => nothing) }] : found
  })
}

const nothing: Measured = { count: 0, sum: 0, min: null, max: null }

function measuredFrom(row: Row, at: number): Measured {
  const [count, sum, min, max] = row.slice(at, at + 4)
  return { count: Number(count), sum: Number(sum), min: min as Measured['min'], max: max as Measured['max'] }
}

/** The value with a sort key. */
function scalarOf(rank: unknown, value: unknown): Scalar {
  if (rank === 0) return null
  return rank === 1 ? value === 1 : rank === 2 ? Number(value) : String(value)
}
