// The index values of a document, computed from its body. That is faster than letting SQLite read the JSON, and they are
// known before the write, so that only changed values are written.
//
// An etag that ends in the mark of a layout says that its writer has updated the indexes of that layout. For every other
// writer, triggers update them: a process with another layout, an older version, or a person with a SQLite tool. Triggers
// also serve the few values that SQLite reads differently from JavaScript, which are not computed here.

import { hash } from 'node:crypto'
import type { Body } from '../../../model/json/json.ts'
import { scalarAt, scalarsAt } from '../../conditions.ts'
import type { Path, Scalar } from '../../query.ts'
import type { SqliteContainer } from '../prepare-layout.ts'
import { literal, raw, sql, type Bound, type Sql } from '../sql/sql-fragment.ts'
import type { ListIndex } from './list-index.ts'
import { rankOf } from './sort-key.ts'

/** The tenant (in a tenanted container), rank and value of an element, then rank and value of the order. */
export type ListEntry = readonly Bound[]

/** Equal for two processes exactly if they update the same indexes in the same way. */
export function markOf(sortKeyPaths: readonly Path[], lists: readonly Omit<ListIndex, 'table'>[]): string {
  const all = [sortKeyPaths, lists.map(({ type = null, equals, orderBy }) => [type, equals, orderBy])].map((some) => some.map((each) => JSON.stringify(each)).toSorted())
  return `.${hash('sha256', JSON.stringify([1, ...all]), 'base64url').slice(0, 8)}`
}

/** In a trigger for a new row: whether the writer has not updated the indexes. */
export function isUnmarked(mark: string): Sql {
  return sql`substr(NEW.etag, ${raw(String(-mark.length))}) <> ${literal(mark)}`
}

/** The same for a changed row. A writer that keeps the etag knows nothing of marks. */
export function isChangedUnmarked(mark: string): Sql {
  return sql`(${isUnmarked(mark)} OR NEW.etag IS OLD.etag)`
}

/** The values of all sort key columns, in their order; undefined if SQLite has to compute them. */
export function sortKeysOf({ sortKeyPaths }: SqliteContainer, body: Body): Bound[] | undefined {
  const values: Bound[] = []
  for (const path of sortKeyPaths) {
    const value = scalarAt(path, body)
    if (!isSameInSqlite(value)) return undefined
    values.push(rankOf(value), boundValue(value))
  }
  return values
}

/** The distinct entries of a document in a list index; undefined if SQLite has to compute them. */
export function entriesOf(list: ListIndex, type: string | null, body: Body): ListEntry[] | undefined {
  if (list.type !== undefined && list.type !== type) return []
  const order = scalarAt(list.orderBy, body)
  const values = [...new Set(scalarsAt(list.equals, body))]
  const tenant = list.tenant ? [scalarAt(list.tenant, body)] : []
  if (!isSameInSqlite(order) || !values.every(isSameInSqlite) || !tenant.every(isSameInSqlite)) return undefined
  return values.map((value) => [...tenant.map(boundValue), rankOf(value), boundValue(value), rankOf(order), boundValue(order)])
}

export function entriesNotIn(entries: readonly ListEntry[], others: readonly ListEntry[]): readonly ListEntry[] {
  if (entries.length === others.length && entries.every((entry, at) => entry.every((value, part) => value === others[at]![part]))) return []
  const known = new Set(others.map(entryText))
  return entries.filter((entry) => !known.has(entryText(entry)))
}

/** Texts identify entries although numbers and strings look alike in them: the rank tells the types apart. */
function entryText(entry: ListEntry): string {
  return JSON.stringify(entry.map(String))
}

/**
 * Whether SQLite reads exactly this value from JSON. It may read the last bit of a fraction differently, and it cannot
 * take half of a surrogate pair.
 */
function isSameInSqlite(value: Scalar): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  return typeof value !== 'number' || Number.isSafeInteger(value)
}

/** A JavaScript number would be bound as a floating-point number, while SQLite reads an integer from JSON as an integer. */
function boundValue(value: Scalar): Bound {
  if (typeof value === 'string') return value
  return BigInt(value ?? 0)
}
