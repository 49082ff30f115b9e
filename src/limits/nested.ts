// Whether a value of JSON has more lists and objects in each other than so many. It is looked at level by level:
// what is made to exhaust a stack does not get one.

export function isNestedBeyond(value: unknown, most: number): boolean {
  let level = [value].filter(isHolder)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= most) return true
    level = level.flatMap((holder) => Object.values(holder).filter(isHolder))
  }
  return false
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
