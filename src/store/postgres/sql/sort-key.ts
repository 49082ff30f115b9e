// The sort key of a value: bytes that compare as the values do, in the order of compare-scalars.ts. The function of the same name in
// PostgreSQL (functions-sql.ts) makes the same bytes from documents, and indexes hold them.

import { hash } from 'node:crypto'
import type { Scalar } from '../../query.ts'
import { portable } from './portable-text.ts'

/** An entry of an index has at most 2,700 bytes, for up to four values, the id and the type. */
export const maxKeyBytes = 300

/** Of a longer key, so many bytes are kept; a hash of all of them follows. */
export const keptBytes = maxKeyBytes - 32

/** The first byte of a key is the rank of its type. */
export function rankOf(value: Scalar): number {
  return value === null ? 0 : typeof value === 'boolean' ? 1 : typeof value === 'number' ? 2 : 3
}

export function sortKeyOf(value: Scalar): Buffer {
  if (value === null) return Buffer.from([0])
  if (typeof value === 'boolean') return Buffer.from([1, Number(value)])
  if (typeof value === 'number') return numberKey(value)
  const key = textKey(value)
  return key.length <= maxKeyBytes ? key : Buffer.concat([key.subarray(0, keptBytes), hash('sha256', key, 'buffer')])
}

/** The key of a text, however long it is. */
export function textKey(text: string): Buffer {
  return Buffer.from(`\u0003${portable(text)}`)
}

/** Whether comparing keys by order gives the order of the values: not where both begin with the same long text. */
export function isExact(value: Scalar): boolean {
  return typeof value !== 'string' || (value.length < keptBytes && textKey(value).length <= keptBytes)
}

/** A key before all values of this value's type. */
export function startOf(value: Scalar): Buffer {
  return Buffer.from([rankOf(value)])
}

/** A key after all values of this value's type. */
export function endOf(value: Scalar): Buffer {
  return Buffer.from([rankOf(value) + 1])
}

/** The first key after those of all texts that begin with the prefix. No byte of UTF-8 is 255. */
export function endOfPrefix(prefix: string): Buffer {
  const key = textKey(prefix)
  key[key.length - 1]!++
  return key
}

/** The bits of a number compare as its value does, once those of negative numbers are turned over. */
function numberKey(value: number): Buffer {
  const key = Buffer.alloc(9)
  key[0] = 2
  // Without the sign of a negative zero, which JSON does not have.
  key.writeDoubleBE(value + 0, 1)
  const isNegative = key[1]! >= 128
  for (let at = 1; at < 9; at++) if (isNegative || at === 1) key[at]! ^= isNegative ? 255 : 128
  return key
}
