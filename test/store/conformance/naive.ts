// The expected results of queries, computed the slow and obvious way over a plain list of documents,
// without any code of the stores. The meaning of each comparison comes from the model
// (src/model/operators.ts) and is tested there.

import { partitionText } from '../../../src/model/keys/key.ts'
import { comparisons } from '../../../src/model/operators.ts'
import { operandOf, type Condition, type Order, type Path, type Position, type Query, type Scalar, type Selection } from '../../../src/store/query.ts'
import type { Body } from '../../../src/model/json/json.ts'
import type { Supports } from '../../../src/store/store.ts'
import type { Put } from './shelf.ts'

type TextOrder = Supports['textOrder']

export function naiveQuery(all: readonly Put[], query: Query, texts: TextOrder = 'code points'): Put[] {
  const { orderBy, after, limit } = query
  return naiveSelect(all, query, texts)
    .filter((put) => after === undefined || comparePositions(positionOf(put, orderBy), after, orderBy, texts) > 0)
    .toSorted((a, b) => comparePositions(positionOf(a, orderBy), positionOf(b, orderBy), orderBy, texts))
    .slice(0, limit)
}

export function naiveSelect(all: readonly Put[], { container, type, partition, where }: Selection, texts: TextOrder = 'code points'): Put[] {
  return all
    .filter((put) => put.container === container)
    .filter(({ body }) => type === undefined || body.type === type)
    .filter(({ key }) => partition === undefined || partitionText(key.partition) === partitionText(partition))
    .filter(({ body }) => where === undefined || isTrue(where, body, texts))
}

export function also(where: Condition | undefined, path: Path, value: Scalar): Condition {
  return { op: 'and', conditions: [{ op: 'eq', path, value }, ...(where === undefined ? [] : [where])] }
}

export function positionOf({ key, body }: Pick<Put, 'key' | 'body'>, { path, thenBy }: Order): Position {
  const at = (one: Path): Scalar => valuesAt(body, one)[0] ?? null
  return { value: at(path), id: key.id, ...(thenBy ? { further: thenBy.map((each) => at(each.path)) } : {}) }
}

function comparePositions(a: Position, b: Position, { descending, thenBy = [] }: Order, texts: TextOrder): number {
  const compare = (one: Scalar, other: Scalar, isDescending: boolean): number => (isDescending ? -1 : 1) * compareLists(weigh(one, texts), weigh(other, texts))
  const further = thenBy.map((each, at) => compare(a.further![at]!, b.further![at]!, each.descending))
  return [compare(a.value, b.value, descending), ...further, compare(a.id, b.id, descending)].find((order) => order !== 0) ?? 0
}

/** Numbers that compare like the value: its type first, and an end mark after every text. */
function weigh(value: Scalar, texts: TextOrder): number[] {
  if (value === null) return [0]
  if (typeof value === 'boolean') return [1, Number(value)]
  if (typeof value === 'number') return [2, value]
  return [3, ...Array.from(inCodePoints(value, texts) as string, (character) => character.codePointAt(0)!), -1]
}

/** The value, with texts changed so that their code points compare as the texts do. */
function inCodePoints(value: Scalar, texts: TextOrder): Scalar {
  if (typeof value !== 'string' || texts === 'code points') return value
  return Array.from({ length: value.length }, (_, at) => String.fromCodePoint(0x1_0000 + value.charCodeAt(at))).join('')
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, index) => number !== b[index])
  return at === -1 ? 0 : a[at]! < b[at]! ? -1 : 1
}

function isTrue(condition: Condition, body: Body, texts: TextOrder): boolean {
  if (condition.op === 'not') return !isTrue(condition.condition, body, texts)
  if (condition.op === 'some') {
    const list = condition.list.reduce<unknown>((value, name) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)).get(name) : undefined), body)
    return Array.isArray(list) && list.some((element) => isTrue(condition.condition, element as Body, texts))
  }
  if ('conditions' in condition) {
    const trueOnes = condition.conditions.filter((each) => isTrue(each, body, texts)).length
    return condition.op === 'and' ? trueOnes === condition.conditions.length : trueOnes > 0
  }
  const { holds } = comparisons[condition.op]
  if (!inOrder.has(condition.op)) return valuesAt(body, condition.path).some((found) => holds(found, operandOf(condition)))
  const compared = inCodePoints(operandOf(condition), texts) as never
  return valuesAt(body, condition.path).some((found) => holds(inCodePoints(found, texts), compared))
}

/** The operators that depend on the order of texts. */
const inOrder = new Set<string>(['lt', 'lte', 'gt', 'gte'])

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
