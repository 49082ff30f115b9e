// SQL fragments as SQLite takes them.

import { raw, templateWith, type Fragment } from '../../sql/sql-template.ts'

export { and, join, or, raw } from '../../sql/sql-template.ts'

export type Bound = string | number | bigint | null
export type Sql = Fragment<Bound>

export const sql = templateWith<Bound>('?')

/** A text literal, for the definitions of columns and triggers, which cannot have bound values. */
export function literal(text: string): Sql {
  return raw(`'${text.replaceAll("'", "''")}'`)
}

export function identifier(name: string): Sql {
  return raw(`"${caseless(name).replaceAll('"', '""')}"`)
}

/** SQLite ignores the case of names, so capitals are marked: `pubDate` becomes `pub^date`. */
export function caseless(name: string): string {
  return name.replace(/[A-Z^]/g, (letter) => `^${letter.toLowerCase()}`)
}

/** The name that `caseless` was given. */
export function withCase(name: string): string {
  return name.replace(/\^(.)/g, (_, letter: string) => letter.toUpperCase())
}
