// Where a value stands among all values, in SQL: the rank of its type, then the value itself. Two
// columns that are never NULL compare, sort and page as one row value, exactly as conditions.ts says.

import type { Path, Scalar } from '../../query.ts'
import { join, literal, raw, sql, type Sql } from '../sql/sql-fragment.ts'

export interface Place {
  readonly rank: Sql
  readonly value: Sql
}

/** What a path with `'*'` in it runs through: tables to join, what must hold of them, and each value's place. */
export interface Elements {
  readonly from: Sql
  readonly guard: Sql
  readonly place: Place
  /** Each value as it is written in the JSON, and the list that the path goes through first. */
  readonly json: Sql
  readonly list: Sql
}

/** Minus infinity: numbers and texts alike come after it. */
const lowest = raw('-9e999')

/** Of the value at a path without `'*'` in a JSON column. */
export function placeAt(body: Sql, path: Path): Place {
  return placeAtJsonPath(body, literal(`$${steps(path)}`))
}

/** The value at a path without `'*'` as it is written in the JSON: where that is the same, so is its place. */
export function jsonAt(body: Sql, path: Path): Sql {
  return sql`${body} -> ${literal(`$${steps(path)}`)}`
}

/** Of every value at a path with `'*'` in it. */
export function elementsAt(body: Sql, path: Path): Elements {
  const [first = [], ...rest] = splitAtStars(path)
  const tables: Sql[] = []
  const guards: Sql[] = []
  let jsonPath = literal(`$${steps(first)}`)
  rest.forEach((names, at) => {
    const element = raw(`e${at}`)
    tables.push(sql`json_each(${body}, ${jsonPath}) AS ${element}`)
    // json_each would walk an object's properties too.
    guards.push(sql`json_type(${body}, ${jsonPath}) = 'array'`)
    jsonPath = sql`${jsonPath} || '[' || ${element}.key || ${literal(`]${steps(names)}`)}`
  })
  const place = placeAtJsonPath(body, sql`(${jsonPath})`)
  return { from: join(tables, ' JOIN '), guard: join(guards, ' AND '), place, json: sql`${body} -> (${jsonPath})`, list: jsonAt(body, first) }
}

/** Of a value given by the caller. It is bound as JSON, so that SQLite reads it as it reads documents. */
export function placeOf(value: Scalar): Place {
  return { rank: raw(String(rankOf(value))), value: sql`coalesce(${JSON.stringify(value)} ->> '$', 0)` }
}

/** Of the current row of `json_each` over a list of scalars. */
export function placeOfRow(table: Sql): Place {
  return { rank: rankByType(sql`${table}.type`), value: sql`coalesce(${table}.atom, 0)` }
}

/** Before everything of the value's type. */
export function startOf(value: Scalar): Place {
  return { rank: raw(String(rankOf(value))), value: lowest }
}

/** Behind everything of the value's type. */
export function endOf(value: Scalar): Place {
  return { rank: raw(String(rankOf(value) + 1)), value: lowest }
}

export function row(place: Place): Sql {
  return sql`(${columns(place)})`
}

export function columns({ rank, value }: Place): Sql {
  return sql`${rank}, ${value}`
}

function placeAtJsonPath(body: Sql, jsonPath: Sql): Place {
  const type = sql`json_type(${body}, ${jsonPath})`
  return {
    rank: rankByType(type),
    value: sql`CASE ${type} WHEN 'array' THEN 0 WHEN 'object' THEN 0 ELSE coalesce(${body} ->> ${jsonPath}, 0) END`,
  }
}

function rankByType(type: Sql): Sql {
  return sql`CASE ${type} WHEN 'true' THEN 1 WHEN 'false' THEN 1 WHEN 'integer' THEN 2 WHEN 'real' THEN 2 WHEN 'text' THEN 3 ELSE 0 END`
}

/** Of the type of a value. */
export function rankOf(value: Scalar): number {
  return value === null ? 0 : typeof value === 'boolean' ? 1 : typeof value === 'number' ? 2 : 3
}

/** Names are quoted as JSON strings, which is how SQLite's JSON paths take any character. */
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
