// Creates the missing tables, indexes and triggers of a layout. Triggers keep indexes right for writers that do not know
// of them: an older version of Quire, a process with another layout, or a person with a SQLite tool.

import type { DatabaseSync } from 'node:sqlite'
import { isId, type Path } from '../query.ts'
import type { ContainerLayout, IndexLayout } from '../store.ts'
import { checkTenanted, tenantPath } from '../tenants/check-tenanted.ts'
import { settledColumn, feedDefinitions, formerFeed } from './change-feed.ts'
import { etagTrigger } from './indexes/etag-trigger.ts'
import { markOf } from './indexes/index-values.ts'
import { prepareListIndex, type ListIndex } from './indexes/list-index.ts'
import { columnsOf, hasSortKey, prepareSortKeys, sortKeyColumnNames, sortKeyDefinitions, sortKeyNames } from './indexes/sort-key-columns.ts'
import { prepareTrigger } from './indexes/triggers.ts'
import { recentWritesDefinitions, recentWritesTriggers, sweepTrigger } from './cache/recent-writes.ts'
import { identifier, join, raw, sql, type Sql } from './sql/sql-fragment.ts'

export interface SqliteContainer {
  readonly name: string
  /** Whether writes of its documents enter the feed. */
  readonly followed: boolean
  /** Whether the feed may have entries of it: it is followed, or was by a gateway in another effects mode. */
  readonly inFeed: boolean
  readonly table: Sql
  /** The end of an etag whose writer has updated the sort keys and list indexes of this layout. */
  readonly mark: string
  /** The paths whose sort keys have columns; the sort keys of others are computed by the statement. */
  readonly sortKeyPaths: readonly Path[]
  /** The same, as JSON. */
  readonly sortKeyPathTexts: ReadonlySet<string>
  readonly lists: readonly ListIndex[]
  /** The indexes over single values. */
  readonly indexes: readonly IndexLayout[]
  readonly tenanted: boolean
}

/** Call it in a transaction: a layout that is only half created would not be noticed the next time. */
export function prepareLayout(database: DatabaseSync, layout: readonly ContainerLayout[]): Map<string, SqliteContainer> {
  const feedColumns = columnsOf(database, settledColumn.table)
  if (feedColumns.size > 0 && !feedColumns.has(settledColumn.column)) database.exec(settledColumn.add.text)
  for (const { text } of feedDefinitions) database.exec(text)
  if (columnsOf(database, formerFeed.name).size > 0) for (const { text } of formerFeed.move) database.exec(text)
  for (const { text } of recentWritesDefinitions) database.exec(text)
  prepareTrigger(database, sweepTrigger)
  return new Map(layout.map((container) => [container.name, prepareContainer(database, container)]))
}

function prepareContainer(database: DatabaseSync, { name, indexes, followed = false, untyped = false, tenanted = false }: ContainerLayout): SqliteContainer {
  const run = ({ text }: Sql): void => database.exec(text)
  const table = identifier(name)
  const tenant = tenanted ? tenantPath : undefined
  const existing = columnsOf(database, name)
  if (existing.size > 0) checkTenanted(name, hasSortKey(existing, tenantPath), tenanted)
  const sortKeyPaths = sortKeyPathsOf(indexes, tenant)
  run(sql`CREATE TABLE IF NOT EXISTS ${table} (${join([raw(ownColumns), ...sortKeyPaths.flatMap(sortKeyDefinitions)], ', ')})`)
  const listLayouts = indexes.filter(isOverLists).map(({ type, equals, orderBy = ['id'] }) => ({ type, equals, orderBy, tenant }))
  const mark = markOf(sortKeyPaths, listLayouts)
  prepareSortKeys(database, name, sortKeyPaths, mark)
  for (const trigger of [etagTrigger(name), ...recentWritesTriggers(name)]) prepareTrigger(database, trigger)
  for (const columns of ['id', 'partition, id', 'type, id', 'partition, type, id']) {
    const index = identifier(`${name} by ${columns}`)
    // A partition belongs to one tenant, so its index need not begin with the tenant.
    const tenantColumns = tenant && !columns.includes('partition') ? sql`${sortKeyNames(tenant)}, ` : raw('')
    // An index that no query uses would still cost every write.
    run(untyped && columns.includes('type') ? sql`DROP INDEX IF EXISTS ${index}` : sql`CREATE INDEX IF NOT EXISTS ${index} ON ${table} (${tenantColumns}${raw(columns)})`)
  }
  const lists = listLayouts.map((index) => prepareListIndex(database, name, index, mark))
  for (const index of indexes) if (!isOverLists(index)) run(indexDefinition(name, table, index, tenant))
  return { name, followed: followed === true, inFeed: followed !== false, table, mark, sortKeyPaths, sortKeyPathTexts: new Set(sortKeyPaths.map((path) => JSON.stringify(path))), lists, indexes: indexes.filter((index) => !isOverLists(index)), tenanted }
}

/**
 * `row` is declared because VACUUM renumbers rows without an integer key, and list indexes point at rows. `id` has no type, or
 * SQLite would convert a number that it is compared with into text.
 */
const ownColumns = `row INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, partition TEXT NOT NULL, id NOT NULL,
  type TEXT, etag TEXT NOT NULL, bytes INTEGER NOT NULL, body TEXT NOT NULL`

function indexDefinition(name: string, table: Sql, { type, equals, orderBy, thenBy = [] }: IndexLayout, tenant: Path | undefined): Sql {
  const paths = [tenant, equals, orderBy].filter((path) => path !== undefined).filter((path) => !isId(path))
  const first = type === undefined ? [] : ['type']
  const further = thenBy.map(({ path, isOpposite }) => ({ text: `${JSON.stringify(path)}${isOpposite ? ' DESC' : ''}`, columns: isOpposite ? sql`${join(sortKeyColumnNames(path), ' DESC, ')} DESC` : sortKeyNames(path) }))
  const index = identifier(`${name} by ${[...first, ...paths.map((path) => JSON.stringify(path)), ...further.map(({ text }) => text), 'id'].join(', ')}`)
  return sql`CREATE INDEX IF NOT EXISTS ${index} ON ${table} (${join([...first.map(raw), ...paths.map(sortKeyNames), ...further.map((each) => each.columns), raw('id')], ', ')})`
}

function isOverLists(index: IndexLayout): index is IndexLayout & { readonly equals: Path } {
  return index.equals?.includes('*') ?? false
}

/** Each path once, without lists, which have tables of their own, and without the id, which is a column anyway. */
function sortKeyPathsOf(indexes: readonly IndexLayout[], tenant: Path | undefined): Path[] {
  const paths = [tenant, ...indexes.filter((index) => !isOverLists(index)).flatMap(({ equals, orderBy, thenBy = [] }) => [equals, orderBy, ...thenBy.map(({ path }) => path)])]
  const byText = new Map(paths.filter((path) => path !== undefined).map((path) => [JSON.stringify(path), path]))
  return [...byText.values()].filter((path) => !isId(path))
}
