// Conditions as SQLite expressions, with exactly the meaning of conditions.ts. Documents are always
// called `d` here; the statements around the expressions are in read-sql.ts.

import type { ComparisonOperator, Operand } from '../../../model/operators.ts'
import { operandOf, type Condition, type Path } from '../../query.ts'
import { join, raw, sql, type Sql } from './sql-fragment.ts'
import { isId } from '../../query.ts'
import type { SqliteContainer } from '../prepare-layout.ts'
import { sortKeyColumns } from '../indexes/sort-key-columns.ts'
import { columns, elementsAt, endOf, sortKeyAt, sortKeyOf, sortKeyOfRow, row, startOf, type SortKey } from '../indexes/sort-key.ts'

/** Whether a statement must not enter an index by the value at a path (choose-index.ts). */
export type IsHidden = (path: Path) => boolean

const nothing: IsHidden = () => false

/** True or false for every document, never NULL, because no sort key is NULL. */
export function conditionSql(container: SqliteContainer, condition: Condition, isHidden = nothing): Sql {
  if (condition.op === 'not') return sql`NOT (${conditionSql(container, condition.condition, isHidden)})`
  if ('conditions' in condition) {
    const terms = condition.conditions.map((each) => conditionSql(container, each, isHidden))
    return sql`(${condition.op === 'and' ? and(terms) : or(terms)})`
  }
  return someAt(container, condition.path, (sortKey) => comparisonSql[condition.op](sortKey, operandOf(condition)), isHidden)
}

/** True when the test holds for some value at the path, in the document `d`. */
export function someAt(container: SqliteContainer, path: Path, test: (sortKey: SortKey) => Sql, isHidden = nothing): Sql {
  if (!path.includes('*')) return test(sortKeyIn(container, path, isHidden(path)))
  const { from, guard, sortKey } = elementsAt(raw('d.body'), path)
  return sql`EXISTS (SELECT 1 FROM ${from} WHERE ${guard} AND ${test(sortKey)})`
}

/** The sort key of the value at a path without `'*'`, in the document `d`. Hidden, no index is entered by it. */
export function sortKeyIn(container: SqliteContainer, path: Path, isHiddenHere = false): SortKey {
  const { rank, value } = visibleSortKey(container, path)
  // SQLite does not look for an index of an expression with a unary plus.
  return isHiddenHere ? { rank: sql`+${rank}`, value: sql`+${value}` } : { rank, value }
}

function visibleSortKey({ sortKeyPathTexts }: SqliteContainer, path: Path): SortKey {
  if (isId(path)) return { rank: sortKeyOf('').rank, value: raw('d.id') }
  return sortKeyPathTexts.has(JSON.stringify(path)) ? sortKeyColumns(raw('d'), path) : sortKeyAt(raw('d.body'), path)
}

/**
 * Each comparison of a sort key with an operand. Comparisons by order hold only among values of the same type. They are
 * row values, rather than one test of the rank and one of the value, to share an index with the position of a page.
 */
const comparisonSql: { readonly [Op in ComparisonOperator]: (sortKey: SortKey, operand: Operand<Op>) => Sql } = {
  eq: (sortKey, value) => equal(sortKey, sortKeyOf(value)),
  lt: (sortKey, value) => sql`(${row(sortKey)} < ${row(sortKeyOf(value))} AND ${row(sortKey)} >= ${row(startOf(value))})`,
  lte: (sortKey, value) => sql`(${row(sortKey)} <= ${row(sortKeyOf(value))} AND ${row(sortKey)} >= ${row(startOf(value))})`,
  gt: (sortKey, value) => sql`(${row(sortKey)} > ${row(sortKeyOf(value))} AND ${row(sortKey)} < ${row(endOf(value))})`,
  gte: (sortKey, value) => sql`(${row(sortKey)} >= ${row(sortKeyOf(value))} AND ${row(sortKey)} < ${row(endOf(value))})`,
  in: (sortKey, values) => sql`${row(sortKey)} IN (SELECT ${columns(sortKeyOfRow(raw('v')))} FROM json_each(${JSON.stringify(values)}) AS v)`,
  startsWith,
}

export function equal(a: SortKey, b: SortKey): Sql {
  return sql`${row(a)} = ${row(b)}`
}

/** From the prefix itself to the prefix with its last character moved on by one. */
function startsWith(sortKey: SortKey, prefix: string): Sql {
  const characters = Array.from(prefix)
  while (characters.at(-1) === '\u{10ffff}') characters.pop()
  const last = characters.pop()
  const end = last === undefined ? endOf(prefix) : sortKeyOf(characters.join('') + String.fromCodePoint(last.codePointAt(0)! + 1))
  return sql`(${row(sortKey)} >= ${row(sortKeyOf(prefix))} AND ${row(sortKey)} < ${row(end)})`
}

export function and(terms: readonly Sql[]): Sql {
  return terms.length === 0 ? raw('TRUE') : join(terms, ' AND ')
}

function or(terms: readonly Sql[]): Sql {
  return terms.length === 0 ? raw('FALSE') : join(terms, ' OR ')
}
