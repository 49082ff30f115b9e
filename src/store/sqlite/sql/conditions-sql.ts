// Conditions as SQLite expressions, with exactly the meaning of conditions.ts. Documents are always
// called `d` here; the statements around the expressions are in read-sql.ts.

import { foldCase, type ComparisonOperator, type Operand } from '../../../model/operators.ts'
import { operandOf, type Comparison, type Condition, type Path, type Scalar, type SomeElement } from '../../query.ts'
import { and, or, raw, sql, type Sql } from './sql-fragment.ts'
import { isId } from '../../query.ts'
import { foldCaseFunction, endsWithFunction } from './text-functions.ts'
import type { SqliteContainer } from '../prepare-layout.ts'
import { sortKeyColumns } from '../indexes/sort-key-columns.ts'
import { columns, elementsAt, endOf, sortKeyAt, sortKeyOf, sortKeyOfRow, row, startOf, type SortKey } from '../indexes/sort-key.ts'

/**
 * How a statement uses the value at a path:
 *
 *   ordered  the index of the value is walked from the position of a page, with which the comparison shares the index
 *   sought   the index of the value is entered by the comparison
 *   tested   another index is entered, and the comparison is tested on each document
 */
export type UseOf = (comparison: Comparison) => 'ordered' | 'sought' | 'tested'

const tested: UseOf = () => 'tested'

/** True or false for every document, never NULL, because no sort key is NULL. */
export function conditionSql(container: SqliteContainer, condition: Condition, useOf: UseOf): Sql {
  // No index is entered by alternatives: SQLite would enter several, and sort all that it finds (rows-sql.ts does it for few).
  if (condition.op === 'not') return sql`NOT (${conditionSql(container, condition.condition, tested)})`
  if (condition.op === 'some') return someElement(condition)
  if ('conditions' in condition) {
    const isAnd = condition.op === 'and'
    const terms = condition.conditions.map((each) => conditionSql(container, each, isAnd ? useOf : tested))
    return sql`(${isAnd ? and(terms) : or(terms)})`
  }
  const { op, path } = condition
  const use = useOf(condition)
  if (op === 'in' && isId(path)) return sql`${raw(use === 'tested' ? '+' : '')}d.id IN (SELECT v.value FROM json_each(${JSON.stringify(condition.values)}) AS v WHERE v.type = 'text')`
  const comparison: (sortKey: SortKey, operand: never) => Sql = use === 'ordered' || !(op in oneTypeSql) ? comparisonSql[op] : oneTypeSql[op as OrderedOperator]
  return someAt(container, path, (sortKey) => comparison(sortKey, operandOf(condition)), use === 'tested')
}

/** True when one element of a list meets the condition, in the document `d`. */
function someElement({ list, condition }: SomeElement): Sql {
  const { from, guard } = elementsAt(raw('d.body'), [...list, '*'])
  return sql`EXISTS (SELECT 1 FROM ${from} WHERE ${guard} AND ${elementSql(list, condition)})`
}

/** A condition whose paths begin at an element of the list. */
function elementSql(list: Path, condition: Condition): Sql {
  if (condition.op === 'not') return sql`NOT (${elementSql(list, condition.condition)})`
  if (condition.op === 'some') throw new Error('A condition on list elements cannot contain a condition on their own list elements.')
  if ('conditions' in condition) {
    const terms = condition.conditions.map((each) => elementSql(list, each))
    return sql`(${condition.op === 'and' ? and(terms) : or(terms)})`
  }
  return comparisonOf(elementsAt(raw('d.body'), [...list, '*', ...condition.path]).sortKey, condition)
}

/** A comparison of a sort key whose index it enters. */
export function comparisonOf(sortKey: SortKey, comparison: Comparison): Sql {
  const compare: (sortKey: SortKey, operand: never) => Sql = comparison.op in oneTypeSql ? oneTypeSql[comparison.op as OrderedOperator] : comparisonSql[comparison.op]
  return compare(sortKey, operandOf(comparison))
}

/** True when the test holds for some value at the path, in the document `d`. */
export function someAt(container: SqliteContainer, path: Path, test: (sortKey: SortKey) => Sql, isHidden = false): Sql {
  if (!path.includes('*')) return test(sortKeyIn(container, path, isHidden))
  const { from, guard, sortKey } = elementsAt(raw('d.body'), path)
  return sql`EXISTS (SELECT 1 FROM ${from} WHERE ${guard} AND ${test(sortKey)})`
}

/** The sort key of the value at a path without `'*'`, in the document `d`. Hidden, no index is entered by it. */
export function sortKeyIn(container: SqliteContainer, path: Path, isHidden = false): SortKey {
  const { rank, value } = visibleSortKey(container, path)
  // SQLite does not look for an index of an expression with a unary plus.
  return isHidden ? { rank: sql`+${rank}`, value: sql`+${value}` } : { rank, value }
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
  endsWith: (sortKey, end) => ofText(sortKey, (value) => sql`${endsWithFunction}(${value}, ${textOf(end)})`),
  contains: (sortKey, part) => ofText(sortKey, (value) => sql`instr(${value}, ${textOf(part)}) > 0`),
  ieq: (sortKey, value) => ofText(sortKey, (found) => sql`${foldCaseFunction}(${found}) = ${textOf(foldCase(value))}`),
  istartsWith: (sortKey, start) => ofText(sortKey, (value) => sql`instr(${foldCaseFunction}(${value}), ${textOf(foldCase(start))}) = 1`),
  iendsWith: (sortKey, end) => ofText(sortKey, (value) => sql`${endsWithFunction}(${foldCaseFunction}(${value}), ${textOf(foldCase(end))})`),
  icontains: (sortKey, part) => ofText(sortKey, (value) => sql`instr(${foldCaseFunction}(${value}), ${textOf(foldCase(part))}) > 0`),
}

/** A test of the value, where it is a text. SQLite calls functions only when the cheaper test before has held. */
function ofText({ rank, value }: SortKey, test: (value: Sql) => Sql): Sql {
  return sql`CASE WHEN ${rank} = ${sortKeyOf('').rank} THEN ${test(value)} ELSE FALSE END`
}

/** A text as SQLite reads it in documents. */
function textOf(text: string): Sql {
  return sortKeyOf(text).value
}

type OrderedOperator = 'lt' | 'lte' | 'gt' | 'gte' | 'startsWith'

/** The same, as one test of the rank and one of the value, which takes half the time. */
const oneTypeSql: { readonly [Op in OrderedOperator]: (sortKey: SortKey, operand: Operand<Op>) => Sql } = {
  lt: ({ rank, value }, operand) => ofType(rank, operand, sql`${value} < ${sortKeyOf(operand).value}`),
  lte: ({ rank, value }, operand) => ofType(rank, operand, sql`${value} <= ${sortKeyOf(operand).value}`),
  gt: ({ rank, value }, operand) => ofType(rank, operand, sql`${value} > ${sortKeyOf(operand).value}`),
  gte: ({ rank, value }, operand) => ofType(rank, operand, sql`${value} >= ${sortKeyOf(operand).value}`),
  startsWith({ rank, value }, prefix) {
    const end = endOfPrefix(prefix)
    const before = end === undefined ? raw('') : sql` AND ${value} < ${sortKeyOf(end).value}`
    return ofType(rank, prefix, sql`${value} >= ${sortKeyOf(prefix).value}${before}`)
  },
}

function ofType(rank: Sql, operand: Scalar, test: Sql): Sql {
  return sql`(${rank} = ${sortKeyOf(operand).rank} AND ${test})`
}

export function equal(a: SortKey, b: SortKey): Sql {
  return sql`${row(a)} = ${row(b)}`
}

function startsWith(sortKey: SortKey, prefix: string): Sql {
  const end = endOfPrefix(prefix)
  return sql`(${row(sortKey)} >= ${row(sortKeyOf(prefix))} AND ${row(sortKey)} < ${row(end === undefined ? endOf(prefix) : sortKeyOf(end))})`
}

/** The first text after all that begin with the prefix: its last character moved on by one. Undefined if all texts do. */
function endOfPrefix(prefix: string): string | undefined {
  const characters = Array.from(prefix)
  while (characters.at(-1) === '\u{10ffff}') characters.pop()
  const last = characters.pop()
  return last === undefined ? undefined : characters.join('') + String.fromCodePoint(last.codePointAt(0)! + 1)
}
