// Deep equality of JSON values. A changed document shares most of its parts with the original, and shared parts are not
// compared again.

import type { Body, Json } from './json.ts'

/** An undefined property equals an absent one, and the order of properties does not matter. */
export function sameJson(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (isList(one) || isList(other)) return isList(one) && isList(other) && one.length === other.length && one.every((each, at) => sameJson(each, other[at]))
  for (const name of Object.keys(one)) if (!sameJson(one[name], own(other, name))) return false
  for (const name of Object.keys(other)) if (other[name] !== undefined && !Object.hasOwn(one, name)) return false
  return true
}

function own(object: Body, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** `Array.isArray` does not narrow read-only lists. */
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
