// The statement that counts and measures documents by group, and the groups in its rows. Groups are made by sort keys, so equal
// values of different types are different groups, as everywhere.

import type { Json } from '../../../model/json/json.ts'
import type { Aggregated, Aggregation, Group, Measure, Measured } from '../../aggregate/aggregation.ts'
import type { Path, Scalar, Selection } from '../../query.ts'
import type { EachValue } from '../../store.ts'
import type { PostgresContainer } from '../open/prepare-layout.ts'
import type { Row } from '../request/connection.ts'
import { hasValue, sortKeyAt } from './conditions-sql.ts'
import { valueAt } from './functions-sql.ts'
import { originalJson } from './portable-text.ts'
import { terms, valuesTable } from './read-sql.ts'
import { and, join, raw, sql, type Sql } from './sql-fragment.ts'

/** Rows: the number of the value, from 1, a JSON text for each key, the count, and four texts for each measure. */
export function aggregateSql(container: PostgresContainer, selection: Selection, { groupBy, measures, maxGroups }: Aggregation, each: EachValue | undefined): Sql {
  const from = each ? sql`${valuesTable(each.by, each.values)} CROSS JOIN ${container.table} AS d` : sql`${container.table} AS d`
  const entered = each ? [hasValue(container.context, each.by, raw('p.value'))] : []
  const selected = [raw(each ? 'p.n::int' : '1'), ...groupBy.map(keyText), raw('count(*)::int'), ...measures.map(measureText)]
  const groups = [...(each ? [raw('p.n')] : []), ...groupBy.map((path) => sortKeyAt(container.context, path))]
  const grouped = groups.length === 0 ? raw('') : sql` GROUP BY ${join(groups, ', ')}`
  return sql`SELECT ${join(selected, ', ')} FROM ${from} WHERE ${and([...entered, ...terms(container, selection)])}${grouped} LIMIT ${(each?.values.length ?? 1) * maxGroups + 1}::int`
}

/** All values of a group are equal, or neither text, number nor boolean. */
function keyText(path: Path): Sql {
  const value = valueAt(raw('d.json'), path)
  return sql`min(CASE WHEN jsonb_typeof(${value}) IN ('string', 'number', 'boolean') THEN (${value})::text END)`
}

/** Numbers are added exactly: sums of floating point numbers are an error once they overflow. */
function measureText({ path, of }: Measure): Sql {
  const value = valueAt(raw('d.json'), path)
  const ofType = (text: Sql): Sql => sql`CASE WHEN jsonb_typeof(${value}) = ${raw(`'${of}'`)} THEN ${text} END`
  if (of === 'number') {
    const number = ofType(sql`(${value} #>> '{}')::numeric`)
    return sql`count(${number})::int, sum(${number})::text, min(${number})::text, max(${number})::text`
  }
  const text = ofType(sql`(${value} #>> '{}') COLLATE "C"`)
  return sql`count(${text})::int, '0', to_json(min(${text}))::text, to_json(max(${text}))::text`
}

/** With a row for every group that was allowed for, some value has too many; the groups of others may be missing. */
export function groupsFrom(rows: readonly Row[], { groupBy, measures, maxGroups }: Aggregation, each: EachValue | undefined): Aggregated[] {
  const groups = Array.from({ length: each?.values.length ?? 1 }, (): Group[] => [])
  const areCut = rows.length > groups.length * maxGroups
  for (const row of rows) {
    const countAt = 1 + groupBy.length
    groups[Number(row[0]) - 1]!.push({
      keys: groupBy.map((_, at) => valueIn(row[1 + at]) as Scalar),
      count: Number(row[countAt]),
      measured: measures.map((_, at) => measuredFrom(row.slice(countAt + 1 + 4 * at, countAt + 5 + 4 * at))),
    })
  }
  return groups.map((found) => {
    if (areCut || found.length > maxGroups) return 'too many'
    return found.length === 0 && groupBy.length === 0 ? [{ keys: [], count: 0, measured: measures.map(() => nothing) }] : found
  })
}

const nothing: Measured = { count: 0, sum: 0, min: null, max: null }

function measuredFrom([count, sum, min, max]: readonly unknown[]): Measured {
  return { count: Number(count), sum: Number(sum), min: valueIn(min) as Measured['min'], max: valueIn(max) as Measured['max'] }
}

function valueIn(text: unknown): Json {
  return typeof text === 'string' ? (JSON.parse(originalJson(text)) as Json) : null
}
