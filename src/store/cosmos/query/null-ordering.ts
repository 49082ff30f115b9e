// Splits an ordered query where values may be null. To the port, null, missing, lists and objects are one value, but Cosmos DB orders
// them differently. So documents without a value get a query of their own, unless the page begins after them or the field is required.
// An order of several values needs one query for each pattern of values and nulls; the page is merged from their results.

import { isId, type Order, type Position, type Query, type Scalar } from '../../query.ts'
import { anyOf, countsAsNull, idReference, referenceTo, typeCheck, valueTypes, type Bind } from './expressions.ts'

/** For each value of the order, whether the documents of the run have one. */
export type NullPattern = readonly ('value' | 'null')[]

export function nullPatternsOf({ orderBy, after }: Query): readonly NullPattern[] {
  return nullPatternsFrom(valuesIn(orderBy), after && positionsOf(after))
}

/** `position` is where the page begins, as long as all values before are at the same place as there. */
function nullPatternsFrom([first, ...rest]: readonly Order[], position: readonly Scalar[] | undefined): NullPattern[] {
  if (!first) return [[]]
  const [value, ...further] = position ?? []
  const withNull = (): NullPattern[] => nullPatternsFrom(rest, position && value === null ? further : undefined).map((run) => ['null', ...run])
  const withValue = (): NullPattern[] => nullPatternsFrom(rest, undefined).map((run) => ['value', ...run])
  if (position && value === null) return first.descending ? withNull() : [...withNull(), ...withValue()]
  if (first.required || (position && !first.descending)) return withValue()
  return first.descending ? [...withValue(), ...withNull()] : [...withNull(), ...withValue()]
}

/** The conditions on the documents of a run. */
export function conditionsOfPattern({ orderBy, after }: Query, run: NullPattern): string[] {
  return valuesIn(orderBy).flatMap(({ path }, at) => {
    if (run[at] === 'null') return [countsAsNull(referenceTo(path))]
    // After a value there are only values.
    return at === 0 && after && after.value !== null ? [] : [anyOf(valueTypes.map((type) => `${type}(${referenceTo(path)})`))]
  })
}

/** Only what comes after the position of the query. */
export function afterPosition({ orderBy, after }: Query, run: NullPattern, bind: Bind): string {
  const values = valuesIn(orderBy)
  const position = positionsOf(after!)
  const from = (at: number): string => {
    const order = values[at]
    if (!order) return `${idReference} ${orderBy.descending ? '<' : '>'} ${bind(after!.id)}`
    const value = position[at] ?? null
    if (run[at] === 'null' && value === null) return from(at + 1)
    // All of this run comes after the position, or before it.
    if (run[at] === 'null' || value === null) return String(order.descending === (run[at] === 'null'))
    return behind(order, value, bind, () => from(at + 1))
  }
  return from(0)
}

function behind({ path, descending }: Order, value: Exclude<Scalar, null>, bind: Bind, amongEqual: () => string): string {
  const sign = descending ? '<' : '>'
  const reference = referenceTo(path)
  const type = valueTypes.indexOf(typeCheck(value))
  const furtherTypes = descending ? valueTypes.slice(0, type) : valueTypes.slice(type + 1)
  // A range that an index can begin at, and within it what comes after. The two alternatives by themselves would be no range.
  const [from, later] = [bind(value), bind(value)]
  return anyOf([
    `(${reference} ${sign}= ${from} AND (${reference} ${sign} ${later} OR ${amongEqual()}))`,
    ...furtherTypes.map((check) => `${check}(${reference})`),
  ])
}

/** What a run is ordered by, for which it needs a composite index. */
export function orderOfPattern({ orderBy }: Query, run: NullPattern): string {
  const parts = valuesIn(orderBy).filter((_, at) => run[at] === 'value').map(({ path, descending }) => ({ reference: referenceTo(path), descending }))
  return [...parts, { reference: idReference, descending: orderBy.descending }].map(({ reference, descending }) => `${reference} ${descending ? 'DESC' : 'ASC'}`).join(', ')
}

/** Every document has an id. */
function valuesIn({ thenBy = [], ...first }: Order): readonly Order[] {
  return isId(first.path) ? [] : [first, ...thenBy]
}

function positionsOf({ value, further = [] }: Position): readonly Scalar[] {
  return [value, ...further]
}
