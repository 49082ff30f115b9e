// Columns for the places of indexed values, which indexes and pages are made of. Whoever writes sets those that
// change (index-values.ts), and triggers do it for whoever has not. Generated columns would do the same by
// themselves, but every one of them would count as changed with the document, and all its indexes would be written anew.

import type { DatabaseSync } from 'node:sqlite'
import type { Path } from '../../query.ts'
import { caseless, identifier, join, raw, sql, type Sql } from '../sql/sql-fragment.ts'
import { isChangedUnmarked } from './index-values.ts'
import { columns, jsonAt, placeAt, type Place } from './sort-key.ts'
import { prepareTrigger, type Trigger } from './triggers.ts'

/** Makes those that are missing, filled with what is there. */
export function preparePlaces(database: DatabaseSync, name: string, paths: readonly Path[], mark: string): void {
  const existing = columnsOf(database, name)
  const kindOf = (path: Path) => existing.get(caseless(rankName(path)))
  for (const path of paths) if (kindOf(path) === 'generated') dropGenerated(database, name, path)
  const missing = paths.filter((path) => kindOf(path) !== 'plain')
  const table = identifier(name)
  const filled = missing.length === 0 ? [] : [sql`UPDATE ${table} SET ${join(missing.map((path) => placed(table, path)), ', ')}`]
  for (const { text } of [...missing.flatMap((path) => columnDefinitions(table, path)), ...filled]) database.exec(text)
  for (const path of paths) for (const trigger of triggers(name, table, path, mark)) prepareTrigger(database, trigger)
}

/** The place of a path that has columns of its own. */
export function placeColumns(source: Sql, path: Path): Place {
  const { rank, value } = namesOf(path)
  return { rank: sql`${source}.${rank}`, value: sql`${source}.${value}` }
}

/** The names of the two columns. */
export function placeNames(path: Path): Sql {
  return columns(namesOf(path))
}

/** Whether a table with these columns has those of a path. */
export function hasPlace(existing: ReadonlyMap<string, unknown>, path: Path): boolean {
  return existing.has(caseless(rankName(path)))
}

/** The columns of a table; none when there is no such table. */
export function columnsOf(database: DatabaseSync, table: string): Map<string, 'plain' | 'generated'> {
  const found = database.prepare('SELECT name, hidden FROM pragma_table_xinfo(?)').all(caseless(table))
  return new Map(found.map(({ name, hidden }) => [String(name), hidden === 0 ? 'plain' : 'generated']))
}

function columnDefinitions(table: Sql, path: Path): Sql[] {
  const { rank, value } = namesOf(path)
  return [sql`ALTER TABLE ${table} ADD COLUMN ${rank} INTEGER`, sql`ALTER TABLE ${table} ADD COLUMN ${value}`]
}

/** The two columns as the document of `source` has it. */
function placed(source: Sql, path: Path): Sql {
  return sql`(${placeNames(path)}) = (${columns(placeAt(sql`${source}.body`, path))})`
}

function triggers(name: string, table: Sql, path: Path, mark: string): Trigger[] {
  const trigger = (event: string, on: Sql, when: Sql): Trigger => ({
    name: `${name} places ${JSON.stringify(path)} after ${event}`,
    body: sql`AFTER ${on} ON ${table} WHEN ${when} BEGIN UPDATE ${table} SET ${placed(raw('NEW'), path)} WHERE row = NEW.row; END`,
  })
  return [
    // No place is NULL: whoever knows of the column has set it already.
    trigger('insert', raw('INSERT'), sql`NEW.${namesOf(path).rank} IS NULL`),
    trigger('change', raw('UPDATE OF body'), sql`${isChangedUnmarked(mark)} AND (${jsonAt(raw('OLD.body'), path)}) IS NOT (${jsonAt(raw('NEW.body'), path)})`),
  ]
}

/** Files have had generated columns. Their indexes go with them, and are made again. */
function dropGenerated(database: DatabaseSync, name: string, path: Path): void {
  const using = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND instr(sql, ?) > 0`)
  for (const { name: index } of using.all(caseless(name), namesOf(path).rank.text)) database.exec(`DROP INDEX "${String(index).replaceAll('"', '""')}"`)
  for (const column of [namesOf(path).rank, namesOf(path).value]) database.exec(sql`ALTER TABLE ${identifier(name)} DROP COLUMN ${column}`.text)
}

/** Paths come from the model, which stays: what follows from one is worked out once. */
function namesOf(path: Path): Place {
  let names = namesByPath.get(path)
  if (!names) namesByPath.set(path, (names = { rank: identifier(rankName(path)), value: identifier(`value of ${JSON.stringify(path)}`) }))
  return names
}

const namesByPath = new WeakMap<Path, Place>()

function rankName(path: Path): string {
  return `rank of ${JSON.stringify(path)}`
}
