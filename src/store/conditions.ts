// Conditions and orders over documents, in plain TypeScript: the reference that every store's own query language has
// to agree with. Finding documents quickly is left to the stores.

import { compareScalars, compareText } from '../model/keys/compare-scalars.ts'
import { isBody, type Body, type Json } from '../model/json/json.ts'
import { comparisons } from '../model/operators.ts'
import { operandOf, type Condition, type Order, type Path, type Position, type Scalar } from './query.ts'
import type { StoredDocument } from './store.ts'

export function matches(condition: Condition, body: Body): boolean {
  return matcher(condition)(body)
}

/** The condition as a function, for many documents. */
export function matcher(condition: Condition, readerOf = scalarReader): (body: Body) => boolean {
  if (condition.op === 'not') {
    const isMatch = matcher(condition.condition, readerOf)
    return (body) => !isMatch(body)
  }
  if (condition.op === 'some') {
    const isMatch = matcher(condition.condition, elementReader)
    return (body) => elementsAt(condition.list, body).some((element) => isMatch(element as Body))
  }
  if ('conditions' in condition) {
    const all = condition.conditions.map((each) => matcher(each, readerOf))
    const [first, second] = all
    if (all.length === 1) return first!
    // A range, which most filters are: no list to go through for each document.
    if (all.length === 2 && condition.op === 'and') return (body) => first!(body) && second!(body)
    return condition.op === 'and' ? (body) => all.every((isMatch) => isMatch(body)) : (body) => all.some((isMatch) => isMatch(body))
  }
  const { path } = condition
  const holds: (found: Scalar, operand: never) => boolean = comparisons[condition.op].holds
  const operand = operandOf(condition)
  if (path.includes('*')) return (body) => scalarsAt(path, body).some((found) => holds(found, operand))
  const scalarIn = readerOf(path)
  return (body) => holds(scalarIn(body), operand)
}

/** The conditions that all have to hold for a condition to hold. */
export function conjuncts(where: Condition | undefined): readonly Condition[] {
  if (where === undefined) return []
  if (where.op !== 'and') return [where]
  return where.conditions.some(({ op }) => op === 'and') ? where.conditions.flatMap(conjuncts) : where.conditions
}

/** A comparator for documents in an order. */
export function inOrder(order: Order): (a: StoredDocument, b: StoredDocument) => number {
  const compare = positionsIn(order)
  return (a, b) => compare(positionOf(a, order), positionOf(b, order))
}

export function positionOf({ key: { id }, body }: StoredDocument, { path, thenBy }: Order): Position {
  const value = scalarAt(path, body)
  return thenBy ? { value, id, further: thenBy.map((each) => scalarAt(each.path, body)) } : { value, id }
}

/** A comparator for positions in an order. */
export function positionsIn({ descending, thenBy }: Order): (a: Position, b: Position) => number {
  const sign = descending ? -1 : 1
  if (!thenBy) return (a, b) => sign * (compareScalars(a.value, b.value) || compareText(a.id, b.id))
  const signs = thenBy.map((each) => (each.descending ? -1 : 1))
  return (a, b) => {
    let order = sign * compareScalars(a.value, b.value)
    for (let at = 0; order === 0 && at < signs.length; at++) order = signs[at]! * compareScalars(a.further?.[at] ?? null, b.further?.[at] ?? null)
    return order || sign * compareText(a.id, b.id)
  }
}

/** The same for elements of a list, which need not be objects: a path of no names is the element itself. */
function elementReader(path: Path): (element: Body) => Scalar {
  if (path.length === 0) return (element: Json) => (isScalar(element) ? element : null)
  const scalarIn = scalarReader(path)
  return (element) => (isBody(element) ? scalarIn(element) : null)
}

/** `scalarAt` for many documents. */
function scalarReader(path: Path): (body: Body) => Scalar {
  const name = path[0]!
  // What every object inherits has to be told from a property of its own, which takes as long as all the rest.
  if (path.length !== 1 || name in Object.prototype) return (body) => scalarAt(path, body)
  return (body) => {
    const value = body[name]
    return isScalar(value) ? value : null
  }
}

/** The value at a path without `'*'`: null if it is missing, a list or an object. */
export function scalarAt(path: Path, body: Body): Scalar {
  let value: Json | undefined = body
  for (const name of path) value = property(value, name)
  return isScalar(value) ? value : null
}

/** All values at a path: one for each element of a list at `'*'`, exactly one without it. */
export function scalarsAt(path: Path, body: Body): Scalar[] {
  let values: (Json | undefined)[] = [body]
  for (const name of path) {
    values = name === '*' ? values.flatMap((value) => (isList(value) ? value : [])) : values.map((value) => property(value, name))
  }
  return values.map((value) => (isScalar(value) ? value : null))
}

/** The elements of the list at a path without `'*'`; none if there is no list. */
function elementsAt(path: Path, body: Body): readonly Json[] {
  let value: Json | undefined = body
  for (const name of path) value = property(value, name)
  return isList(value) ? value : []
}

/** Own properties of objects only: not the `length` of a list, nor the `constructor` of an object. */
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
