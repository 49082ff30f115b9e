// Indexes over the elements of lists, as tables: one row for each distinct value of each document. Quire's writers update
// them (index-values.ts); triggers do it for other writers.

import type { DatabaseSync } from 'node:sqlite'
import type { Path } from '../../query.ts'
import { identifier, join, literal, raw, sql, type Sql } from '../sql/sql-fragment.ts'
import { isChangedUnmarked, isUnmarked } from './index-values.ts'
import { columnsOf } from './sort-key-columns.ts'
import { columns, elementsAt, jsonAt, sortKeyAt, type Elements } from './sort-key.ts'
import { prepareTrigger, type Trigger } from './triggers.ts'

export interface ListIndex {
  readonly table: Sql
  readonly type: string | undefined
  readonly equals: Path
  readonly orderBy: Path
  /** The path of the tenant, in a tenanted container: the rows are then ordered by tenant first. */
  readonly tenant: Path | undefined
}

/** Creates and fills the index if it is missing. */
export function prepareListIndex(database: DatabaseSync, container: string, index: Omit<ListIndex, 'table'>, mark: string): ListIndex {
  const name = `${container} by ${JSON.stringify([index.type ?? null, index.equals, index.orderBy])}`
  const list = { ...index, table: identifier(name) }
  const isNew = columnsOf(database, name).size === 0
  if (isNew) for (const { text } of definitions(name, identifier(container), list)) database.exec(text)
  // Older files have a trigger that rewrites all rows on every change.
  database.exec(sql`DROP TRIGGER IF EXISTS ${identifier(`${name} after update`)}`.text)
  for (const trigger of triggers(name, identifier(container), list, mark)) prepareTrigger(database, trigger)
  return list
}

function definitions(name: string, documents: Sql, list: ListIndex): Sql[] {
  return [
    sql`CREATE TABLE ${list.table} (${raw(list.tenant ? 'tenant NOT NULL, ' : '')}rank INTEGER NOT NULL, value NOT NULL, order_rank INTEGER NOT NULL, order_value NOT NULL,
      id NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (${raw(list.tenant ? 'tenant, ' : '')}rank, value, order_rank, order_value, id, row)) WITHOUT ROWID`,
    sql`CREATE INDEX ${identifier(`${name} by row`)} ON ${list.table} (row)`,
    rowsOf(list, raw('d'), [sql`${documents} AS d`]),
  ]
}

function triggers(name: string, documents: Sql, list: ListIndex, mark: string): Trigger[] {
  return [
    { name: `${name} after insert`, body: sql`AFTER INSERT ON ${documents} WHEN ${isUnmarked(mark)} BEGIN ${rowsOf(list, raw('NEW'), [])}; END` },
    { name: `${name} after delete`, body: sql`AFTER DELETE ON ${documents} BEGIN ${drop(list)} END` },
    { name: `${name} after change`, body: afterChange(documents, list, mark) },
  ]
}

/**
 * Runs only if a value, the order or the type has changed: lists often hold more than their indexed values. It compares
 * JSON texts, first those of the whole list, which are usually equal.
 */
function afterChange(documents: Sql, list: ListIndex, mark: string): Sql {
  const elements = (source: string) => elementsAt(raw(`${source}.body`), list.equals)
  const order = (source: string): Sql => jsonAt(raw(`${source}.body`), list.orderBy)
  const [old, now] = [elements('OLD'), elements('NEW')]
  return sql`AFTER UPDATE OF type, body ON ${documents}
    WHEN ${isChangedUnmarked(mark)} AND (OLD.type IS NOT NEW.type OR (${order('OLD')}) IS NOT (${order('NEW')})
      OR ((${old.list}) IS NOT (${now.list}) AND ${values(old)} IS NOT ${values(now)}))
    BEGIN ${drop(list)} ${rowsOf(list, raw('NEW'), [])}; END`
}

function values({ from, guard, json }: Elements): Sql {
  return sql`(SELECT json_group_array(${json}) FROM ${from} WHERE ${guard})`
}

function drop({ table }: ListIndex): Sql {
  return sql`DELETE FROM ${table} WHERE row = OLD.row;`
}

/** Inserts the rows of a document into a list index. `source` names the document. */
function rowsOf({ table, type, equals, orderBy, tenant }: ListIndex, source: Sql, tables: readonly Sql[]): Sql {
  const body = sql`${source}.body`
  const { from, guard, sortKey } = elementsAt(body, equals)
  const ofType = type === undefined ? raw('TRUE') : sql`${source}.type = ${literal(type)}`
  const tenantColumn = tenant ? sql`${sortKeyAt(body, tenant).value}, ` : raw('')
  return sql`INSERT INTO ${table} SELECT DISTINCT ${tenantColumn}${columns(sortKey)}, ${columns(sortKeyAt(body, orderBy))}, ${source}.id, ${source}.row
    FROM ${join([...tables, from], ' JOIN ')} WHERE ${ofType} AND ${guard}`
}
