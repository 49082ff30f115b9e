// Creates missing triggers, and replaces those that a file has in an older form.

import type { DatabaseSync } from 'node:sqlite'
import { caseless, identifier, sql, type Sql } from '../sql/sql-fragment.ts'

export interface Trigger {
  readonly name: string
  /** The definition after the name, up to END. */
  readonly body: Sql
}

export function prepareTrigger(database: DatabaseSync, trigger: Trigger): void {
  const { name } = trigger
  const text = triggerSql(trigger)
  const found = database.prepare(`SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?`).get(caseless(name))
  // Older versions compare only the name, and leave the trigger as it is.
  if (found?.['sql'] === text) return
  if (found) database.exec(sql`DROP TRIGGER ${identifier(name)}`.text)
  database.exec(text)
}

/** As SQLite keeps it in its schema. */
export function triggerSql({ name, body }: Trigger): string {
  return sql`CREATE TRIGGER ${identifier(name)} ${body}`.text
}
