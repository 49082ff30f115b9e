// The sort key of a value in SQL: the rank of its type, then the value itself. The two are never NULL, and compare, sort
// and page as one row value, in the order of compare-scalars.ts.

import type { Path, Scalar } from '../../query.ts'
import { join, literal, raw, sql, type Sql } from '../sql/sql-fragment.ts'

export interface SortKey {
  readonly rank: Sql
  readonly value: Sql
}

/** The values of a path with `'*'`: tables to join, a condition on them, and each value's sort key. */
export interface Elements {
  readonly from: Sql
  readonly guard: Sql
  readonly sortKey: SortKey
  /** Each value as JSON text, and the first list of the path. */
  readonly json: Sql
  readonly list: Sql
}

/** Minus infinity: all numbers and texts come after it. */
const lowest = raw('-9e999')

/** The sort key of the value at a path without `'*'`. */
export function sortKeyAt(body: Sql, path: Path): SortKey {
  return sortKeyAtJsonPath(body, literal(`$${steps(path)}`))
}

/** The value at a path without `'*'` as JSON text: equal texts have equal sort keys. */
export function jsonAt(body: Sql, path: Path): Sql {
  return sql`${body} -> ${literal(`$${steps(path)}`)}`
}

/** All values at a path with `'*'`. */
export function elementsAt(body: Sql, path: Path): Elements {
  const [first = [], ...rest] = splitAtStars(path)
  const tables: Sql[] = []
  const guards: Sql[] = []
  let jsonPath = literal(`$${steps(first)}`)
  rest.forEach((names, at) => {
    const element = raw(`e${at}`)
    tables.push(sql`json_each(${body}, ${jsonPath}) AS ${element}`)
    // json_each would also walk the properties of an object.
    guards.push(sql`json_type(${body}, ${jsonPath}) = 'array'`)
    jsonPath = sql`${jsonPath} || '[' || ${element}.key || ${literal(`]${steps(names)}`)}`
  })
  const sortKey = sortKeyAtJsonPath(body, sql`(${jsonPath})`)
  return { from: join(tables, ' JOIN '), guard: join(guards, ' AND '), sortKey, json: sql`${body} -> (${jsonPath})`, list: jsonAt(body, first) }
}

/** The sort key of a given value. It is bound as JSON, so that SQLite reads it as it reads documents. */
export function sortKeyOf(value: Scalar): SortKey {
  return { rank: raw(String(rankOf(value))), value: sql`coalesce(${JSON.stringify(value)} ->> '$', 0)` }
}

/** The sort key of the current row of `json_each` over a list of scalars. */
export function sortKeyOfRow(table: Sql): SortKey {
  return { rank: rankByType(sql`${table}.type`), value: sql`coalesce(${table}.atom, 0)` }
}

/** A sort key before all values of this value's type. */
export function startOf(value: Scalar): SortKey {
  return { rank: raw(String(rankOf(value))), value: lowest }
}

/** A sort key after all values of this value's type. */
export function endOf(value: Scalar): SortKey {
  return { rank: raw(String(rankOf(value) + 1)), value: lowest }
}

export function row(sortKey: SortKey): Sql {
  return sql`(${columns(sortKey)})`
}

export function columns({ rank, value }: SortKey): Sql {
  return sql`${rank}, ${value}`
}

function sortKeyAtJsonPath(body: Sql, jsonPath: Sql): SortKey {
  const type = sql`json_type(${body}, ${jsonPath})`
  return {
    rank: rankByType(type),
    value: sql`CASE ${type} WHEN 'array' THEN 0 WHEN 'object' THEN 0 ELSE coalesce(${body} ->> ${jsonPath}, 0) END`,
  }
}

function rankByType(type: Sql): Sql {
  return sql`CASE ${type} WHEN 'true' THEN 1 WHEN 'false' THEN 1 WHEN 'integer' THEN 2 WHEN 'real' THEN 2 WHEN 'text' THEN 3 ELSE 0 END`
}

/** The rank of a value's type. */
export function rankOf(value: Scalar): number {
  return value === null ? 0 : typeof value === 'boolean' ? 1 : typeof value === 'number' ? 2 : 3
}

/** Names are quoted as JSON strings, in which SQLite's JSON paths accept any character. */
function steps(names: Path): string {
  return names.map((name) => `.${JSON.stringify(name)}`).join('')
}

function splitAtStars(path: Path): Path[] {
  const parts: string[][] = [[]]
  for (const name of path) {
    if (name === '*') parts.push([])
    else parts.at(-1)!.push(name)
  }
  return parts
}
