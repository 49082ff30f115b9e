// The statements that write one document, made once for each container. An index is rewritten whenever
// one of its columns is mentioned, and pages of indexes are most of what a commit writes: so a document
// that changes has its columns set one by one where they differ, by SQLite itself (sqlite-place-columns.ts).

import { join, raw, sql, type Sql } from './sqlite-fragment.ts'
import type { SqliteContainer } from './sqlite-layout.ts'
import { placeNames } from './sqlite-place-columns.ts'
import { columns, placeAt } from './sqlite-place.ts'

export interface WriteStatements {
  /** Values: type, key. Row: row, etag, bytes, and whether the type is the same. */
  readonly find: string
  /** Values: key, partition, id, type, etag, bytes, body. */
  readonly insert: string
  /** Values: etag, bytes, body, row. */
  readonly update: string
  /** Values: type, row. */
  readonly retype: string
  /** Values: row. */
  readonly remove: string
}

export function writeStatements({ table, places }: SqliteContainer): WriteStatements {
  const ofPlaces = (part: (path: SqliteContainer['places'][number]) => Sql): Sql => join(places.map((path) => sql`, ${part(path)}`), '')
  return {
    find: sql`SELECT row, etag, bytes, type IS ${raw('?')} FROM ${table} WHERE key = ${raw('?')}`.text,
    insert: sql`INSERT INTO ${table} (key, partition, id, type, etag, bytes, body${ofPlaces(placeNames)})
      SELECT ${raw('?, ?, ?, ?, ?, ?')}, n.body${ofPlaces((path) => columns(placeAt(raw('n.body'), path)))} FROM (SELECT ${raw('?')} AS body) AS n`.text,
    update: sql`UPDATE ${table} SET etag = ${raw('?')}, bytes = ${raw('?')}, body = ${raw('?')} WHERE row = ${raw('?')}`.text,
    retype: sql`UPDATE ${table} SET type = ${raw('?')} WHERE row = ${raw('?')}`.text,
    remove: sql`DELETE FROM ${table} WHERE row = ${raw('?')}`.text,
  }
}
