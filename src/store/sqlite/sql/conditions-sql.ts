// Conditions as SQLite expressions, with exactly the meaning of conditions.ts. Documents are always
// called `d` here; the statements around the expressions are in read-sql.ts.

import type { ComparisonOperator, Operand } from '../../../model/operators.ts'
import { operandOf, type Condition, type Path } from '../../query.ts'
import { join, raw, sql, type Sql } from './sql-fragment.ts'
import { isId, type SqliteContainer } from '../layout.ts'
import { placeColumns } from '../indexes/sort-key-columns.ts'
import { columns, elementsAt, endOf, placeAt, placeOf, placeOfRow, row, startOf, type Place } from '../indexes/sort-key.ts'

/** True or false for every document, never NULL, because no place is NULL. */
export function conditionSql(container: SqliteContainer, condition: Condition): Sql {
  if (condition.op === 'not') return sql`NOT (${conditionSql(container, condition.condition)})`
  if ('conditions' in condition) {
    const terms = condition.conditions.map((each) => conditionSql(container, each))
    return sql`(${condition.op === 'and' ? and(terms) : or(terms)})`
  }
  return someAt(container, condition.path, (place) => comparisonSql[condition.op](place, operandOf(condition)))
}

/** True when the test holds for some value at the path, in the document `d`. */
export function someAt(container: SqliteContainer, path: Path, test: (place: Place) => Sql): Sql {
  if (!path.includes('*')) return test(placeIn(container, path))
  const { from, guard, place } = elementsAt(raw('d.body'), path)
  return sql`EXISTS (SELECT 1 FROM ${from} WHERE ${guard} AND ${test(place)})`
}

/** The place of the value at a path without `'*'`, in the document `d`. */
export function placeIn({ placed }: SqliteContainer, path: Path): Place {
  if (isId(path)) return { rank: placeOf('').rank, value: raw('d.id') }
  return placed.has(JSON.stringify(path)) ? placeColumns(raw('d'), path) : placeAt(raw('d.body'), path)
}

/**
 * Each comparison of the value at a place. Comparisons by order hold only among values of the same type. They are
 * row values, rather than one test of the rank and one of the value, to share an index with the position of a page.
 */
const comparisonSql: { readonly [Op in ComparisonOperator]: (place: Place, operand: Operand<Op>) => Sql } = {
  eq: (place, value) => equal(place, placeOf(value)),
  lt: (place, value) => sql`(${row(place)} < ${row(placeOf(value))} AND ${row(place)} >= ${row(startOf(value))})`,
  lte: (place, value) => sql`(${row(place)} <= ${row(placeOf(value))} AND ${row(place)} >= ${row(startOf(value))})`,
  gt: (place, value) => sql`(${row(place)} > ${row(placeOf(value))} AND ${row(place)} < ${row(endOf(value))})`,
  gte: (place, value) => sql`(${row(place)} >= ${row(placeOf(value))} AND ${row(place)} < ${row(endOf(value))})`,
  in: (place, values) => sql`${row(place)} IN (SELECT ${columns(placeOfRow(raw('v')))} FROM json_each(${JSON.stringify(values)}) AS v)`,
  startsWith,
}

export function equal(a: Place, b: Place): Sql {
  return sql`${row(a)} = ${row(b)}`
}

/** From the prefix itself to the prefix with its last character moved on by one. */
function startsWith(place: Place, prefix: string): Sql {
  const characters = Array.from(prefix)
  while (characters.at(-1) === '\u{10ffff}') characters.pop()
  const last = characters.pop()
  const end = last === undefined ? endOf(prefix) : placeOf(characters.join('') + String.fromCodePoint(last.codePointAt(0)! + 1))
  return sql`(${row(place)} >= ${row(placeOf(prefix))} AND ${row(place)} < ${row(end)})`
}

export function and(terms: readonly Sql[]): Sql {
  return terms.length === 0 ? raw('TRUE') : join(terms, ' AND ')
}

function or(terms: readonly Sql[]): Sql {
  return terms.length === 0 ? raw('FALSE') : join(terms, ' OR ')
}
