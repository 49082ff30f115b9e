// Which comparisons of one value lead into its index. SQLite enters an index at one lower and one upper bound, the first that
// it is given, and tests the others on every entry between them. So it is given the closest, and the others are hidden from it.

import { compareScalars } from '../../../model/keys/compare-scalars.ts'
import { comparisons } from '../../../model/operators.ts'
import { conjuncts } from '../../conditions.ts'
import { operandOf, samePath, type Comparison, type Condition, type Path, type Query, type Scalar } from '../../query.ts'

/** Of the comparisons at a path, those that are entered: an equality, or else the longest prefix, or a lower and an upper bound. `in` counts only where its values are looked up. */
export function closestBounds(conditions: readonly Condition[], path: Path, looksUp = false): Comparison[] {
  const compared = conditions.filter((each): each is Comparison => 'path' in each && samePath(each.path, path))
  const one = compared.find(({ op }) => op === 'eq')
  if (one) return [one]
  const [some] = looksUp ? compared.filter((each) => each.op === 'in').toSorted((a, b) => a.values.length - b.values.length) : []
  if (some) return [some]
  const [prefix] = compared.filter((each) => each.op === 'startsWith').toSorted((a, b) => b.value.length - a.value.length)
  if (prefix) return [prefix]
  const [lower] = bounds(compared, ['gt', 'gte']).toSorted((a, b) => compareScalars(b.value, a.value))
  const [upper] = bounds(compared, ['lt', 'lte']).toSorted((a, b) => compareScalars(a.value, b.value))
  return [lower, upper].filter((each) => each !== undefined)
}

/** Whether a page begins within the bounds of its order. A position of another list need not. */
export function beginsWithin({ where, orderBy, after }: Query): boolean {
  return after === undefined || closestBounds(conjuncts(where), orderBy.path).every((each) => holds(each, after.value))
}

function holds(comparison: Comparison, value: Scalar): boolean {
  const { holds: isMet }: { readonly holds: (found: Scalar, operand: never) => boolean } = comparisons[comparison.op]
  return isMet(value, operandOf(comparison))
}

function bounds(compared: readonly Comparison[], operators: readonly string[]) {
  return compared.filter((each): each is Comparison & { readonly value: Scalar } => operators.includes(each.op))
}
