// The documents that were written last, in a table that triggers keep: so also for an older version of Quire, or a person with a
// SQLite tool. A process that learns that others have committed finds here which of its cached documents to drop
// (external-writes.ts). The bodies are in the containers.
//
// The table sweeps itself. The newest row always stays, so that positions only grow. Each row has a random token: a row with
// the same position and token is the same write, also after a backup was restored, and so is everything before it.

import type { Trigger } from '../indexes/triggers.ts'
import { identifier, literal, raw, sql, type Sql } from '../sql/sql-fragment.ts'

const table = identifier('quire writes')

/** Rows are swept this many at a time, so that most writes sweep nothing. */
const sweptTogether = 1024
/** A process that has not looked for so many writes has to drop its whole cache. */
const kept = 8 * sweptTogether

export const recentWritesDefinitions: readonly Sql[] = [
  sql`CREATE TABLE IF NOT EXISTS ${table} (position INTEGER PRIMARY KEY, token INTEGER NOT NULL, container TEXT NOT NULL, key TEXT NOT NULL)`,
  // So that there is a newest row from the beginning.
  sql`INSERT INTO ${table} (token, container, key) SELECT ${newToken()}, '', '' WHERE NOT EXISTS (SELECT * FROM ${table})`,
]

export const sweepTrigger: Trigger = {
  name: 'quire writes sweep',
  body: sql`AFTER INSERT ON ${table} WHEN NEW.position % ${raw(String(sweptTogether))} = 0 BEGIN DELETE FROM ${table} WHERE position <= NEW.position - ${raw(String(kept))}; END`,
}

/**
 * OR REPLACE removes a row without a trigger for its deletion, so that the row in its way is noted before. Sort keys follow from the
 * body: setting them alone writes no document.
 */
export function recentWritesTriggers(container: string): Trigger[] {
  const documents = identifier(container)
  const note = (key: string, rest: Sql = raw('')): Sql => sql`INSERT INTO ${table} (token, container, key) SELECT ${newToken()}, ${literal(container)}, ${raw(key)}${rest};`
  const noteReplaced = note('key', sql` FROM ${documents} WHERE row = NEW.row AND key IS NOT NEW.key`)
  const trigger = (event: string, on: string, notes: readonly Sql[]): Trigger => ({
    name: `${container} noted ${event}`,
    body: sql`${raw(on)} ON ${documents} BEGIN ${raw(notes.map(({ text }) => text).join(' '))} END`,
  })
  return [
    trigger('before insert', 'BEFORE INSERT', [note('NEW.key'), noteReplaced]),
    trigger('after change', 'AFTER UPDATE OF row, key, partition, id, type, etag, bytes, body', [note('NEW.key')]),
    trigger('before move', 'BEFORE UPDATE OF row, key', [note('OLD.key'), noteReplaced]),
    trigger('after delete', 'AFTER DELETE', [note('OLD.key')]),
  ]
}

/** Row: position, token. */
export const newestWrite: Sql = sql`SELECT position, token FROM ${table} ORDER BY position DESC LIMIT 1`

/** Rows: position, token, container, key. */
export function writesFrom(position: number, limit: number): Sql {
  return sql`SELECT position, token, container, key FROM ${table} WHERE position >= ${position} ORDER BY position LIMIT ${limit}`
}

/** A JavaScript number can hold it. */
function newToken(): Sql {
  return raw('random() >> 11')
}
