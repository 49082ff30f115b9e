// The order of scalar values: null, then booleans, then numbers, then strings by code point, which is the order of UTF-8 bytes; or by UTF-16
// unit, in stores that declare it.

import type { Scalar } from './position.ts'

/** Negative when `a` comes first. */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (a === null || b === null || typeof a !== typeof b) return typeRank(a) - typeRank(b)
  return Number(a) < Number(b) ? -1 : Number(a) > Number(b) ? 1 : 0
}

/** By code point, as UTF-8 bytes compare; JavaScript's own `<` compares UTF-16 units. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    if (a.charCodeAt(at) !== b.charCodeAt(at)) return a.codePointAt(at)! - b.codePointAt(at)!
  }
  return a.length - b.length
}

/** The same order but for strings, which compare by UTF-16 unit, as JavaScript compares them. */
export function compareScalarsInUtf16(a: Scalar, b: Scalar): number {
  return typeof a === 'string' && typeof b === 'string' ? (a < b ? -1 : a > b ? 1 : 0) : compareScalars(a, b)
}

export function isSameType(a: Scalar, b: Scalar): boolean {
  return typeof a === typeof b && (a === null) === (b === null)
}

function typeRank(value: Scalar): number {
  return value === null ? 0 : typeof value === 'boolean' ? 1 : typeof value === 'number' ? 2 : 3
}
