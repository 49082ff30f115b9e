// Documents counted and measured by group, as Cosmos SQL. Each physical partition answers with its own groups, and those with equal
// keys are merged here, as the SDKs merge them.
//
// SUM is undefined if any value is of another type, and MIN and MAX compare values of all types, so each value is checked first:
// aggregates leave out what is undefined.

import type { SqlQuerySpec } from '@azure/cosmos'
import type { Json } from '../../../model/json/json.ts'
import { compareScalarsInUtf16 } from '../../../model/keys/compare-scalars.ts'
import { Grouping, type Aggregated, type Aggregation, type Measure, type Measured } from '../../aggregate/aggregation.ts'
import type { Scalar, Selection } from '../../query.ts'
import type { EachValue } from '../../store.ts'
import { referenceTo } from './expressions.ts'
import { elementReference, selected, statement, where } from './sql.ts'

/** A group of one partition. What is undefined is absent. */
export interface GroupRow {
  readonly found?: Scalar
  readonly many: number
  readonly [column: string]: Json | undefined
}

export function aggregateSql(selection: Selection, { groupBy, measures }: Aggregation, each: EachValue | undefined, followed: boolean): SqlQuerySpec {
  return statement((bind) => {
    const isList = each?.by.includes('*') ?? false
    const found = each && (isList ? 'v' : referenceTo(each.by))
    const join = isList ? ` JOIN v IN (SELECT DISTINCT VALUE ${elementReference(each!.by)})` : ''
    const keys = groupBy.map((path) => referenceTo(path))
    const columns = [
      ...(found === undefined ? [] : [`${found} AS found`]), ...keys.map((key, at) => `${key} AS key${at}`), 'COUNT(1) AS many', ...measures.flatMap(measureSql),
    ]
    const conditions = [...selected(selection, bind, followed), ...(each ? [`${found} IN (${[...new Set(each.values)].map(bind).join(', ')})`] : [])]
    const groups = [...(found === undefined ? [] : [found]), ...keys]
    return `SELECT ${columns.join(', ')} FROM c${join}${where(conditions)}${groups.length === 0 ? '' : ` GROUP BY ${groups.join(', ')}`}`
  })
}

function measureSql({ path, of }: Measure, at: number): string[] {
  const reference = referenceTo(path)
  const isOfType = `${of === 'number' ? 'IS_NUMBER' : 'IS_STRING'}(${reference})`
  const value = `IIF(${isOfType}, ${reference}, undefined)`
  return [`SUM(IIF(${isOfType}, 1, 0)) AS count${at}`, ...(of === 'number' ? [`SUM(${value}) AS sum${at}`] : []), `MIN(${value}) AS min${at}`, `MAX(${value}) AS max${at}`]
}

/** More rows than this from one partition are too many groups for one of the values. */
export function maxRows({ maxGroups }: Aggregation, each: EachValue | undefined): number {
  return maxGroups * (each ? new Set(each.values).size : 1)
}

export function groupsFrom(rows: readonly GroupRow[], aggregation: Aggregation, each: EachValue | undefined): Aggregated[] {
  const byValue = Map.groupBy(rows, ({ found }) => found)
  const answers = (each?.values ?? [undefined]).map((value): Aggregated => {
    const grouping = new Grouping(aggregation, compareScalarsInUtf16)
    for (const row of byValue.get(value) ?? []) {
      grouping.addGroup({ keys: aggregation.groupBy.map((_, at) => scalarOf(row[`key${at}`])), count: row.many, measured: aggregation.measures.map((_, at) => measuredFrom(row, at)) })
      if (grouping.isFull) break
    }
    return grouping.all()
  })
  // A partition that has sent as many rows as it may has perhaps more, of any value.
  return answers.includes('too many') ? answers.map(() => 'too many') : answers
}

function measuredFrom(row: GroupRow, at: number): Measured {
  const [min, max] = [row[`min${at}`] ?? null, row[`max${at}`] ?? null] as [Measured['min'], Measured['max']]
  const sum = row[`sum${at}`]
  // JSON has no number for a sum that is too large.
  const isTooLarge = typeof sum !== 'number' && typeof min === 'number' && typeof max === 'number'
  return { count: (row[`count${at}`] as number | undefined) ?? 0, sum: isTooLarge ? (max >= -min ? Infinity : -Infinity) : ((sum ?? 0) as number), min, max }
}

/** A missing value, a list and an object count as null. */
function scalarOf(value: Json | undefined): Scalar {
  return value === undefined || typeof value === 'object' ? null : value
}
