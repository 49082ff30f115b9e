// Bodies that many readers share, and that nobody can change. They are what JSON makes of them, since that is what
// any store keeps: `undefined` and -0 do not survive it.

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
 * What `parseBody` would make of a body and its JSON, mostly without reading that: a document that changes a little is made
 * of parts that are frozen already, and those are shared. What JSON would make something else of goes through it.
 */
export function frozenCopy(body: Body, json: string): Body {
  const copy = copyOf(body)
  return copy === different ? parseBody(json) : (copy as Body)
}

/** Said of a value that is another one after its way through JSON. */
const different = Symbol('different')

function copyOf(value: unknown): unknown {
  if (isScalar(value)) return value
  if (typeof value !== 'object' || value === null) return different
  if (isStored(value)) return value
  return Array.isArray(value) ? copyOfList(value) : copyOfObject(value as Record<string, unknown>)
}

function copyOfList(list: readonly unknown[]): unknown {
  const copy: unknown[] = []
  for (const each of list) {
    const inner = copyOf(each)
    if (inner === different) return different
    copy.push(inner)
  }
  return Object.freeze(copy)
}

function copyOfObject(object: Record<string, unknown>): unknown {
  if (!isPlain(object)) return different
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(object)) {
    if (object[name] === undefined) continue
    const inner = copyOf(object[name])
    if (inner === different) return different
    copy[name] = inner
  }
  return Object.freeze(copy)
}

/** Whether a part is frozen with everything in it, and the same after its way through JSON. */
function isStored(part: object): boolean {
  if (!Object.isFrozen(part) || (!Array.isArray(part) && !isPlain(part))) return false
  for (const inner of Array.isArray(part) ? part : (Object.values(part) as unknown[])) if (!isScalar(inner) && (typeof inner !== 'object' || inner === null || !isStored(inner))) return false
  return true
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || value === null || (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0))
}

/** Anything but a plain object may have an idea of its own of what it is in JSON; and this name cannot be copied. */
function isPlain(object: object): boolean {
  return Object.getPrototypeOf(object) === Object.prototype && !Object.hasOwn(object, '__proto__')
}
