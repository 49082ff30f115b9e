// The change feed in SQLite: a table with one entry per document, which every write of the document moves to the end of
// its part. Entries are written in the transaction of the document (write/feed-writes.ts).
//
// Bodies stay in their containers; only the entry of a deletion holds one, the last. A document that was written before
// its container was followed enters the feed with its next write.

import { feedParts } from '../in-process/feed-parts.ts'
import type { SqliteContainer } from './prepare-layout.ts'
import { identifier, join, literal, raw, sql, type Sql } from './sql/sql-fragment.ts'

const name = 'quire feed'
const table = identifier(name)
const deletions = identifier('quire feed of deletions')
const columns = raw('part, sequence, container, key, at, deleted, body')

/** Rows are in the order in which they are read, so a write touches the end of one part, which is usually in memory, and the document's previous entry. */
export const feedDefinitions: readonly Sql[] = [
  sql`CREATE TABLE IF NOT EXISTS ${table} (
    part TEXT NOT NULL, sequence INTEGER NOT NULL, container TEXT NOT NULL, key TEXT NOT NULL,
    at INTEGER NOT NULL, deleted INTEGER NOT NULL, body TEXT, settled INTEGER, PRIMARY KEY (part, sequence)) WITHOUT ROWID`,
  sql`CREATE UNIQUE INDEX IF NOT EXISTS ${identifier('quire feed by document')} ON ${table} (container, key)`,
  sql`CREATE INDEX IF NOT EXISTS ${deletions} ON ${table} (part, sequence) WHERE deleted`,
]

/** Adds the column that the feed of an older file lacks. */
export const settledColumn = { table: name, column: 'settled', add: sql`ALTER TABLE ${table} ADD COLUMN settled INTEGER` }

/** Moves the feed of an older file, whose rows were in the order of sequences alone. Points stay valid. */
export const formerFeed = {
  name: 'quire changes',
  move: [
    sql`INSERT OR IGNORE INTO ${table} (${columns}) SELECT ${columns} FROM ${identifier('quire changes')}`,
    sql`DROP TABLE ${identifier('quire changes')}`,
  ],
}

/** Values: part, sequence, container, key, at. REPLACE removes the document's previous entry. */
export const putEntry = sql`INSERT OR REPLACE INTO ${table} (${columns}) VALUES (${raw('?, ?, ?, ?, ?')}, FALSE, NULL)`.text

/**
 * The same for a `settled` write, with its position as the last value. The entry moves, because subscribers wait for the document, but
 * a follower has nothing to do if the previous entry had been handled.
 */
export const putSettledEntry = sql`INSERT OR REPLACE INTO ${table} (${columns}, settled) VALUES (${raw('?1, ?2, ?3, ?4, ?5')}, FALSE, NULL,
  (SELECT f.settled IS TRUE OR f.sequence <= ${raw('?6')} FROM ${table} AS f WHERE f.container = ${raw('?3')} AND f.key = ${raw('?4')}))`.text

/** Values: part, sequence, container, at, row. Must run before the document is deleted. */
export function deleteEntry(container: SqliteContainer): string {
  return sql`INSERT OR REPLACE INTO ${table} (${columns})
    SELECT ${raw('?, ?, ?, key, ?')}, TRUE, body FROM ${container.table} WHERE row = ${raw('?')}`.text
}

/**
 * SQLite has one writer at a time, so sequences are in the order of commits and no entry ever appears before a point. An
 * entry without a body belongs to a document that was deleted while its container was not followed.
 */
export function changesSql(followed: readonly SqliteContainer[], part: string, sequence: number, limit: number): Sql {
  const entries = sql`SELECT sequence, part, container, key, at, deleted, settled, ${currentBody(followed)} AS body FROM ${table} AS c`
  return sql`SELECT sequence, container, key, at, deleted, settled, body FROM (${entries})
    WHERE part = ${part} AND sequence > ${sequence} AND body IS NOT NULL ORDER BY sequence LIMIT ${limit}`
}

/** Values: part, sequence. SQLite would walk through the whole part by itself. */
export const anyDeletion = sql`SELECT 1 FROM ${table} INDEXED BY ${deletions} WHERE deleted AND part = ${raw('?')} AND sequence <= ${raw('?')} LIMIT 1`.text

/** Values: part, sequence, limit. Its caller leaves the newest entry of all: the next sequence is counted from it. */
export const sweepDeletions = sql`DELETE FROM ${table} WHERE part = ${raw('?1')} AND sequence IN
  (SELECT sequence FROM ${table} INDEXED BY ${deletions} WHERE deleted AND part = ${raw('?1')} AND sequence <= ${raw('?2')} ORDER BY sequence LIMIT ${raw('?3')})`.text

/** The sequence and the time of the newest entry in any part. Entries are only ever replaced by later ones, and the newest is never swept, so both are the largest so far. */
export const newestEntry: Sql = sql`SELECT coalesce(max(sequence), 0), coalesce(max(at), 0) FROM (${join(feedParts.map(newestOf), ' UNION ALL ')})`

/** More writes than any history makes after a backup of it. */
const historyGap = 2 ** 32

/**
 * For a file that was restored: its next positions are beyond all that the lost writes after the backup can have had, so no session of a
 * client waits for one of them. The newest entry is read once more, which does no harm.
 */
export const beginNewHistory = sql`UPDATE ${table} SET sequence = sequence + ${raw(String(historyGap))} WHERE sequence = (SELECT max(sequence) FROM ${table})`.text

function newestOf(part: string): Sql {
  return sql`SELECT * FROM (SELECT sequence, at FROM ${table} WHERE part = ${literal(part)} ORDER BY sequence DESC LIMIT 1)`
}

/** Looks the body up by key in the container that the entry names, so that a page of the feed is one statement. */
function currentBody(followed: readonly SqliteContainer[]): Sql {
  if (followed.length === 0) return raw('NULL')
  const lookups = followed.map((container) =>
    sql`WHEN ${container.name} THEN coalesce(c.body, (SELECT d.body FROM ${container.table} AS d WHERE d.key = c.key))`)
  return sql`CASE c.container ${join(lookups, ' ')} END`
}
