// Where in a JSON text its values stand, by the path under which problems name them: `documents[0].fields.name`. JSON.parse keeps no places.

/** The line and column, counted from 1, of a path, or of the closest one around it. The text must be valid JSON. */
export function placeFinder(text: string): (path: string) => { readonly line: number; readonly column: number } {
  const offsets = offsetsIn(text)
  return (path) => {
    let known = path
    while (known !== '' && !offsets.has(known)) known = known.slice(0, Math.max(0, known.lastIndexOf('.'), known.lastIndexOf('[')))
    const before = text.slice(0, offsets.get(known) ?? 0)
    return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') }
  }
}

/** A property begins with its name. */
function offsetsIn(text: string): Map<string, number> {
  const offsets = new Map<string, number>()
  let at = 0
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? ['']
    at += found.length
    return found
  }
  const value = (path: string): void => {
    take(space)
    if (!offsets.has(path)) offsets.set(path, at)
    if (text[at] === '{') members('}', () => {
      const start = at
      const name = JSON.parse(take(string)) as string
      const inner = path === '' ? name : `${path}.${name}`
      offsets.set(inner, start)
      take(colon)
      value(inner)
    })
    else if (text[at] === '[') members(']', (index) => value(`${path}[${index}]`))
    else if (text[at] === '"') take(string)
    else take(scalar)
  }
  const members = (end: string, member: (index: number) => void): void => {
    at++
    take(space)
    for (let index = 0; at < text.length && text[at] !== end; index++) {
      member(index)
      take(comma)
    }
    at++
  }
  value('')
  return offsets
}

const space = /\s*/y
const string = /"(?:[^"\\]|\\.)*"/y
const colon = /\s*:/y
const comma = /\s*,?\s*/y
const scalar = /[^,\]}\s]*/y
