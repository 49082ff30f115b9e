// SQL fragments that carry their bound values, so that text and values cannot get out of step.

export type Bound = string | number | bigint | null

export interface Sql {
  readonly text: string
  readonly values: readonly Bound[]
}

/** A template: fragments are inserted as text, plain values are always bound. */
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
