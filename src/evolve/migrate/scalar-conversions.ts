// Lossless conversions between stored scalars. Each returns the value in the new type, or undefined if the new type has no such value.

import type { Json } from '../../model/json/json.ts'
import { scalarCalled } from '../../model/scalars.ts'

/** The conversion to a built-in scalar; undefined where there is none. Values that fit already, and nulls, stay as they are. */
export function conversionTo(target: string): ((value: Json) => { readonly value: Json } | undefined) | undefined {
  const scalar = scalarCalled(target)
  if (!scalar) return undefined
  return (value) => {
    if (value === null || scalar.fits(value)) return { value }
    if (typeof value === 'object') return undefined
    const text = String(value)
    const read = scalar.fromText(text)
    if (!('value' in read)) return undefined
    // Text that would be read as a number must be what that number is written as, so that it can be converted back.
    return typeof read.value === 'string' || String(read.value) === text ? { value: read.value } : undefined
  }
}
