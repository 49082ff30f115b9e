// SQL fragments that carry their bound values, so that text and values cannot get out of step.

/** Lists are bound as array literals: see `textArray`. */
export type Bound = string | number | Uint8Array | null

export interface Sql {
  /** With a NUL, which no SQL can have, at the place of each value. */
  readonly text: string
  readonly values: readonly Bound[]
}

/** A template: fragments are inserted as text, plain values are always bound. */
export function sql(strings: TemplateStringsArray, ...parts: (Sql | Bound)[]): Sql {
  let text = strings[0]!
  const values: Bound[] = []
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!
    if (typeof part === 'object' && part !== null && !(part instanceof Uint8Array)) {
      text += part.text
      for (const value of part.values) values.push(value)
    } else {
      text += '\0'
      values.push(part)
    }
    text += strings[at + 1]!
  }
  return { text, values }
}

/** The text as PostgreSQL takes it, with `$1` for the first value. */
export function numbered({ text, values }: Sql): string {
  if (values.length === 0) return text
  let count = 0
  return text.replaceAll('\0', () => `$${++count}`)
}

export function join(parts: readonly Sql[], separator: string): Sql {
  return { text: parts.map(({ text }) => text).join(separator), values: parts.flatMap(({ values }) => values) }
}

export function raw(text: string): Sql {
  return { text, values: [] }
}

/** A text literal, for definitions, which cannot have bound values, and for paths, so that expressions match their indexes. */
export function literal(text: string): Sql {
  const quoted = text.replaceAll("'", "''")
  return raw(text.includes('\\') ? `E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`)
}

export function identifier(name: string): Sql {
  return raw(`"${name.replaceAll('"', '""')}"`)
}

export function and(terms: readonly Sql[]): Sql {
  return terms.length === 0 ? raw('TRUE') : join(terms, ' AND ')
}

export function or(terms: readonly Sql[]): Sql {
  return terms.length === 0 ? raw('FALSE') : join(terms, ' OR ')
}

/** The values of a `text[]` or `bigint[]`. */
export function textArray(values: readonly (string | number | boolean | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : typeof value === 'string' ? `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"` : String(value))).join(',')}}`
}

/** The values of a `bytea[]`. */
export function bytesArray(values: readonly Buffer[]): string {
  return `{${values.map((value) => `"\\\\x${value.toString('hex')}"`).join(',')}}`
}
