// What the indexes hold of a document, worked out from its body: quicker than SQLite does it from the JSON,
// and known before the document is written, so that only what has changed need be touched.
//
// An etag that ends in the mark of a layout says that its writer has seen to the indexes of that layout. Triggers
// see to them for everybody else: a process with another layout or of an older version, or a person with a tool.
// They also do it for the few values that SQLite reads otherwise than JavaScript, of which nothing is worked out here.

import { hash } from 'node:crypto'
import { scalarAt, scalarsAt } from '../../conditions.ts'
import type { Path, Scalar } from '../../query.ts'
import { literal, raw, sql, type Bound, type Sql } from '../sql/sql-fragment.ts'
import type { SqliteContainer } from '../layout.ts'
import type { ListIndex } from './list-index.ts'
import { rankOf } from './sort-key.ts'
import type { Body } from '../../../model/json/json.ts'

/** The tenant where there are any, rank and value of an element, then those of what it is ordered by. */
export type ListEntry = readonly Bound[]

/** The same for two processes exactly when they see to the same indexes in the same way. */
export function markOf(places: readonly Path[], lists: readonly Omit<ListIndex, 'table'>[]): string {
  const all = [places, lists.map(({ type = null, equals, orderBy }) => [type, equals, orderBy])].map((some) => some.map((each) => JSON.stringify(each)).toSorted())
  return `.${hash('sha256', JSON.stringify([1, ...all]), 'base64url').slice(0, 8)}`
}

/** Of a new row: whether triggers have to see to the indexes. */
export function isUnmarked(mark: string): Sql {
  return sql`substr(NEW.etag, ${raw(String(-mark.length))}) <> ${literal(mark)}`
}

/** Of a changed row. Whoever leaves the etag as it was knows nothing of all this. */
export function isChangedUnmarked(mark: string): Sql {
  return sql`(${isUnmarked(mark)} OR NEW.etag IS OLD.etag)`
}

/** The values of all columns of places, in their order; undefined when SQLite has to work them out. */
export function placesOf({ places }: SqliteContainer, body: Body): Bound[] | undefined {
  const values: Bound[] = []
  for (const path of places) {
    const value = scalarAt(path, body)
    if (!isPlain(value)) return undefined
    values.push(rankOf(value), valueOf(value))
  }
  return values
}

/** The entries of a document in a list index, each once; undefined when SQLite has to work them out. */
export function entriesOf(list: ListIndex, type: string | null, body: Body): ListEntry[] | undefined {
  if (list.type !== undefined && list.type !== type) return []
  const order = scalarAt(list.orderBy, body)
  const values = elementsAt(list.equals, body)
  const whose = list.tenant ? [scalarAt(list.tenant, body)] : []
  if (!isPlain(order) || !values.every(isPlain) || !whose.every(isPlain)) return undefined
  return values.map((value) => [...whose.map(valueOf), rankOf(value), valueOf(value), rankOf(order), valueOf(order)])
}

/** Those of some that are not among others. */
export function entriesBeyond(some: readonly ListEntry[], others: readonly ListEntry[]): readonly ListEntry[] {
  if (some.length === others.length && some.every((entry, at) => entry.every((value, part) => value === others[at]![part]))) return []
  const known = new Set(others.map(textOf))
  return some.filter((entry) => !known.has(textOf(entry)))
}

function elementsAt(path: Path, body: Body): Scalar[] {
  return [...new Set(scalarsAt(path, body))]
}

/** The rank says of which type a value is, so its text says which it is. */
function textOf(entry: ListEntry): string {
  return JSON.stringify(entry.map(String))
}

/**
 * Whether SQLite would read exactly this from JSON. Its numbers with a fraction can differ in the last bit,
 * and halves of surrogate pairs cannot be handed to it.
 */
function isPlain(value: Scalar): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  return typeof value !== 'number' || Number.isSafeInteger(value)
}

/** A number is bound as one with a fraction, and what is an integer in JSON is one in SQLite. */
function valueOf(value: Scalar): Bound {
  if (typeof value === 'string') return value
  return BigInt(value ?? 0)
}
