// Whether a value of JSON has more lists and objects in each other than so many. Nothing is looked at that is deeper, so
// what is made to exhaust a stack gets no more of it than that.

export function isNestedBeyond(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (most === 0) return true
  for (const inner of Array.isArray(value) ? value : Object.values(value)) if (isNestedBeyond(inner, most - 1)) return true
  return false
}
