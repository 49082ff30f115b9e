// Columns for the sort keys of indexed values, which indexes and pages use. Quire's writers set those that change
// (index-values.ts); triggers do it for other writers. Generated columns would need no help, but SQLite takes all of them
// for changed whenever the document changes, and would rewrite all indexes.

import type { DatabaseSync } from 'node:sqlite'
import type { Path } from '../../query.ts'
import { caseless, identifier, join, raw, sql, type Sql } from '../sql/sql-fragment.ts'
import { isChangedUnmarked } from './index-values.ts'
import { columns, jsonAt, sortKeyAt, type SortKey } from './sort-key.ts'
import { prepareTrigger, type Trigger } from './triggers.ts'

/** Adds the missing columns and fills them. */
export function prepareSortKeys(database: DatabaseSync, name: string, paths: readonly Path[], mark: string): void {
  const existing = columnsOf(database, name)
  const kindOf = (path: Path) => existing.get(caseless(rankName(path)))
  for (const path of paths) if (kindOf(path) === 'generated') dropGenerated(database, name, path)
  const missing = paths.filter((path) => kindOf(path) !== 'plain')
  const table = identifier(name)
  const filled = missing.length === 0 ? [] : [sql`UPDATE ${table} SET ${join(missing.map((path) => assignment(table, path)), ', ')}`]
  for (const { text } of [...missing.flatMap(sortKeyDefinitions).map((column) => sql`ALTER TABLE ${table} ADD COLUMN ${column}`), ...filled]) database.exec(text)
  for (const path of paths) for (const trigger of triggers(name, table, path, mark)) prepareTrigger(database, trigger)
}

/** The sort key of a path that has columns. */
export function sortKeyColumns(source: Sql, path: Path): SortKey {
  const { rank, value } = namesOf(path)
  return { rank: sql`${source}.${rank}`, value: sql`${source}.${value}` }
}

/** The names of the two columns. */
export function sortKeyNames(path: Path): Sql {
  return columns(namesOf(path))
}

export function sortKeyColumnNames(path: Path): Sql[] {
  const { rank, value } = namesOf(path)
  return [rank, value]
}

/** Whether these columns include those of a path. */
export function hasSortKey(existing: ReadonlyMap<string, unknown>, path: Path): boolean {
  return existing.has(caseless(rankName(path)))
}

/** The columns of a table; none if there is no such table. */
export function columnsOf(database: DatabaseSync, table: string): Map<string, 'plain' | 'generated'> {
  const found = database.prepare('SELECT name, hidden FROM pragma_table_xinfo(?)').all(caseless(table))
  return new Map(found.map(({ name, hidden }) => [String(name), hidden === 0 ? 'plain' : 'generated']))
}

/** The definitions of the two columns. A new table gets them when it is created: each change of a table makes SQLite read the whole schema again. */
export function sortKeyDefinitions(path: Path): Sql[] {
  const { rank, value } = namesOf(path)
  return [sql`${rank} INTEGER`, value]
}

/** Sets the two columns from the body of `source`. */
function assignment(source: Sql, path: Path): Sql {
  return sql`(${sortKeyNames(path)}) = (${columns(sortKeyAt(sql`${source}.body`, path))})`
}

function triggers(name: string, table: Sql, path: Path, mark: string): Trigger[] {
  const trigger = (event: string, on: Sql, when: Sql): Trigger => ({
    // Existing files have triggers of this name.
    name: `${name} places ${JSON.stringify(path)} after ${event}`,
    body: sql`AFTER ${on} ON ${table} WHEN ${when} BEGIN UPDATE ${table} SET ${assignment(raw('NEW'), path)} WHERE row = NEW.row; END`,
  })
  return [
    // A sort key is never NULL, so a column that is not NULL was set by the writer.
    trigger('insert', raw('INSERT'), sql`NEW.${namesOf(path).rank} IS NULL`),
    trigger('change', raw('UPDATE OF body'), sql`${isChangedUnmarked(mark)} AND (${jsonAt(raw('OLD.body'), path)}) IS NOT (${jsonAt(raw('NEW.body'), path)})`),
  ]
}

/** Older files have generated columns. Their indexes are dropped with them and created again. */
function dropGenerated(database: DatabaseSync, name: string, path: Path): void {
  const using = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND instr(sql, ?) > 0`)
  for (const { name: index } of using.all(caseless(name), namesOf(path).rank.text)) database.exec(`DROP INDEX "${String(index).replaceAll('"', '""')}"`)
  for (const column of [namesOf(path).rank, namesOf(path).value]) database.exec(sql`ALTER TABLE ${identifier(name)} DROP COLUMN ${column}`.text)
}

/** Cached by path: paths belong to the model, which lives as long as the store. */
function namesOf(path: Path): SortKey {
  let names = namesByPath.get(path)
  if (!names) namesByPath.set(path, (names = { rank: identifier(rankName(path)), value: identifier(`value of ${JSON.stringify(path)}`) }))
  return names
}

const namesByPath = new WeakMap<Path, SortKey>()

function rankName(path: Path): string {
  return `rank of ${JSON.stringify(path)}`
}
