// The tables, indexes and triggers behind a layout, made where they are missing. SQLite itself keeps
// every one of them true, so no write above has to know which exist.

import type { DatabaseSync } from 'node:sqlite'
import type { Path } from './query.ts'
import { feedDefinitions } from './sqlite-changes.ts'
import { caseless, identifier, join, literal, raw, sql, type Sql } from './sqlite-fragment.ts'
import { elementsAt, placeAt, type Place } from './sqlite-place.ts'
import type { ContainerLayout, IndexLayout } from './store.ts'

export interface SqliteContainer {
  readonly name: string
  readonly followed: boolean
  readonly table: Sql
  /** The paths, as JSON, whose places are columns; those of all others are worked out on the way. */
  readonly placed: ReadonlySet<string>
  readonly lists: readonly ListIndex[]
}

/** An index over the elements of lists, as a table: one row for each distinct value in each document. */
export interface ListIndex {
  readonly table: Sql
  readonly type: string | undefined
  readonly equals: Path
  readonly orderBy: Path
}

/** Run it in a transaction: a half-made layout would not be noticed the next time. */
export function prepareLayout(database: DatabaseSync, layout: readonly ContainerLayout[]): Map<string, SqliteContainer> {
  for (const { text } of feedDefinitions) database.exec(text)
  return new Map(layout.map((container) => [container.name, prepareContainer(database, container)]))
}

/** The place of a path that has columns of its own. */
export function placeColumns(source: Sql, path: Path): Place {
  return { rank: sql`${source}.${rankColumn(path)}`, value: sql`${source}.${valueColumn(path)}` }
}

export function isId(path: Path): boolean {
  return path.length === 1 && path[0] === 'id'
}

export function samePath(a: Path, b: Path): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function prepareContainer(database: DatabaseSync, { name, indexes, followed = false }: ContainerLayout): SqliteContainer {
  const run = ({ text }: Sql): void => database.exec(text)
  const table = identifier(name)
  // `row` is spelt out since VACUUM renumbers rows that have no integer key, and list indexes point at
  // them. `id` has no type, or SQLite would turn a number that it is compared with into a text.
  run(sql`CREATE TABLE IF NOT EXISTS ${table} (
    row INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, partition TEXT NOT NULL, id NOT NULL,
    type TEXT, etag TEXT NOT NULL, bytes INTEGER NOT NULL, body TEXT NOT NULL)`)
  for (const columns of ['id', 'type, id', 'partition, id', 'partition, type, id']) {
    run(sql`CREATE INDEX IF NOT EXISTS ${identifier(`${name} by ${columns}`)} ON ${table} (${raw(columns)})`)
  }
  const paths = placedPaths(indexes)
  const existing = columnsOf(database, name)
  for (const path of paths) {
    if (!existing.has(caseless(rankName(path)))) placeDefinitions(table, path).forEach(run)
  }
  const lists = indexes.filter(isOverLists).map((index) => listIndex(name, index))
  for (const list of lists) {
    if (columnsOf(database, listName(name, list)).size === 0) listDefinitions(name, table, list).forEach(run)
  }
  for (const index of indexes) if (!isOverLists(index)) run(indexDefinition(name, table, index))
  return { name, followed, table, placed: new Set(paths.map((path) => JSON.stringify(path))), lists }
}

/**
 * Virtual columns cost nothing until an index holds them. Plain expressions in an index would not
 * do: SQLite seeks by a row value, as pages do, only where its parts are columns.
 */
function placeDefinitions(table: Sql, path: Path): Sql[] {
  const { rank, value } = placeAt(raw('body'), path)
  return [
    sql`ALTER TABLE ${table} ADD COLUMN ${rankColumn(path)} INTEGER GENERATED ALWAYS AS (${rank}) VIRTUAL`,
    sql`ALTER TABLE ${table} ADD COLUMN ${valueColumn(path)} GENERATED ALWAYS AS (${value}) VIRTUAL`,
  ]
}

function indexDefinition(name: string, table: Sql, { type, equals, orderBy }: IndexLayout): Sql {
  const paths = [equals, orderBy].filter((path) => path !== undefined).filter((path) => !isId(path))
  const first = type === undefined ? [] : ['type']
  const index = identifier(`${name} by ${[...first, ...paths.map((path) => JSON.stringify(path)), 'id'].join(', ')}`)
  const columns = [...first.map(raw), ...paths.flatMap((path) => [rankColumn(path), valueColumn(path)]), raw('id')]
  return sql`CREATE INDEX IF NOT EXISTS ${index} ON ${table} (${join(columns, ', ')})`
}

function listDefinitions(name: string, table: Sql, list: ListIndex): Sql[] {
  const trigger = (event: string): Sql => identifier(`${listName(name, list)} after ${event}`)
  const drop = sql`DELETE FROM ${list.table} WHERE row = OLD.row;`
  const add = sql`${listRows(list, raw('NEW'), [])};`
  return [
    sql`CREATE TABLE ${list.table} (rank INTEGER NOT NULL, value NOT NULL, order_rank INTEGER NOT NULL, order_value NOT NULL,
      id NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (rank, value, order_rank, order_value, id, row)) WITHOUT ROWID`,
    sql`CREATE INDEX ${identifier(`${listName(name, list)} by row`)} ON ${list.table} (row)`,
    sql`CREATE TRIGGER ${trigger('insert')} AFTER INSERT ON ${table} BEGIN ${add} END`,
    sql`CREATE TRIGGER ${trigger('update')} AFTER UPDATE ON ${table} BEGIN ${drop} ${add} END`,
    sql`CREATE TRIGGER ${trigger('delete')} AFTER DELETE ON ${table} BEGIN ${drop} END`,
    listRows(list, raw('d'), [sql`${table} AS d`]),
  ]
}

/** The rows that a document has in a list index, for the document that `source` names. */
function listRows({ table, type, equals, orderBy }: ListIndex, source: Sql, tables: readonly Sql[]): Sql {
  const body = sql`${source}.body`
  const { from, guard, place } = elementsAt(body, equals)
  const order = placeAt(body, orderBy)
  const ofType = type === undefined ? raw('TRUE') : sql`${source}.type = ${literal(type)}`
  return sql`INSERT INTO ${table} SELECT DISTINCT ${place.rank}, ${place.value}, ${order.rank}, ${order.value}, ${source}.id, ${source}.row
    FROM ${join([...tables, from], ' JOIN ')} WHERE ${ofType} AND ${guard}`
}

function listIndex(name: string, { type, equals, orderBy = ['id'] }: IndexLayout & { readonly equals: Path }): ListIndex {
  const list = { type, equals, orderBy }
  return { table: identifier(listName(name, list)), ...list }
}

function listName(name: string, { type, equals, orderBy }: Omit<ListIndex, 'table'>): string {
  return `${name} by ${JSON.stringify([type ?? null, equals, orderBy])}`
}

function isOverLists(index: IndexLayout): index is IndexLayout & { readonly equals: Path } {
  return index.equals?.includes('*') ?? false
}

/** Each path once; lists have tables of their own and the id is a column anyway. */
function placedPaths(indexes: readonly IndexLayout[]): Path[] {
  const paths = indexes.filter((index) => !isOverLists(index)).flatMap(({ equals, orderBy }) => [equals, orderBy])
  const byText = new Map(paths.filter((path) => path !== undefined).map((path) => [JSON.stringify(path), path]))
  return [...byText.values()].filter((path) => !isId(path))
}

function rankColumn(path: Path): Sql {
  return identifier(rankName(path))
}

function rankName(path: Path): string {
  return `rank of ${JSON.stringify(path)}`
}

function valueColumn(path: Path): Sql {
  return identifier(`value of ${JSON.stringify(path)}`)
}

/** The names of a table's columns, virtual ones too; none when there is no such table. */
function columnsOf(database: DatabaseSync, table: string): Set<string> {
  const columns = database.prepare('SELECT name FROM pragma_table_xinfo(?)').all(caseless(table))
  return new Set(columns.map(({ name }) => String(name)))
}
