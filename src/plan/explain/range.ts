// Numbers of which only the bounds are known.

import type { Range } from '../../read/planned-reads.ts'

export const none: Range = { least: 0, most: 0 }

export function times(one: Range, other: Range): Range {
  return { least: one.least * other.least, most: one.most * other.most }
}

export function plus(one: Range, other: Range): Range {
  return { least: one.least + other.least, most: one.most + other.most }
}

/** The same, or none at all. */
export function orNone({ most }: Range): Range {
  return { least: 0, most }
}
