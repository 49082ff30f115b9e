// Every statement that reads the SQLite store, written from structured queries. Each call of the port is
// one statement, whatever the number of keys or values. Running them is sqlite-store.ts's business.

import { partitionText } from '../../../model/keys/key.ts'
import type { Condition, Path, Query, Scalar, Selection } from '../../query.ts'
import { and, conditionSql, equal, placeIn, someAt } from './conditions-sql.ts'
import { join, raw, sql, type Sql } from './sql-fragment.ts'
import { isId, samePath, type SqliteContainer } from '../layout.ts'
import type { ListIndex } from '../indexes/list-index.ts'
import { columns, placeOf, placeOfRow, type Place } from '../indexes/sort-key.ts'
import { tenantPath } from '../../tenants/check-tenanted.ts'

export function readManySql({ table }: SqliteContainer, keys: readonly string[]): Sql {
  return sql`SELECT key, etag, bytes, body FROM ${table} WHERE key ${oneOf(keys)}`
}

export function sizesSql({ table }: SqliteContainer, keys: readonly string[]): Sql {
  return sql`SELECT key, bytes FROM ${table} WHERE key ${oneOf(keys)}`
}

/** One key is found a third quicker than a list of one. */
function oneOf(keys: readonly string[]): Sql {
  return keys.length === 1 ? sql`= ${keys[0]!}` : sql`IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`
}

export function querySql(container: SqliteContainer, query: Query): Sql {
  return pageSql(container, query, raw('d.key, d.etag, d.bytes, d.body'), wayInto(container, query))
}

/** Each value's page is found in an index by itself and only its documents are read; `nth` says whose they are. */
export function queryEachSql(container: SqliteContainer, query: Query, by: Path, values: readonly Scalar[]): Sql {
  const rows = pageSql(container, query, raw('d.row'), { path: by, place: placeOfRow(raw('p')) })
  return sql`SELECT found.key, found.etag, found.bytes, found.body, p.key
    FROM json_each(${JSON.stringify(values)}) AS p CROSS JOIN ${container.table} AS found WHERE found.row IN (${rows})`
}

export function countSql(container: SqliteContainer, selection: Selection): Sql {
  const { from, terms } = source(container, selection, wayInto(container, selection))
  return sql`SELECT count(*) FROM ${from} WHERE ${and(terms)}`
}

export function countEachSql(container: SqliteContainer, selection: Selection, by: Path, values: readonly Scalar[]): Sql {
  const { from, terms } = source(container, selection, { path: by, place: placeOfRow(raw('p')) })
  return sql`SELECT p.key, (SELECT count(*) FROM ${from} WHERE ${and(terms)}) FROM json_each(${JSON.stringify(values)}) AS p`
}

/** Only documents with this value at this path: the equality that an index can start from. */
interface WayIn {
  readonly path: Path
  readonly place: Place
  /** The condition of the selection that it stands for: a list index holds exactly that, so it need not be looked at again. */
  readonly condition?: Condition
}

interface Source {
  readonly from: Sql
  readonly terms: readonly Sql[]
  readonly list: ListIndex | undefined
}

function pageSql(container: SqliteContainer, query: Query, selected: Sql, wayIn: WayIn | undefined): Sql {
  const { orderBy, after, limit } = query
  const { from, terms, list } = source(container, query, wayIn, orderBy.path)
  const order = orderColumns(container, orderBy.path, list)
  const [comparison, direction] = orderBy.descending ? [raw('<'), raw(' DESC')] : [raw('>'), raw('')]
  const position = after && (order.length === 1 ? sql`${after.id}` : sql`${columns(placeOf(after.value))}, ${after.id}`)
  // The position goes first: of several bounds on one index SQLite takes the first, and this is the closest.
  const fromPosition = position === undefined ? [] : [sql`(${join(order, ', ')}) ${comparison} (${position})`]
  return sql`SELECT ${selected} FROM ${from} WHERE ${and([...fromPosition, ...terms])}
    ORDER BY ${join(order.map((column) => sql`${column}${direction}`), ', ')} LIMIT ${limit}`
}

/** The documents, as `d`, behind the list index that suits, as `s`, where there is one. */
function source(container: SqliteContainer, { type, tenant, partition, where }: Selection, wayIn: WayIn | undefined, orderBy?: Path): Source {
  const list = wayIn && listFor(container, type, wayIn.path, orderBy)
  const documents = sql`${container.table} AS d`
  const from = list ? sql`${list.table} AS s CROSS JOIN ${documents} ON d.row = s.row` : documents
  const terms: Sql[] = []
  // A partition is one tenant's anyway.
  if (tenant !== undefined && partition === undefined) terms.push(list?.tenant ? sql`s.tenant = ${tenant}` : equal(placeIn(container, tenantPath), placeOf(tenant)))
  if (list) terms.push(equal({ rank: raw('s.rank'), value: raw('s.value') }, wayIn.place))
  else if (wayIn) terms.push(someAt(container, wayIn.path, (place) => equal(place, wayIn.place)))
  if (type !== undefined) terms.push(sql`d.type = ${type}`)
  if (partition !== undefined) terms.push(sql`d.partition = ${partitionText(partition)}`)
  const rest = where && (list ? without(where, wayIn?.condition) : where)
  if (rest !== undefined) terms.push(conditionSql(container, rest))
  return { from, terms, list }
}

/** SQLite finds its own way through the other indexes, but a list index has to be named. */
function wayInto(container: SqliteContainer, { type, where }: Selection): WayIn | undefined {
  const conditions = where?.op === 'and' ? where.conditions : where === undefined ? [] : [where]
  for (const condition of conditions) {
    if (condition.op === 'eq' && listFor(container, type, condition.path)) return { path: condition.path, place: placeOf(condition.value), condition }
  }
  return undefined
}

/** What is left to ask when one condition is known to hold. */
function without(where: Condition, known: Condition | undefined): Condition | undefined {
  if (where === known) return undefined
  return where.op === 'and' ? { op: 'and', conditions: where.conditions.filter((condition) => condition !== known) } : where
}

/** One in the same order if possible, since it can then stop at the limit. */
function listFor({ lists }: SqliteContainer, type: string | undefined, path: Path, orderBy: Path = []): ListIndex | undefined {
  const usable = lists.filter((list) => samePath(list.equals, path) && (list.type === undefined || list.type === type))
  return usable.find((list) => samePath(list.orderBy, orderBy)) ?? usable[0]
}

function orderColumns(container: SqliteContainer, path: Path, list: ListIndex | undefined): Sql[] {
  if (list && samePath(list.orderBy, path)) return [raw('s.order_rank'), raw('s.order_value'), raw('s.id')]
  if (isId(path)) return [raw('d.id')]
  const { rank, value } = placeIn(container, path)
  return [rank, value, raw('d.id')]
}
