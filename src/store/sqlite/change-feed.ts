// The change feed in SQLite: one table in which each document has one entry, moved to the end of its
// part by every write of it. It is written in the transaction that writes the document; sqlite-store.ts sees to that.
//
// Bodies stay in their containers: only the entry of a deletion keeps one, the last. What was there
// before its container was followed is in the feed from its next write on.

import { feedParts } from '../in-process/feed-points.ts'
import { identifier, join, literal, raw, sql, type Sql } from './sql/sql-fragment.ts'
import type { SqliteContainer } from './layout.ts'

const table = identifier('quire feed')

/** Kept in the order in which it is read, so that a write touches the end of one part, where others have just been, and the place where its document was. */
export const feedDefinitions: readonly Sql[] = [
  sql`CREATE TABLE IF NOT EXISTS ${table} (
    part TEXT NOT NULL, sequence INTEGER NOT NULL, container TEXT NOT NULL, key TEXT NOT NULL,
    at INTEGER NOT NULL, deleted INTEGER NOT NULL, body TEXT, PRIMARY KEY (part, sequence)) WITHOUT ROWID`,
  sql`CREATE UNIQUE INDEX IF NOT EXISTS ${identifier('quire feed by document')} ON ${table} (container, key)`,
]

/** From a file whose feed was kept in the order of its sequence alone. Points stay what they were. */
export const formerFeed = {
  name: 'quire changes',
  move: [
    sql`INSERT OR IGNORE INTO ${table} (part, sequence, container, key, at, deleted, body)
      SELECT part, sequence, container, key, at, deleted, body FROM ${identifier('quire changes')}`,
    sql`DROP TABLE ${identifier('quire changes')}`,
  ],
}

/** Values: part, sequence, container, key, at. REPLACE drops the entry that the document has. */
export const putEntry = sql`INSERT OR REPLACE INTO ${table} (part, sequence, container, key, at, deleted, body) VALUES (${raw('?, ?, ?, ?, ?')}, FALSE, NULL)`.text

/** Values: part, sequence, container, at, row. To be run before the document is deleted. */
export function deleteEntry(container: SqliteContainer): string {
  return sql`INSERT OR REPLACE INTO ${table} (part, sequence, container, key, at, deleted, body)
    SELECT ${raw('?, ?, ?, key, ?')}, TRUE, body FROM ${container.table} WHERE row = ${raw('?')}`.text
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

/** The newest entry in whichever part: its sequence and its time, which grow together. Entries are replaced by later ones and never just removed. */
export const newestEntry: Sql = sql`SELECT coalesce(max(sequence), 0), coalesce(max(at), 0) FROM (${join(feedParts.map(lastOf), ' UNION ALL ')})`

function lastOf(part: string): Sql {
  return sql`SELECT * FROM (SELECT sequence, at FROM ${table} WHERE part = ${literal(part)} ORDER BY sequence DESC LIMIT 1)`
}

/** A lookup by key in the one container that the entry names, so that a page is one statement whatever their number. */
function bodyNow(followed: readonly SqliteContainer[]): Sql {
  if (followed.length === 0) return raw('NULL')
  const lookups = followed.map((container) =>
    sql`WHEN ${container.name} THEN coalesce(c.body, (SELECT d.body FROM ${container.table} AS d WHERE d.key = c.key))`)
  return sql`CASE c.container ${join(lookups, ' ')} END`
}
