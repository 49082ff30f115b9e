// SQL fragments as PostgreSQL takes them.

import { raw, templateWith, type Fragment } from '../../sql/sql-template.ts'

export { and, join, or, raw } from '../../sql/sql-template.ts'

/** Lists are bound as array literals: see `textArray`. */
export type Bound = string | number | Uint8Array | null
/** With a NUL, which no SQL can have, at the place of each value. */
export type Sql = Fragment<Bound>

export const sql = templateWith<Bound>('\0')

/** The text as PostgreSQL takes it, with `$1` for the first value. */
export function numbered({ text, values }: Sql): string {
  if (values.length === 0) return text
  let count = 0
  return text.replaceAll('\0', () => `$${++count}`)
}

/** A text literal, for definitions, which cannot have bound values, and for paths, so that expressions match their indexes. */
export function literal(text: string): Sql {
  const quoted = text.replaceAll("'", "''")
  return raw(text.includes('\\') ? `E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`)
}

export function identifier(name: string): Sql {
  return raw(`"${name.replaceAll('"', '""')}"`)
}

/** The values of a `text[]` or `bigint[]`. */
export function textArray(values: readonly (string | number | boolean | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : typeof value === 'string' ? `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"` : String(value))).join(',')}}`
}

/** The values of a `bytea[]`. */
export function bytesArray(values: readonly Buffer[]): string {
  return `{${values.map((value) => `"\\\\x${value.toString('hex')}"`).join(',')}}`
}
