// Pieces of SQL that carry the values bound in them, so that text and values cannot drift apart.
// Which statements there are, and what they mean, is written elsewhere.

export type Bound = string | number | bigint | null

export interface Sql {
  readonly text: string
  readonly values: readonly Bound[]
}

/** A template whose fragments are spliced in and whose plain values are bound, never pasted. */
export function sql(strings: TemplateStringsArray, ...parts: (Sql | Bound)[]): Sql {
  let text = strings[0]!
  const values: Bound[] = []
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!
    if (typeof part === 'object' && part !== null) {
      text += part.text
      for (const value of part.values) values.push(value)
    } else {
      text += '?'
      values.push(part)
    }
    text += strings[at + 1]!
  }
  return { text, values }
}

export function join(parts: readonly Sql[], separator: string): Sql {
  let text = ''
  const values: Bound[] = []
  for (const part of parts) {
    text += text === '' ? part.text : separator + part.text
    for (const value of part.values) values.push(value)
  }
  return { text, values }
}

export function raw(text: string): Sql {
  return { text, values: [] }
}

/** Text as a literal, for the definitions of columns and triggers, which cannot have bound values. */
export function literal(text: string): Sql {
  return raw(`'${text.replaceAll("'", "''")}'`)
}

export function identifier(name: string): Sql {
  return raw(`"${caseless(name).replaceAll('"', '""')}"`)
}

/** SQLite ignores the case of names, so capitals are marked: `pubDate` is kept as `pub^date`. */
export function caseless(name: string): string {
  return name.replace(/[A-Z^]/g, (letter) => `^${letter.toLowerCase()}`)
}
