// Which tables, functions and indexes a PostgreSQL schema has already.

import type { Run } from '../request/connection.ts'
import { sql } from '../sql/sql-fragment.ts'

export interface ExistingSchema {
  readonly exists: boolean
  /** The comment of each table. */
  readonly tables: ReadonlyMap<string, string>
  readonly functions: ReadonlySet<string>
  readonly indexes: ReadonlyMap<string, 'valid' | 'invalid'>
}

export async function readSchema(run: Run, schema: string): Promise<ExistingSchema> {
  const [namespaces, tables, functions, indexes] = await Promise.all([
    run(sql`SELECT 1 FROM pg_namespace WHERE nspname = ${schema}`),
    run(sql`SELECT c.relname::text, coalesce(obj_description(c.oid, 'pg_class'), '') FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ${schema} AND c.relkind IN ('r', 'p')`),
    run(sql`SELECT p.proname::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = ${schema}`),
    run(sql`SELECT c.relname::text, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ${schema}`),
  ])
  return {
    exists: namespaces.length > 0,
    tables: new Map(tables.map(([name, comment]) => [String(name), String(comment)])),
    functions: new Set(functions.map(([name]) => String(name))),
    indexes: new Map(indexes.map(([name, isValid]) => [String(name), isValid === true ? 'valid' : 'invalid'])),
  }
}
