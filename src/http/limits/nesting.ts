// Whether JSON nests lists and objects deeper than a maximum. The check stops at the maximum, so that input made to
// overflow the stack cannot.

export function isNestedBeyond(value: unknown, max: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (max === 0) return true
  for (const inner of Array.isArray(value) ? value : Object.values(value)) if (isNestedBeyond(inner, max - 1)) return true
  return false
}
