// Comparisons as intervals of a list that is sorted by the compared value: all entries between two points meet the
// comparison, and no others do.

import { compareScalars, isSameType } from '../../model/keys/compare-scalars.ts'
import type { ComparisonOperator, Operand } from '../../model/operators.ts'
import { operandOf, type Comparison, type Scalar } from '../query.ts'
import type { IsBefore as IsBeforeIn } from './sorted-rows.ts'

type IsBefore = IsBeforeIn<Scalar>

/** Between two points: entries before the end, without those before the start. */
export interface Interval {
  readonly start: IsBefore
  readonly end: IsBefore
}

/** Undefined if the entries that meet the comparison may lie apart from each other. */
export function intervalsOf(comparison: Comparison): readonly Interval[] | undefined {
  return intervals[comparison.op](operandOf(comparison))
}

const intervals: { readonly [Op in ComparisonOperator]: (operand: Operand<Op>) => readonly Interval[] | undefined } = {
  eq: (value) => [only(value)],
  in: (values) => [...new Set(values)].map(only),
  // Comparisons by order hold only among values of the same type.
  lt: (value) => [{ start: beforeTypeOf(value), end: before(value) }],
  lte: (value) => [{ start: beforeTypeOf(value), end: upTo(value) }],
  gt: (value) => [{ start: upTo(value), end: upToTypeOf(value) }],
  gte: (value) => [{ start: before(value), end: upToTypeOf(value) }],
  // Half a character stands apart from the characters that it begins: those come in the order of whole characters.
  startsWith: (prefix) => (prefix.isWellFormed() ? [{ start: before(prefix), end: upToPrefix(prefix) }] : undefined),
  endsWith: lieApart,
  contains: lieApart,
  ieq: lieApart,
  istartsWith: lieApart,
  iendsWith: lieApart,
  icontains: lieApart,
}

function lieApart(): undefined {
  return undefined
}

function only(value: Scalar): Interval {
  return { start: before(value), end: upTo(value) }
}

function before(value: Scalar): IsBefore {
  return (found) => compareScalars(found, value) < 0
}

function upTo(value: Scalar): IsBefore {
  return (found) => compareScalars(found, value) <= 0
}

function beforeTypeOf(value: Scalar): IsBefore {
  return (found) => compareScalars(found, value) < 0 && !isSameType(found, value)
}

function upToTypeOf(value: Scalar): IsBefore {
  return (found) => compareScalars(found, value) <= 0 || isSameType(found, value)
}

function upToPrefix(prefix: string): IsBefore {
  return (found) => compareScalars(found, prefix) < 0 || (typeof found === 'string' && found.startsWith(prefix))
}
