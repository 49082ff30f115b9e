// What conditions and orders mean, in plain TypeScript: the reference that every store's own
// query language has to agree with. Finding documents quickly is the stores' business.

import type { Condition, Path, Scalar } from './query.ts'
import type { Body, Json } from '../model/json/json.ts'

/** The conditions that look at one value. */
export type ScalarCondition = Extract<Condition, { readonly path: Path }>

export function matches(condition: Condition, body: Body): boolean {
  if (condition.op === 'not') return !matches(condition.condition, body)
  if ('conditions' in condition) {
    return condition.conditions[condition.op === 'and' ? 'every' : 'some']((each) => matches(each, body))
  }
  return scalarsAt(condition.path, body).some((scalar) => holds(condition, scalar))
}

/** Null, then booleans, then numbers, then strings by code point: negative when `a` comes first. */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (a === null || b === null || typeof a !== typeof b) return rank(a) - rank(b)
  return Number(a) < Number(b) ? -1 : Number(a) > Number(b) ? 1 : 0
}

/** By code point, as UTF-8 bytes would compare; JavaScript's own `<` goes by UTF-16 unit. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    if (a.charCodeAt(at) !== b.charCodeAt(at)) return a.codePointAt(at)! - b.codePointAt(at)!
  }
  return a.length - b.length
}

/** The value that a path without `'*'` leads to: null where it is missing, a list or an object. */
export function scalarAt(path: Path, body: Body): Scalar {
  let value: Json | undefined = body
  for (const name of path) value = property(value, name)
  return isScalar(value) ? value : null
}

/** Every value that a path leads to: one for each element where it says `'*'`, otherwise exactly one. */
export function scalarsAt(path: Path, body: Body): Scalar[] {
  let values: (Json | undefined)[] = [body]
  for (const name of path) {
    values = name === '*' ? values.flatMap((value) => (isList(value) ? value : [])) : values.map((value) => property(value, name))
  }
  return values.map((value) => (isScalar(value) ? value : null))
}

function holds(condition: ScalarCondition, found: Scalar): boolean {
  if (condition.op === 'in') return condition.values.includes(found)
  if (condition.op === 'startsWith') return typeof found === 'string' && found.startsWith(condition.value)
  return rank(found) === rank(condition.value) && asks[condition.op](compareScalars(found, condition.value))
}

/** What an operator asks of the order between what was found and what was given. */
const asks = {
  eq: (order: number) => order === 0,
  lt: (order: number) => order < 0,
  lte: (order: number) => order <= 0,
  gt: (order: number) => order > 0,
  gte: (order: number) => order >= 0,
}

function rank(value: Scalar): number {
  return value === null ? 0 : typeof value === 'boolean' ? 1 : typeof value === 'number' ? 2 : 3
}

/** Own properties of objects only: a list has no `length` here, nor an object a `constructor`. */
function property(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || isList(value)) return undefined
  return Object.hasOwn(value, name) ? value[name] : undefined
}

function isScalar(value: Json | undefined): value is Scalar {
  return value === null || (typeof value !== 'object' && value !== undefined)
}

/** `Array.isArray` does not narrow read-only lists. */
function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
