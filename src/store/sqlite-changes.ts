// The change feed in SQLite: one table in which each document has one entry, moved to the end by every
// write of it. It is written in the transaction that writes the document; sqlite.ts sees to that.
//
// Bodies stay in their containers: only the entry of a deletion keeps one, the last. What was there
// before its container was followed is in the feed from its next write on.

import { identifier, join, raw, sql, type Sql } from './sqlite-fragment.ts'
import type { SqliteContainer } from './sqlite-layout.ts'

const table = identifier('quire changes')

export interface Entry {
  readonly key: string
  readonly part: string
  readonly at: number
}

/** AUTOINCREMENT never gives a sequence twice, so that no point ever means another place. */
export const feedDefinitions: readonly Sql[] = [
  sql`CREATE TABLE IF NOT EXISTS ${table} (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, container TEXT NOT NULL, key TEXT NOT NULL, part TEXT NOT NULL,
    at INTEGER NOT NULL, deleted INTEGER NOT NULL, body TEXT, UNIQUE (container, key))`,
  sql`CREATE INDEX IF NOT EXISTS ${identifier('quire changes by part, sequence')} ON ${table} (part, sequence)`,
]

export function putEntrySql({ name }: SqliteContainer, { key, part, at }: Entry): Sql {
  return sql`${replaceInto} VALUES (${name}, ${key}, ${part}, ${notBefore(at)}, FALSE, NULL)`
}

/** To be run before the document is deleted. For one that is not there it does nothing. */
export function deleteEntrySql(container: SqliteContainer, { key, part, at }: Entry): Sql {
  return sql`${replaceInto} SELECT ${container.name}, key, ${part}, ${notBefore(at)}, TRUE, body FROM ${container.table} WHERE key = ${key}`
}

/**
 * Single-writer SQLite hands out sequences in the order of commits, so nothing ever appears in front
 * of a point. An entry without a body is of a document that was deleted while nobody followed it.
 */
export function changesSql(followed: readonly SqliteContainer[], part: string, sequence: number, limit: number): Sql {
  const entries = sql`SELECT sequence, part, container, key, at, deleted, ${bodyNow(followed)} AS body FROM ${table} AS c`
  return sql`SELECT sequence, container, key, at, deleted, body FROM (${entries})
    WHERE part = ${part} AND sequence > ${sequence} AND body IS NOT NULL ORDER BY sequence LIMIT ${limit}`
}

export const lastChangeSql: Sql = sql`SELECT coalesce(max(sequence), 0) AS last FROM ${table}`

/** REPLACE drops the entry that the document has and adds one with the next sequence. */
const replaceInto = sql`INSERT OR REPLACE INTO ${table} (container, key, part, at, deleted, body)`

/** Never earlier than the entry before, whichever process made it and whatever its clock says. */
function notBefore(at: number): Sql {
  return sql`max(${at}, coalesce((SELECT at FROM ${table} ORDER BY sequence DESC LIMIT 1), 0))`
}

/** A lookup by key in the one container that the entry names, so that a page is one statement whatever their number. */
function bodyNow(followed: readonly SqliteContainer[]): Sql {
  if (followed.length === 0) return raw('NULL')
  const lookups = followed.map((container) =>
    sql`WHEN ${container.name} THEN coalesce(c.body, (SELECT d.body FROM ${container.table} AS d WHERE d.key = c.key))`)
  return sql`CASE c.container ${join(lookups, ' ')} END`
}
