// The tables of a SQLite file that hold documents, and what the file says of them.

import type { DatabaseSync } from 'node:sqlite'
import { objectIn } from '../../../model/json/json.ts'
import type { ExistingContainer } from '../../existing/existing-database.ts'
import { ownContainer } from '../../own-container.ts'
import type { Path } from '../../query.ts'
import { tenantPath } from '../../tenants/check-tenanted.ts'
import { withCase } from '../sql/sql-fragment.ts'
import { partitionPathsIn } from './partition-paths.ts'
import { idExpression, quoted, type IdColumns } from './id-expression.ts'

export interface Table extends IdColumns {
  readonly name: string
  readonly quoted: string
  readonly rows: number
  /** Whether rows have numbers, which a sample is spread by. */
  readonly hasRowId: boolean
  readonly container: ExistingContainer
}

export function tablesOf(database: DatabaseSync): Table[] {
  const all = database.prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`).all() as { name: string; sql: string }[]
  const own = all.filter(({ name }) => isContainer(columnsIn(database, name)))
  // Beside its containers, a file of Quire's has the tables of its indexes and of its feed.
  return (own.length > 0 ? own.filter(({ name }) => name !== ownContainer) : all).flatMap(({ name, sql }) => tableOf(database, name, own.length > 0, sql))
}

function tableOf(database: DatabaseSync, name: string, isOwn: boolean, sql: string): Table[] {
  const columns = columnsIn(database, name)
  const table = quoted(name)
  const { rows } = database.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { rows: number }
  if (rows === 0) return []
  const body = isOwn ? 'body' : columns.find((column) => holdsObjects(database, table, column))
  const indexed = isOwn ? new Set(columns.flatMap((column) => /^rank of (.*)$/.exec(withCase(column))?.[1] ?? [])) : new Set(body === undefined ? indexedColumns(database, name) : [])
  const idColumn = idColumnOf(database, name, columns)
  const container: ExistingContainer = {
    name: isOwn ? withCase(name) : name,
    documents: rows,
    ...(isOwn || body !== undefined || idColumn === 'id' ? {} : { idFrom: idColumn === 'rowid' ? '' : idColumn }),
    ...(isOwn ? {} : { isForeign: true, leftOut: leftOutOf(database, table, columns, body, idColumn) }),
    ...(isOwn ? partitionOf(partitionPathsIn(database, table)) : {}),
    ...(isOwn || body === undefined ? { isIndexed: (path) => indexed.has(JSON.stringify(path)) } : {}),
  }
  return [{ name: container.name, quoted: table, rows, body, isOwn, idColumn, hasRowId: !/WITHOUT\s+ROWID/i.test(sql), container }]
}

function partitionOf(paths: readonly Path[] | undefined): Pick<ExistingContainer, 'partitionKey' | 'isTenanted'> {
  const isTenanted = paths?.[0]?.join() === tenantPath.join()
  return { partitionKey: isTenanted ? paths.slice(1) : paths, isTenanted }
}

function isContainer(columns: readonly string[]): boolean {
  return ['row', 'key', 'partition', 'id', 'type', 'etag', 'bytes', 'body'].every((column) => columns.includes(column))
}

/** Whether the first rows have JSON objects there. */
function holdsObjects(database: DatabaseSync, table: string, column: string): boolean {
  const first = database.prepare(`SELECT ${quoted(column)} AS text FROM ${table} WHERE typeof(${quoted(column)}) = 'text' LIMIT 20`).all()
  return first.length > 0 && first.every(({ text }) => {
    return typeof text === 'string' && text.trimStart().startsWith('{') && objectIn(text) !== undefined
  })
}

/** `id`, or the primary key, or else the number of the row. */
function idColumnOf(database: DatabaseSync, table: string, columns: readonly string[]): string {
  if (columns.includes('id')) return 'id'
  const keys = database.prepare('SELECT name FROM pragma_table_xinfo(?) WHERE pk > 0').all(table)
  return keys.length === 1 ? String(keys[0]!['name']) : 'rowid'
}

function columnsIn(database: DatabaseSync, table: string): string[] {
  return database.prepare('SELECT name FROM pragma_table_xinfo(?)').all(table).map(({ name }) => String(name))
}

/** Bytes, which JSON cannot hold, and rows whose ids are the same text. */
function leftOutOf(database: DatabaseSync, table: string, columns: readonly string[], body: string | undefined, idColumn: string): string[] {
  const read = body === undefined ? columns : []
  const counts = read.map((column) => `coalesce(sum(typeof(${quoted(column)}) = 'blob'), 0)`)
  const found = Object.values(database.prepare(`SELECT ${['count(*)', `count(DISTINCT ${idExpression({ isOwn: false, body, idColumn })})`, ...counts].map((each, index) => `${each} AS c${index}`).join(', ')} FROM ${table}`).get()!) as number[]
  const [rows, ids, ...blobs] = found as [number, number, ...number[]]
  return [
    ...read.flatMap((column, index) => (blobs[index]! > 0 ? [`${column}, in ${blobs[index]} of ${rows} rows: bytes, which JSON cannot hold. Store them elsewhere, and their address here.`] : [])),
    ...(ids < rows ? [`${rows - ids} of ${rows} rows: their ids are the same text as that of another row, such as 1 and "1". The last of them counts.`] : []),
  ]
}

/** The first column of each index, as a path. */
function indexedColumns(database: DatabaseSync, table: string): string[] {
  const found = database.prepare('SELECT DISTINCT info.name FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info WHERE info.seqno = 0 AND info.name IS NOT NULL').all(table)
  return found.map(({ name }) => JSON.stringify([String(name)]))
}
