// Whether a value of JSON has more lists and objects in each other than so many. It is looked at level by level:
// what is made to exhaust a stack does not get one.

export function isNestedBeyond(value: unknown, most: number): boolean {
  let level = isHolder(value) ? [value] : nothing
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= most) return true
    level = within(level)
  }
  return false
}

const nothing: object[] = []

/** Most variables hold nothing but plain values, and none of this takes anything for them. */
function within(level: readonly object[]): object[] {
  let found = nothing
  for (const holder of level) {
    // JSON has nothing inherited.
    for (const name in holder) {
      const value = (holder as Record<string, unknown>)[name]
      if (!isHolder(value)) continue
      if (found === nothing) found = []
      found.push(value)
    }
  }
  return found
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
