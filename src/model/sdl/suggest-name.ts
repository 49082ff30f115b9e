// Suggests the known name with the smallest edit distance to a misspelt one.

export function suggestName(given: string, known: Iterable<string>): string | undefined {
  const [best] = [...known]
    .map((name) => ({ name, letters: distance(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, letters }) => letters <= Math.max(1, Math.min(given.length, name.length) / 3))
    .toSorted((one, other) => one.letters - other.letters)
  return best?.name
}

/** A sentence to end a problem with; nothing where no known name is near. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const name = suggestName(given, known)
  return name === undefined ? '' : ` Did you mean ${name}?`
}

/** The edit distance: letters to insert, delete, replace, or swap with their neighbour. */
function distance(from: string, to: string): number {
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let row = 1; row <= from.length; row++) {
    const next = [row]
    for (let at = 1; at <= to.length; at++) {
      const same = from[row - 1] === to[at - 1]
      const swapped = row > 1 && at > 1 && from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1]
      next.push(Math.min(last[at]! + 1, next[at - 1]! + 1, last[at - 1]! + (same ? 0 : 1), ...(swapped ? [before[at - 2]! + 1] : [])))
    }
    before = last
    last = next
  }
  return last[to.length]!
}
