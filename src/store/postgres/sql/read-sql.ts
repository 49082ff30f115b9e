// The statements that read documents, made from structured queries. Each call of the port is one statement, for any number of keys or values.

import { partitionText } from '../../../model/keys/key.ts'
import { conjuncts } from '../../conditions.ts'
import { isId, type Order, type Path, type Position, type Query, type Scalar, type Selection } from '../../query.ts'
import { tenantPath } from '../../tenants/check-tenanted.ts'
import type { PostgresContainer } from '../open/prepare-layout.ts'
import { conditionSql, hasValue, sortKeyAt } from './conditions-sql.ts'
import { portable } from './portable-text.ts'
import { sortKeyOf } from './sort-key.ts'
import { and, bytesArray, join, or, raw, sql, textArray, type Sql } from './sql-fragment.ts'

const columns = raw('d.key, d.etag, d.bytes, d.body')

/** Rows: key, etag, bytes, body. */
export function readManySql({ table }: PostgresContainer, keys: readonly string[]): Sql {
  return keys.length === 1 ? sql`SELECT ${columns} FROM ${table} AS d WHERE d.key = ${keys[0]!}` : sql`SELECT ${columns} FROM ${table} AS d WHERE d.key = ANY (${textArray(keys)}::text[])`
}

/** Rows: key, bytes. */
export function sizesSql({ table }: PostgresContainer, keys: readonly string[]): Sql {
  return sql`SELECT d.key, d.bytes FROM ${table} AS d WHERE d.key = ANY (${textArray(keys)}::text[])`
}

/** Rows: key, etag, bytes, body. */
export function querySql(container: PostgresContainer, query: Query): Sql {
  return pageSql(container, query, [])
}

/** The same, and the number of the value, from 1, at the end. */
export function queryEachSql(container: PostgresContainer, query: Query, by: Path, values: readonly Scalar[]): Sql {
  const page = pageSql(container, query, [hasValue(container.context, by, raw('p.value'))])
  return sql`SELECT e.*, p.n::int FROM ${valuesTable(by, values)} CROSS JOIN LATERAL (${page}) AS e`
}

/** Rows: count. */
export function countSql(container: PostgresContainer, selection: Selection): Sql {
  return sql`SELECT count(*)::int FROM ${container.table} AS d WHERE ${and(terms(container, selection))}`
}

/** Rows: the number of the value, from 1, and count. */
export function countEachSql(container: PostgresContainer, selection: Selection, by: Path, values: readonly Scalar[]): Sql {
  const counted = sql`SELECT count(*) FROM ${container.table} AS d WHERE ${and([hasValue(container.context, by, raw('p.value')), ...terms(container, selection)])}`
  return sql`SELECT p.n::int, (${counted})::int FROM ${valuesTable(by, values)}`
}

/** One row for each value: as text for the id, as sort key for everything else. */
export function valuesTable(by: Path, values: readonly Scalar[]): Sql {
  const list = isId(by) ? sql`${textArray(values.map((value) => (typeof value === 'string' ? portable(value) : null)))}::text[]` : sql`${bytesArray(values.map(sortKeyOf))}::bytea[]`
  return sql`unnest(${list}) WITH ORDINALITY AS p(value, n)`
}

function pageSql(container: PostgresContainer, query: Query, entered: readonly Sql[]): Sql {
  const { orderBy, after, limit } = query
  const order = orderColumns(container, orderBy, after)
  const fromPosition = after ? [afterPosition(order)] : []
  return sql`SELECT ${columns} FROM ${container.table} AS d WHERE ${and([...entered, ...terms(container, query), ...fromPosition])}
    ORDER BY ${join(order.map(({ column, descending }) => sql`${column}${raw(descending ? ' DESC' : '')}`), ', ')} LIMIT ${limit}::int`
}

interface OrderColumn {
  readonly column: Sql
  readonly descending: boolean
  /** Of the position. */
  readonly value: Sql
}

/** Each value of the order, and the id, which breaks ties. */
function orderColumns({ context }: PostgresContainer, order: Order, after: Position | undefined): OrderColumn[] {
  const { path, descending, thenBy = [] } = order
  const id = { column: raw('d.id'), descending, value: sql`${portable(after?.id ?? '')}` }
  if (isId(path)) return [id]
  const column = (each: Order, value: Scalar = null): OrderColumn =>
    isId(each.path) ? { column: raw('d.id'), descending: each.descending, value: sql`${portable(String(value))}` } : { column: sortKeyAt(context, each.path), descending: each.descending, value: sql`${sortKeyOf(value)}::bytea` }
  return [column(order, after?.value), ...thenBy.map((each, at) => column(each, after?.further?.[at])), id]
}

/** Columns of one direction are compared as one row, which an index on them answers by seeking. Where directions differ, it seeks by the first. */
function afterPosition(order: readonly OrderColumn[]): Sql {
  const [first] = order as readonly [OrderColumn]
  const beyond = ({ descending }: OrderColumn): Sql => raw(descending ? '<' : '>')
  if (order.every(({ descending }) => descending === first.descending)) return sql`(${join(order.map(({ column }) => column), ', ')}) ${beyond(first)} (${join(order.map(({ value }) => value), ', ')})`
  const ways = order.map((each, at) => and([...order.slice(0, at).map(({ column, value }) => sql`${column} = ${value}`), sql`${each.column} ${beyond(each)} ${each.value}`]))
  return sql`(${first.column} ${beyond(first)}= ${first.value} AND (${or(ways)}))`
}

export function terms({ context }: PostgresContainer, { type, tenant, partition, where }: Selection): Sql[] {
  return [
    // A partition belongs to one tenant.
    ...(tenant !== undefined && partition === undefined ? [sql`${sortKeyAt(context, tenantPath)} = ${sortKeyOf(tenant)}::bytea`] : []),
    ...(partition === undefined ? [] : [sql`d.partition = ${partitionText(partition)}`]),
    ...(type === undefined ? [] : [sql`d.type = ${portable(type)}`]),
    ...conjuncts(where).map((condition) => conditionSql(context, condition)),
  ]
}
