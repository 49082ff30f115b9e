// What a schema says about the values of a field: bounds, lengths and patterns (`@constraint`). One function judges a value; inputs,
// stored properties and `quire check` all ask it.

import type { Json } from '../json/json.ts'
import { compareScalars } from '../keys/compare-scalars.ts'
import type { Scalar } from '../keys/position.ts'
import type { Pattern } from './pattern.ts'

export interface Constraint {
  /** As they are stored. */
  readonly min?: Scalar
  readonly max?: Scalar
  /** In characters. */
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: Pattern
  /** Of a list. Its max is that of the directive that stores it. */
  readonly minItems?: number
}

/** A bound that a value does not meet. */
export interface Violation {
  readonly bound: Readonly<Record<string, Json>>
  /** To be read after the name of the field. */
  readonly is: string
  readonly advice: string
}

/** Longer texts are not matched with a pattern, unless the schema says how long they may be. */
export const maxMatchedLength = 10_000

/** The bound that a value, an element of a list, does not meet; undefined if it meets all. Nothing is said about null. */
export function violationOf(constraint: Constraint, value: unknown): Violation | undefined {
  if (value === null || value === undefined) return undefined
  const { min, max, pattern } = constraint
  if (min !== undefined && compareScalars(value as Scalar, min) < 0) return { bound: { min }, is: `is ${shown(value)}, and its min is ${shown(min)}`, advice: `Give at least ${shown(min)}.` }
  if (max !== undefined && compareScalars(value as Scalar, max) > 0) return { bound: { max }, is: `is ${shown(value)}, and its max is ${shown(max)}`, advice: `Give at most ${shown(max)}.` }
  if (typeof value !== 'string') return undefined
  const length = lengthOf(value)
  const { minLength = 0, maxLength = pattern ? maxMatchedLength : Infinity } = constraint
  if (length < minLength) return { bound: { minLength }, is: `has ${length} characters, and its minLength is ${minLength}`, advice: 'Give a longer one.' }
  if (length > maxLength) return { bound: { maxLength }, is: `has ${length} characters, and its maxLength is ${maxLength}`, advice: 'Give a shorter one.' }
  if (pattern && !pattern.matches(value)) return { bound: { pattern: pattern.source }, is: `is ${shown(value)}, which does not match its pattern ${pattern.source}`, advice: 'Give one that does.' }
  return undefined
}

/** The same of the length of a list; null is an empty list. */
export function itemsViolation({ minItems }: Constraint, value: unknown): Violation | undefined {
  const length = Array.isArray(value) ? value.length : 0
  return minItems === undefined || length >= minItems ? undefined : { bound: { minItems }, is: `has ${length} entries, and its minItems is ${minItems}`, advice: 'Give more.' }
}

/** In code points, as people count. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…"` : text
}
