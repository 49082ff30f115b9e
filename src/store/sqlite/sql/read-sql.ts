// The statements that read the SQLite store, made from structured queries. Each call of the port is one statement, for
// any number of keys or values. reads.ts runs them.

import { partitionText } from '../../../model/keys/key.ts'
import type { Condition, Path, Query, Scalar, Selection } from '../../query.ts'
import { and, conditionSql, equal, sortKeyIn, someAt } from './conditions-sql.ts'
import { join, raw, sql, type Sql } from './sql-fragment.ts'
import { isId, samePath } from '../../query.ts'
import type { SqliteContainer } from '../prepare-layout.ts'
import type { ListIndex } from '../indexes/list-index.ts'
import { columns, sortKeyOf, sortKeyOfRow, type SortKey } from '../indexes/sort-key.ts'
import { tenantPath } from '../../tenants/check-tenanted.ts'

export function readManySql({ table }: SqliteContainer, keys: readonly string[]): Sql {
  return sql`SELECT key, etag, bytes, body FROM ${table} WHERE key ${oneOf(keys)}`
}

export function sizesSql({ table }: SqliteContainer, keys: readonly string[]): Sql {
  return sql`SELECT key, bytes FROM ${table} WHERE key ${oneOf(keys)}`
}

/** Finding one key by `=` takes a third less time than by `IN`. */
function oneOf(keys: readonly string[]): Sql {
  return keys.length === 1 ? sql`= ${keys[0]!}` : sql`IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`
}

/** With a chosen index, the statement enters no other. */
export function querySql(container: SqliteContainer, query: Query, chosen?: ChosenIndex): Sql {
  return pageSql(container, query, raw('d.key, d.etag, d.bytes, d.body'), listEquality(container, query), chosen)
}

/** Finds each value's page in an index, and reads only its documents. The last column is the index of the value. */
export function queryEachSql(container: SqliteContainer, query: Query, by: Path, values: readonly Scalar[]): Sql {
  const rows = pageSql(container, query, raw('d.row'), { path: by, sortKey: sortKeyOfRow(raw('p')) })
  return sql`SELECT found.key, found.etag, found.bytes, found.body, p.key
    FROM json_each(${JSON.stringify(values)}) AS p CROSS JOIN ${container.table} AS found WHERE found.row IN (${rows})`
}

export function countSql(container: SqliteContainer, selection: Selection, chosen?: ChosenIndex): Sql {
  const { from, terms } = source(container, selection, { equality: listEquality(container, selection), chosen, isUnordered: true })
  return sql`SELECT count(*) FROM ${from} WHERE ${and(terms)}`
}

/** One row: for each selection how many documents it has, counted up to a maximum. */
export function countUpToSql(container: SqliteContainer, selections: readonly Selection[], most: number): Sql {
  const counts = selections.map((selection) => {
    const { from, terms } = source(container, selection, { isUnordered: true })
    return sql`(SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${and(terms)} LIMIT ${most}))`
  })
  return sql`SELECT ${join(counts, ', ')}`
}

export function countEachSql(container: SqliteContainer, selection: Selection, by: Path, values: readonly Scalar[]): Sql {
  const { from, terms } = source(container, selection, { equality: { path: by, sortKey: sortKeyOfRow(raw('p')) } })
  return sql`SELECT p.key, (SELECT count(*) FROM ${from} WHERE ${and(terms)}) FROM json_each(${JSON.stringify(values)}) AS p`
}

/** The index by which a statement enters a table. */
export interface ChosenIndex {
  /** The path whose comparisons lead into the index, or the partition. */
  readonly by: Path | 'partition'
  /** Whether the documents have to be sorted, because the index is not in the wanted order. */
  readonly sorts: boolean
}

/** Only documents with this value at this path: the equality by which an index is entered. */
interface IndexEquality {
  readonly path: Path
  readonly sortKey: SortKey
  /** The condition of the selection that it replaces: a list index contains exactly the documents that meet it. */
  readonly condition?: Condition
}

interface Source {
  readonly from: Sql
  readonly terms: readonly Sql[]
  readonly list: ListIndex | undefined
}

function pageSql(container: SqliteContainer, query: Query, selected: Sql, equality: IndexEquality | undefined, chosen?: ChosenIndex): Sql {
  const { orderBy, after, limit } = query
  const { from, terms, list } = source(container, query, { equality, chosen, orderBy: orderBy.path })
  const order = orderColumns(container, orderBy.path, list, chosen?.sorts)
  const [comparison, direction] = orderBy.descending ? [raw('<'), raw(' DESC')] : [raw('>'), raw('')]
  const position = after && (order.length === 1 ? sql`${after.id}` : sql`${columns(sortKeyOf(after.value))}, ${after.id}`)
  // The position goes first: of several bounds on one index SQLite uses the first, and this is the closest.
  const fromPosition = position === undefined ? [] : [sql`(${join(order, ', ')}) ${comparison} (${position})`]
  return sql`SELECT ${selected} FROM ${from} WHERE ${and([...fromPosition, ...terms])}
    ORDER BY ${join(order.map((column) => sql`${column}${direction}`), ', ')} LIMIT ${limit}`
}

interface Entered {
  readonly equality?: IndexEquality | undefined
  readonly chosen?: ChosenIndex | undefined
  readonly orderBy?: Path
  /** Whether no position of a page has to share the index. */
  readonly isUnordered?: boolean
}

/** The documents as `d`, joined to a matching list index as `s` if there is one. */
function source(container: SqliteContainer, { type, tenant, partition, where }: Selection, { equality, chosen, orderBy, isUnordered = chosen?.sorts }: Entered): Source {
  const list = equality && listFor(container, type, equality.path, orderBy)
  const documents = sql`${container.table} AS d`
  const from = list ? sql`${list.table} AS s CROSS JOIN ${documents} ON d.row = s.row` : documents
  const terms: Sql[] = []
  // A partition belongs to one tenant.
  if (tenant !== undefined && partition === undefined) terms.push(list?.tenant ? sql`s.tenant = ${tenant}` : equal(sortKeyIn(container, tenantPath), sortKeyOf(tenant)))
  if (list) terms.push(equal({ rank: raw('s.rank'), value: raw('s.value') }, equality.sortKey))
  else if (equality) terms.push(someAt(container, equality.path, (sortKey) => equal(sortKey, equality.sortKey)))
  if (type !== undefined) terms.push(sql`d.type = ${type}`)
  if (partition !== undefined) terms.push(sql`${raw(chosen && chosen.by !== 'partition' ? '+' : '')}d.partition = ${partitionText(partition)}`)
  const rest = where && (list ? without(where, equality?.condition) : where)
  if (rest !== undefined) terms.push(conditionSql(container, rest, (path) => (chosen && !isEnteredBy(chosen, path) ? 'tested' : isUnordered ? 'sought' : 'ordered')))
  return { from, terms, list }
}

function isEnteredBy({ by }: ChosenIndex, path: Path): boolean {
  return by !== 'partition' && samePath(path, by)
}

/** The first equality that a list index serves, which is then always the way in. SQLite chooses other indexes itself, but a list index has to be joined. */
export function listEquality(container: SqliteContainer, { type, where }: Selection): IndexEquality | undefined {
  const conditions = where?.op === 'and' ? where.conditions : where === undefined ? [] : [where]
  for (const condition of conditions) {
    if (condition.op === 'eq' && listFor(container, type, condition.path)) return { path: condition.path, sortKey: sortKeyOf(condition.value), condition }
  }
  return undefined
}

/** The conditions without one that is known to hold. */
function without(where: Condition, known: Condition | undefined): Condition | undefined {
  if (where === known) return undefined
  return where.op === 'and' ? { op: 'and', conditions: where.conditions.filter((condition) => condition !== known) } : where
}

/** Preferably one in the wanted order, which can stop at the limit. */
function listFor({ lists }: SqliteContainer, type: string | undefined, path: Path, orderBy: Path = []): ListIndex | undefined {
  const usable = lists.filter((list) => samePath(list.equals, path) && (list.type === undefined || list.type === type))
  return usable.find((list) => samePath(list.orderBy, orderBy)) ?? usable[0]
}

function orderColumns(container: SqliteContainer, path: Path, list: ListIndex | undefined, isHidden = false): Sql[] {
  if (list && samePath(list.orderBy, path)) return [raw('s.order_rank'), raw('s.order_value'), raw('s.id')]
  const id = raw(isHidden ? '+d.id' : 'd.id')
  if (isId(path)) return [id]
  const { rank, value } = sortKeyIn(container, path, isHidden)
  return [rank, value, id]
}
