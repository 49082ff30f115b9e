// Evaluates conditions over a document, in plain TypeScript: the reference that every store's own
// query language has to agree with. Finding documents quickly is left to the stores.

import { operandOf, type Condition, type Path, type Scalar } from './query.ts'
import type { Body, Json } from '../model/json/json.ts'
import { comparisons } from '../model/operators.ts'

export function matches(condition: Condition, body: Body): boolean {
  if (condition.op === 'not') return !matches(condition.condition, body)
  if ('conditions' in condition) {
    return condition.conditions[condition.op === 'and' ? 'every' : 'some']((each) => matches(each, body))
  }
  return scalarsAt(condition.path, body).some((found) => comparisons[condition.op].holds(found, operandOf(condition)))
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
