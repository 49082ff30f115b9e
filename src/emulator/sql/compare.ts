// How values compare: equality, the order of strings by UTF-16 unit, and the order of types in ORDER BY.

import { isObject } from '../../model/json/json.ts'

/** undefined, null, false, true, numbers, strings, arrays, objects. */
export function compareInOrder(one: unknown, other: unknown): number {
  const difference = rank(one) - rank(other)
  if (difference !== 0) return difference
  if (typeof one === 'string' && typeof other === 'string') return compareStrings(one, other)
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return 0
}

/**
 * By UTF-16 unit, as JavaScript compares: the SDKs merge the pages of partitions so (azure-sdk-for-rust, the order-by scenarios, which put
 * U+10000 before U+E000; azure-cosmos-dotnet-v3 and azure-sdk-for-java compare ordinally).
 */
export function compareStrings(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

export function areEqual(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) return one.length === other.length && one.every((each, i) => areEqual(each, other[i]))
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one)
    return names.length === Object.keys(other).length && names.every((name) => Object.hasOwn(other, name) && areEqual(one[name], other[name]))
  }
  return one === other
}

export function typeOf(value: unknown): 'undefined' | 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'undefined' || type === 'boolean' || type === 'number' || type === 'string' ? type : 'object'
}

const ranks = { undefined: 0, null: 1, boolean: 2, number: 4, string: 5, array: 6, object: 7 }

function rank(value: unknown): number {
  return value === true ? 3 : ranks[typeOf(value)]
}
