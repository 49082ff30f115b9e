// The tables, indexes and triggers behind a layout, made where they are missing. SQLite itself keeps
// every one of them true for those who do not know which exist.

import type { DatabaseSync } from 'node:sqlite'
import type { Path } from '../query.ts'
import { feedDefinitions, formerFeed } from './change-feed.ts'
import { identifier, join, raw, sql, type Sql } from './sql/sql-fragment.ts'
import { markOf } from './indexes/index-values.ts'
import { prepareListIndex, type ListIndex } from './indexes/list-index.ts'
import { columnsOf, hasPlace, placeNames, preparePlaces } from './indexes/sort-key-columns.ts'
import type { ContainerLayout, IndexLayout } from '../store.ts'
import { checkTenanted, tenantPath } from '../tenants/check-tenanted.ts'

export interface SqliteContainer {
  readonly name: string
  readonly followed: boolean
  readonly table: Sql
  /** At the end of an etag: whoever wrote it has seen to these places and lists. */
  readonly mark: string
  /** The paths whose places are columns; those of all others are worked out on the way. */
  readonly places: readonly Path[]
  /** The same, as JSON. */
  readonly placed: ReadonlySet<string>
  readonly lists: readonly ListIndex[]
}

/** Run it in a transaction: a half-made layout would not be noticed the next time. */
export function prepareLayout(database: DatabaseSync, layout: readonly ContainerLayout[]): Map<string, SqliteContainer> {
  for (const { text } of feedDefinitions) database.exec(text)
  if (columnsOf(database, formerFeed.name).size > 0) for (const { text } of formerFeed.move) database.exec(text)
  return new Map(layout.map((container) => [container.name, prepareContainer(database, container)]))
}

export function isId(path: Path): boolean {
  return path.length === 1 && path[0] === 'id'
}

export function samePath(a: Path, b: Path): boolean {
  return a === b || (a.length === b.length && a.every((name, at) => name === b[at]))
}

function prepareContainer(database: DatabaseSync, { name, indexes, followed = false, untyped = false, tenanted = false }: ContainerLayout): SqliteContainer {
  const run = ({ text }: Sql): void => database.exec(text)
  const table = identifier(name)
  const tenant = tenanted ? tenantPath : undefined
  const existing = columnsOf(database, name)
  if (existing.size > 0) checkTenanted(name, hasPlace(existing, tenantPath), tenanted)
  // `row` is spelt out since VACUUM renumbers rows that have no integer key, and list indexes point at
  // them. `id` has no type, or SQLite would turn a number that it is compared with into a text.
  run(sql`CREATE TABLE IF NOT EXISTS ${table} (
    row INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, partition TEXT NOT NULL, id NOT NULL,
    type TEXT, etag TEXT NOT NULL, bytes INTEGER NOT NULL, body TEXT NOT NULL)`)
  const places = placedPaths(indexes, tenant)
  const overLists = indexes.filter(isOverLists).map(({ type, equals, orderBy = ['id'] }) => ({ type, equals, orderBy, tenant }))
  const mark = markOf(places, overLists)
  preparePlaces(database, name, places, mark)
  for (const columns of ['id', 'partition, id', 'type, id', 'partition, type, id']) {
    const index = identifier(`${name} by ${columns}`)
    // A partition is one tenant's anyway.
    const whose = tenant && !columns.includes('partition') ? sql`${placeNames(tenant)}, ` : raw('')
    // An index that nobody goes along would still be written with every new document.
    run(untyped && columns.includes('type') ? sql`DROP INDEX IF EXISTS ${index}` : sql`CREATE INDEX IF NOT EXISTS ${index} ON ${table} (${whose}${raw(columns)})`)
  }
  const lists = overLists.map((index) => prepareListIndex(database, name, index, mark))
  for (const index of indexes) if (!isOverLists(index)) run(indexDefinition(name, table, index, tenant))
  return { name, followed: followed === true, table, mark, places, placed: new Set(places.map((path) => JSON.stringify(path))), lists }
}

function indexDefinition(name: string, table: Sql, { type, equals, orderBy }: IndexLayout, tenant: Path | undefined): Sql {
  const paths = [tenant, equals, orderBy].filter((path) => path !== undefined).filter((path) => !isId(path))
  const first = type === undefined ? [] : ['type']
  const index = identifier(`${name} by ${[...first, ...paths.map((path) => JSON.stringify(path)), 'id'].join(', ')}`)
  return sql`CREATE INDEX IF NOT EXISTS ${index} ON ${table} (${join([...first.map(raw), ...paths.map(placeNames), raw('id')], ', ')})`
}

function isOverLists(index: IndexLayout): index is IndexLayout & { readonly equals: Path } {
  return index.equals?.includes('*') ?? false
}

/** Each path once; lists have tables of their own and the id is a column anyway. */
function placedPaths(indexes: readonly IndexLayout[], tenant: Path | undefined): Path[] {
  const paths = [tenant, ...indexes.filter((index) => !isOverLists(index)).flatMap(({ equals, orderBy }) => [equals, orderBy])]
  const byText = new Map(paths.filter((path) => path !== undefined).map((path) => [JSON.stringify(path), path]))
  return [...byText.values()].filter((path) => !isId(path))
}
