// The rows of a condition that indexes find, as a SELECT of row numbers: for conditions that a statement cannot enter by
// itself, such as values in lists and alternatives. A row may come several times, and may be one that a statement has yet to
// test. read-sql.ts puts them into statements.

import type { Comparison, Condition, Selection } from '../../query.ts'
import type { SqliteContainer } from '../prepare-layout.ts'
import { hasIndex, listFor } from '../indexes/index-for.ts'
import { comparisonOf } from './conditions-sql.ts'
import { rowsSql } from './read-sql.ts'
import { join, raw, sql, type Sql } from './sql-fragment.ts'

/** Undefined if some of the rows are in no index. */
export function rowsWhere(container: SqliteContainer, selection: Selection, condition: Condition): Sql | undefined {
  if (condition.op === 'not' || condition.op === 'some') return undefined
  if ('conditions' in condition) {
    const rows = condition.conditions.toSorted(selectiveFirst).map((each) => rowsWhere(container, selection, each))
    if (condition.op === 'and') return rows.find((each) => each !== undefined)
    return rows.length > 0 && rows.every((each) => each !== undefined) ? join(rows, ' UNION ALL ') : undefined
  }
  if (condition.path.includes('*')) return rowsInList(container, selection, condition)
  return hasIndex(container, selection, condition.path) ? rowsSql(container, { ...selection, where: condition }) : undefined
}

function rowsInList(container: SqliteContainer, { type, tenant }: Selection, comparison: Comparison): Sql | undefined {
  const list = listFor(container, type, comparison.path)
  if (!list || (tenant === undefined) === (list.tenant !== undefined)) return undefined
  const ofTenant = tenant === undefined ? raw('') : sql`s.tenant = ${tenant} AND `
  return sql`SELECT s.row FROM ${list.table} AS s WHERE ${ofTenant}${comparisonOf({ rank: raw('s.rank'), value: raw('s.value') }, comparison)}`
}

function selectiveFirst(a: Condition, b: Condition): number {
  return Number(isSelective(b)) - Number(isSelective(a))
}

function isSelective({ op }: Condition): boolean {
  return op === 'eq' || op === 'in'
}
