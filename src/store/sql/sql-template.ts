// SQL fragments that carry their bound values, so that text and values cannot get out of step. What can be bound, and how names
// and texts are quoted, is in the folder of each store that speaks SQL.

export interface Fragment<Bound> {
  /** With a placeholder for each value. */
  readonly text: string
  readonly values: readonly Bound[]
}

/** A template: fragments are inserted as text, plain values are always bound. */
export type Template<Bound> = (strings: TemplateStringsArray, ...parts: (Fragment<Bound> | Bound)[]) => Fragment<Bound>

export function templateWith<Bound extends string | number | bigint | Uint8Array | null>(placeholder: string): Template<Bound> {
  return (strings, ...parts) => {
    let text = strings[0]!
    const values: Bound[] = []
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at]!
      if (isFragment(part)) {
        text += part.text
        for (const value of part.values) values.push(value)
      } else {
        text += placeholder
        values.push(part)
      }
      text += strings[at + 1]!
    }
    return { text, values }
  }
}

function isFragment<Bound>(part: Fragment<Bound> | Bound): part is Fragment<Bound> {
  return typeof part === 'object' && part !== null && !(part instanceof Uint8Array)
}

export function join<Bound>(parts: readonly Fragment<Bound>[], separator: string): Fragment<Bound> {
  let text = ''
  const values: Bound[] = []
  for (const part of parts) {
    text += text === '' ? part.text : separator + part.text
    for (const value of part.values) values.push(value)
  }
  return { text, values }
}

export function raw(text: string): Fragment<never> {
  return { text, values: [] }
}

export function and<Bound>(terms: readonly Fragment<Bound>[]): Fragment<Bound> {
  return terms.length === 0 ? raw('TRUE') : join(terms, ' AND ')
}

export function or<Bound>(terms: readonly Fragment<Bound>[]): Fragment<Bound> {
  return terms.length === 0 ? raw('FALSE') : join(terms, ' OR ')
}
