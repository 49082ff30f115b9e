// The statements that read the SQLite store, made from structured queries. Each call of the port is one statement, for
// any number of keys or values. reads.ts runs them.

import { partitionText } from '../../../model/keys/key.ts'
import type { Comparison, Condition, Order, Path, Query, Scalar, Selection } from '../../query.ts'
import { conditionSql, equal, sortKeyIn, someAt, type UseOf } from './conditions-sql.ts'
import { and, join, raw, sql, type Sql } from './sql-fragment.ts'
import { isId, samePath } from '../../query.ts'
import type { SqliteContainer } from '../prepare-layout.ts'
import type { ListIndex } from '../indexes/list-index.ts'
import { sortKeyOf, sortKeyOfRow, type SortKey } from '../indexes/sort-key.ts'
import { afterPosition, type OrderColumns } from './after-position.ts'
import { beginsWithin, closestBounds } from './closest-bounds.ts'
import { listFor } from '../indexes/index-for.ts'
import { conjuncts } from '../../conditions.ts'
import { tenantPath } from '../../tenants/check-tenanted.ts'

/** The name of the function that a thread gives its connection. */
export const stopFunction = 'quire_continue'

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
export function querySql(container: SqliteContainer, query: Query, chosen?: ChosenIndex, stoppable = false): Sql {
  return pageSql(container, query, raw('d.key, d.etag, d.bytes, d.body'), listChosen(container, query, chosen), chosen, stoppable)
}

/** Finds each value's page in an index, and reads only its documents. The last column is the index of the value. */
export function queryEachSql(container: SqliteContainer, query: Query, by: Path, values: readonly Scalar[], stoppable = false): Sql {
  const rows = pageSql(container, query, raw('d.row'), { path: by, sortKey: sortKeyOfRow(raw('p')) }, undefined, stoppable)
  return sql`SELECT found.key, found.etag, found.bytes, found.body, p.key
    FROM json_each(${JSON.stringify(values)}) AS p CROSS JOIN ${container.table} AS found WHERE found.row IN (${rows})`
}

export function countSql(container: SqliteContainer, selection: Selection, chosen?: ChosenIndex, stoppable = false): Sql {
  const { from, terms } = source(container, selection, { equality: listChosen(container, selection, chosen), chosen, isUnordered: true, stoppable })
  return sql`SELECT count(*) FROM ${from} WHERE ${and(terms)}`
}

/** The rows of a selection. */
export function rowsSql(container: SqliteContainer, selection: Selection): Sql {
  const { from, terms } = source(container, selection, { isUnordered: true })
  return sql`SELECT d.row FROM ${from} WHERE ${and(terms)}`
}

/** One row: for each statement how many rows it has, counted up to a maximum. */
export function countUpToSql(statements: readonly Sql[], most: number): Sql {
  return sql`SELECT ${join(statements.map((rows) => sql`(SELECT count(*) FROM (SELECT 1 FROM (${rows}) LIMIT ${most}))`), ', ')}`
}

/** With `most`, each is counted up to that number. */
export function countEachSql(container: SqliteContainer, selection: Selection, by: Path, values: readonly Scalar[], { most, stoppable = false }: { readonly most?: number; readonly stoppable?: boolean } = {}): Sql {
  const { from, terms } = source(container, selection, { equality: { path: by, sortKey: sortKeyOfRow(raw('p')) }, stoppable })
  const counted = most === undefined ? sql`SELECT count(*) FROM ${from} WHERE ${and(terms)}` : sql`SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${and(terms)} LIMIT ${most})`
  return sql`SELECT p.key, (${counted}) FROM json_each(${JSON.stringify(values)}) AS p`
}

/** All documents of a selection, as `d`; with `by`, those that have the value of a row `p` at that path. */
export function documentsSql(container: SqliteContainer, selection: Selection, by: Path | undefined, chosen: ChosenIndex | undefined, stoppable: boolean): Sql {
  const equality = by ? { path: by, sortKey: sortKeyOfRow(raw('p')) } : listChosen(container, selection, chosen)
  const { from, terms } = source(container, selection, { equality, chosen, isUnordered: true, stoppable })
  return sql`${from} WHERE ${and(terms)}`
}

/** The index by which a statement enters a table. */
export interface ChosenIndex {
  /** The path whose comparisons lead into the index, or the partition; a list index that is joined, or `rows` that other indexes have found. */
  readonly by: Path | 'partition' | 'list' | 'rows'
  readonly rows?: Sql
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

function pageSql(container: SqliteContainer, query: Query, selected: Sql, equality: IndexEquality | undefined, chosen?: ChosenIndex, stoppable = false): Sql {
  const { orderBy, after, limit } = query
  const { from, terms, list } = source(container, query, { equality, chosen, orderBy: orderBy.path, stoppable })
  const order = orderColumns(container, orderBy, list, chosen?.sorts)
  // The position goes first: of several bounds on one index SQLite uses the first, and this is the closest. A position of another list is not, and is hidden.
  const fromPosition = after === undefined ? [] : afterPosition(beginsWithin(query) ? order : orderColumns(container, orderBy, list, true), after)
  return sql`SELECT ${selected} FROM ${from} WHERE ${and([...fromPosition, ...terms])}
    ORDER BY ${join(order.flatMap(({ columns: names, descending }) => names.map((name) => sql`${name}${raw(descending ? ' DESC' : '')}`)), ', ')} LIMIT ${limit}`
}

interface Entered {
  readonly equality?: IndexEquality | undefined
  readonly chosen?: ChosenIndex | undefined
  readonly orderBy?: Path
  /** Whether no position of a page has to share the index. */
  readonly isUnordered?: boolean
  /** Whether it asks now and then whether it is still wanted. */
  readonly stoppable?: boolean
}

/** The documents as `d`, joined to a matching list index as `s` if there is one. */
function source(container: SqliteContainer, { type, tenant, partition, where }: Selection, { equality, chosen, orderBy, isUnordered = chosen?.sorts, stoppable = false }: Entered): Source {
  const list = equality && listFor(container, type, equality.path, orderBy)
  const documents = sql`${container.table} AS d`
  const from = list ? sql`${list.table} AS s CROSS JOIN ${documents} ON d.row = s.row` : documents
  // First, because SQLite tests conditions in their order: after one that fails for most rows, it would hardly ever be asked.
  const terms: Sql[] = stoppable ? [stopTest] : []
  // A partition belongs to one tenant.
  if (tenant !== undefined && partition === undefined) terms.push(list?.tenant ? sql`s.tenant = ${tenant}` : equal(sortKeyIn(container, tenantPath, chosen?.rows !== undefined), sortKeyOf(tenant)))
  if (list) terms.push(equal({ rank: raw('s.rank'), value: raw('s.value') }, equality.sortKey))
  else if (equality) terms.push(someAt(container, equality.path, (sortKey) => equal(sortKey, equality.sortKey)))
  const ifEntered = raw(chosen?.rows ? '+' : '')
  if (type !== undefined) terms.push(sql`${ifEntered}d.type = ${type}`)
  if (partition !== undefined) terms.push(sql`${raw(chosen && chosen.by !== 'partition' ? '+' : '')}d.partition = ${partitionText(partition)}`)
  if (chosen?.rows) terms.push(sql`d.row IN (${chosen.rows})`)
  const bounds = orderBy === undefined || isUnordered || list ? [] : closestBounds(conjuncts(where), orderBy)
  const entering = chosen && typeof chosen.by === 'object' ? closestBounds(conjuncts(where), chosen.by, true) : []
  const useOf = (comparison: Comparison): ReturnType<UseOf> => {
    if (bounds.includes(comparison)) return isId(comparison.path) ? 'sought' : 'ordered'
    return chosen && !entering.includes(comparison) ? 'tested' : 'sought'
  }
  // A list index has exactly the documents that meet its condition.
  for (const condition of conjuncts(where)) if (!list || condition !== equality?.condition) terms.push(conditionSql(container, condition, useOf))
  return { from, terms, list }
}

/** For about every thousandth row, a function of the thread that runs the statement (worker/query-thread.ts), which ends the statement by throwing. */
const stopTest = raw(`(d.row & 1023 OR ${stopFunction}())`)

/** The first equality that a list index serves. SQLite enters other indexes itself, but a list index has to be joined. */
export function listEquality(container: SqliteContainer, { type, where }: Selection): IndexEquality | undefined {
  for (const condition of conjuncts(where)) {
    if (condition.op === 'eq' && condition.path.includes('*') && listFor(container, type, condition.path)) return { path: condition.path, sortKey: sortKeyOf(condition.value), condition }
  }
  return undefined
}

function listChosen(container: SqliteContainer, selection: Selection, chosen: ChosenIndex | undefined): IndexEquality | undefined {
  return chosen === undefined || chosen.by === 'list' ? listEquality(container, selection) : undefined
}

function orderColumns(container: SqliteContainer, { path, descending, thenBy = [] }: Order, list: ListIndex | undefined, isHidden = false): OrderColumns[] {
  if (list && samePath(list.orderBy, path) && thenBy.length === 0) return ['order_rank, order_value', 'id'].map((names) => ({ columns: names.split(', ').map((name) => raw(`${isHidden ? '+' : ''}s.${name}`)), descending }))
  const values = isId(path) ? [] : [{ path, descending }, ...thenBy]
  return [
    ...values.map((each) => {
      const { rank, value } = sortKeyIn(container, each.path, isHidden)
      return { columns: [rank, value], descending: each.descending }
    }),
    { columns: [raw(isHidden ? '+d.id' : 'd.id')], descending },
  ]
}
