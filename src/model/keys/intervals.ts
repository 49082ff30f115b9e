// Intervals of a list that is sorted by a value: all entries between two points, and no others.

import { compareScalars, isSameType } from './compare-scalars.ts'
import type { Scalar } from './position.ts'

/** Whether an entry comes before some point of the order. If it does, so do all entries before it. */
type IsBefore = (found: Scalar) => boolean

/** Between two points: entries before the end, without those before the start. */
export interface Interval {
  readonly start: IsBefore
  readonly end: IsBefore
}

export function only(value: Scalar): Interval {
  return { start: before(value), end: upTo(value) }
}

// Values are less or greater only than others of the same type.

export function below(value: Scalar): Interval {
  return { start: beforeTypeOf(value), end: before(value) }
}

export function upToAndWith(value: Scalar): Interval {
  return { start: beforeTypeOf(value), end: upTo(value) }
}

export function above(value: Scalar): Interval {
  return { start: upTo(value), end: upToTypeOf(value) }
}

export function fromAndWith(value: Scalar): Interval {
  return { start: before(value), end: upToTypeOf(value) }
}

/** The texts that begin with a prefix. Undefined if they may lie apart: half a character stands apart from the characters that it begins, which come in the order of whole characters. */
export function prefixed(prefix: string): readonly Interval[] | undefined {
  return prefix.isWellFormed() ? [{ start: before(prefix), end: upToPrefix(prefix) }] : undefined
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
