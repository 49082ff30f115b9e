// Paths as Cosmos writes them in partition keys and indexing policies: /a/b, /"pub-id"/?, /tags/[]/*.

/** The path's parts without quotes; the wildcards ?, * and [] come out as parts of their own. */
export function parsePath(path: string): string[] {
  const parts: string[] = []
  const part = /\/(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^/]*))/y
  while (part.lastIndex < path.length) {
    const match = part.exec(path)
    if (match === null) throw new TypeError(`The path '${path}' is not valid.`)
    const [, double, single, plain] = match
    const name = (double ?? single)?.replaceAll(/\\(.)/g, '$1') ?? plain?.trim()
    if (name !== undefined && name !== '') parts.push(name)
  }
  return parts
}
