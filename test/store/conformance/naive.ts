// The expected results of queries, computed the slow and obvious way over a plain list of documents,
// without any code of the stores. The meaning of each comparison comes from the model
// (src/model/operators.ts) and is tested there.

import { partitionText } from '../../../src/model/keys/key.ts'
import { comparisons } from '../../../src/model/operators.ts'
import { operandOf, type Condition, type Order, type Path, type Position, type Query, type Scalar, type Selection } from '../../../src/store/query.ts'
import type { Body } from '../../../src/model/json/json.ts'
import type { Put } from './shelf.ts'

export function naiveQuery(all: readonly Put[], query: Query): Put[] {
  const { orderBy, after, limit } = query
  return naiveSelect(all, query)
    .filter((put) => after === undefined || comparePositions(positionOf(put, orderBy), after, orderBy) > 0)
    .toSorted((a, b) => comparePositions(positionOf(a, orderBy), positionOf(b, orderBy), orderBy))
    .slice(0, limit)
}

export function naiveSelect(all: readonly Put[], { container, type, partition, where }: Selection): Put[] {
  return all
    .filter((put) => put.container === container)
    .filter(({ body }) => type === undefined || body.type === type)
    .filter(({ key }) => partition === undefined || partitionText(key.partition) === partitionText(partition))
    .filter(({ body }) => where === undefined || isTrue(where, body))
}

export function also(where: Condition | undefined, path: Path, value: Scalar): Condition {
  return { op: 'and', conditions: [{ op: 'eq', path, value }, ...(where === undefined ? [] : [where])] }
}

export function positionOf({ key, body }: Pick<Put, 'key' | 'body'>, { path }: Order): Position {
  return { value: valuesAt(body, path)[0] ?? null, id: key.id }
}

function comparePositions(a: Position, b: Position, { descending }: Order): number {
  return (descending ? -1 : 1) * compareLists([...weigh(a.value), ...weigh(a.id)], [...weigh(b.value), ...weigh(b.id)])
}

/** Numbers that compare like the value: its type first, and an end mark after every text. */
function weigh(value: Scalar): number[] {
  if (value === null) return [0]
  if (typeof value === 'boolean') return [1, Number(value)]
  if (typeof value === 'number') return [2, value]
  return [3, ...Array.from(value, (character) => character.codePointAt(0)!), -1]
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, index) => number !== b[index])
  return at === -1 ? 0 : a[at]! < b[at]! ? -1 : 1
}

function isTrue(condition: Condition, body: Body): boolean {
  if (condition.op === 'not') return !isTrue(condition.condition, body)
  if (condition.op === 'some') {
    const list = condition.list.reduce<unknown>((value, name) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)).get(name) : undefined), body)
    return Array.isArray(list) && list.some((element) => isTrue(condition.condition, (typeof element === 'object' && !Array.isArray(element) ? element : {}) as Body))
  }
  if ('conditions' in condition) {
    const trueOnes = condition.conditions.filter((each) => isTrue(each, body)).length
    return condition.op === 'and' ? trueOnes === condition.conditions.length : trueOnes > 0
  }
  return valuesAt(body, condition.path).some((found) => comparisons[condition.op].holds(found, operandOf(condition)))
}

function valuesAt(value: unknown, path: Path): Scalar[] {
  const [name, ...rest] = path
  if (name === undefined) return [isScalar(value) ? value : null]
  if (name === '*') return Array.isArray(value) ? value.flatMap((element) => valuesAt(element, rest)) : []
  const properties = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
  return valuesAt(properties.find(([property]) => property === name)?.[1], rest)
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}
