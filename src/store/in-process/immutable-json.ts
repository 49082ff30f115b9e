// Frozen bodies that many readers share. They are exactly what JSON makes of a body, since that is what a store keeps:
// `undefined` and -0 do not survive JSON.

import type { Body } from '../../model/json/json.ts'

export function parseBody(json: string): Body {
  return frozen(JSON.parse(json) as Body)
}

/** The value itself, frozen with everything in it. */
export function frozen<Value extends object>(value: Value): Value {
  for (const inner of Object.values(value) as unknown[]) if (typeof inner === 'object' && inner !== null) frozen(inner)
  return Object.freeze(value)
}

/**
 * The same as `parseBody(json)` for a body and its JSON, usually without parsing: a document that changes a little
 * consists mostly of parts that are frozen already, and those are shared. A body that JSON would change is parsed.
 */
export function frozenCopy(body: Body, json: string): Body {
  const copy = copyOf(body)
  return copy === changedByJson ? parseBody(json) : (copy as Body)
}

/** Stands for a value that JSON would change. */
const changedByJson = Symbol('changed by JSON')

function copyOf(value: unknown): unknown {
  if (isJsonScalar(value)) return value
  if (typeof value !== 'object' || value === null) return changedByJson
  if (isFrozenJson(value)) return value
  return Array.isArray(value) ? copyOfList(value) : copyOfObject(value as Record<string, unknown>)
}

function copyOfList(list: readonly unknown[]): unknown {
  const copy: unknown[] = []
  for (const each of list) {
    const inner = copyOf(each)
    if (inner === changedByJson) return changedByJson
    copy.push(inner)
  }
  return Object.freeze(copy)
}

function copyOfObject(object: Record<string, unknown>): unknown {
  if (!isPlain(object)) return changedByJson
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(object)) {
    if (object[name] === undefined) continue
    const inner = copyOf(object[name])
    if (inner === changedByJson) return changedByJson
    copy[name] = inner
  }
  return Object.freeze(copy)
}

/** Whether a part is frozen with everything in it, and JSON would not change it. */
function isFrozenJson(part: object): boolean {
  if (!Object.isFrozen(part) || (!Array.isArray(part) && !isPlain(part))) return false
  for (const inner of Array.isArray(part) ? part : (Object.values(part) as unknown[])) if (!isJsonScalar(inner) && (typeof inner !== 'object' || inner === null || !isFrozenJson(inner))) return false
  return true
}

function isJsonScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || value === null || (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0))
}

/** Other objects may have a `toJSON` of their own, and a property named `__proto__` cannot be copied by assignment. */
function isPlain(object: object): boolean {
  return Object.getPrototypeOf(object) === Object.prototype && !Object.hasOwn(object, '__proto__')
}
