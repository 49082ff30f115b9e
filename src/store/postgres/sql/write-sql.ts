// The statements that write documents. Each takes any number of documents of one container, none of them twice.

import type { PostgresContainer } from '../open/prepare-layout.ts'
import { sql, textArray, type Sql } from './sql-fragment.ts'

/** A document as its row. */
export interface NewRow {
  readonly key: string
  readonly partition: string
  readonly id: string
  readonly type: string | null
  readonly etag: string
  readonly bytes: number
  readonly body: string
}

/** Rows: key, etag, bytes. */
export function findSql({ table }: PostgresContainer, keys: readonly string[]): Sql {
  return sql`SELECT d.key, d.etag, d.bytes FROM ${table} AS d WHERE d.key = ANY (${textArray(keys)}::text[])`
}

export function putSql({ table }: PostgresContainer, rows: readonly NewRow[]): Sql {
  const column = (name: keyof NewRow): string => textArray(rows.map((row) => row[name]))
  return sql`INSERT INTO ${table} (key, partition, id, type, etag, bytes, body)
    SELECT * FROM unnest(${column('key')}::text[], ${column('partition')}::text[], ${column('id')}::text[], ${column('type')}::text[], ${column('etag')}::text[], ${column('bytes')}::int[], ${column('body')}::text[])
    ON CONFLICT (key) DO UPDATE SET type = excluded.type, etag = excluded.etag, bytes = excluded.bytes, body = excluded.body`
}
