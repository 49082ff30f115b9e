// The structured queries that every store understands. No query text exists above an adapter: paths come from the model
// and values are always bound, so no client input can become part of a statement.

import type { Partition } from '../model/keys/key.ts'
import type { Position, Scalar } from '../model/keys/position.ts'
import type { ComparisonOperator, Operand } from '../model/operators.ts'

export type { Position, Scalar }

/**
 * Property names from the top of the document down. `'*'` stands for any element of a list: a condition on
 * `['tags', '*', 'id']` holds if one of the tags has that id.
 *
 * @example
 * ```ts
 * const path: Path = ['address', 'city']
 * ```
 */
export type Path = readonly string[]

export function isId(path: Path): boolean {
  return path.length === 1 && path[0] === 'id'
}

export function samePath(a: Path, b: Path): boolean {
  return a === b || (a.length === b.length && a.every((name, at) => name === b[at]))
}

/**
 * A property that is missing, or holds a list or an object, counts as null. Two values of different
 * types are never equal and neither is less than the other. With `'*'`, a comparison holds when it
 * holds for any element. Every condition is either true or false, so `not` is plain negation.
 *
 * @example
 * ```ts
 * const where: Condition = { op: 'and', conditions: [{ op: 'eq', path: ['wing'], value: 'north' }, { op: 'not', condition: { op: 'eq', path: ['fed'], value: true } }] }
 * ```
 */
export type Condition =
  | Comparison
  | { readonly op: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly op: 'not'; readonly condition: Condition }
  | SomeElement

/**
 * A condition about the elements of a list: one of them must meet it. Its paths begin at the element, which itself is the path of no
 * names, and have no `'*'`; it has no further `some`. Several comparisons with `'*'` may each be met by another element.
 *
 * @example
 * ```ts
 * const where: SomeElement = { op: 'some', list: ['meals'], condition: { op: 'eq', path: ['food'], value: 'hay' } }
 * ```
 */
export interface SomeElement {
  readonly op: 'some'
  /** The path of the list, without `'*'`. A property that holds no list has no elements. */
  readonly list: Path
  readonly condition: Condition
}

/**
 * A condition about the value at one path. model/operators.ts says what each operator means.
 *
 * @example
 * ```ts
 * const comparison: Comparison = { op: 'startsWith', path: ['name'], value: 'R' }
 * ```
 */
export type Comparison = {
  readonly [Op in ComparisonOperator]: { readonly op: Op; readonly path: Path } & (
    Operand<Op> extends readonly Scalar[] ? { readonly values: Operand<Op> } : { readonly value: Operand<Op> }
  )
}[ComparisonOperator]

/** The operand of a comparison, for a table with one function per operator: TypeScript cannot see that the types match. */
export function operandOf(comparison: Comparison): never {
  return ('values' in comparison ? comparison.values : comparison.value) as never
}

/**
 * Ascending order is null, booleans, numbers, then strings by code point. Documents with the same value are in the order of
 * `thenBy`, and then by id in the direction of the first value: ids are unique among the documents of a type. No path has a `'*'`.
 *
 * @example
 * ```ts
 * const orderBy: Order = { path: ['name'], descending: false }
 * ```
 */
export interface Order {
  readonly path: Path
  readonly descending: boolean
  /** Every document has a value at the path, so a store may leave out documents without one. */
  readonly required?: boolean
  /** Further orders, which have none of their own; absent rather than empty. */
  readonly thenBy?: readonly Order[]
}

/** The same order from the other end. */
export function reversed({ thenBy, ...first }: Order): Order {
  const flipped = { ...first, descending: !first.descending }
  return thenBy ? { ...flipped, thenBy: thenBy.map(reversed) } : flipped
}

/**
 * One more value in an index. An index can be walked from both ends, so only its direction beside the first value matters.
 *
 * @example
 * ```ts
 * const largestFirst: FurtherOrder = { path: ['weight'], isOpposite: true }
 * ```
 */
export interface FurtherOrder {
  readonly path: Path
  /** Whether it is descending where the first value is ascending. */
  readonly isOpposite: boolean
}

/** The values of an order after the first, as an index has them. The same order gives the same list. */
export function furtherIn(order: Order): readonly FurtherOrder[] | undefined {
  if (!order.thenBy) return undefined
  let further = furtherOrders.get(order)
  if (!further) furtherOrders.set(order, (further = order.thenBy.map(({ path, descending }) => ({ path, isOpposite: descending !== order.descending }))))
  return further
}

const furtherOrders = new WeakMap<Order, readonly FurtherOrder[]>()

/** Whether an index has these values, in these directions, after the first. */
export function hasFurther({ thenBy = [] }: { readonly thenBy?: readonly FurtherOrder[] }, further: readonly FurtherOrder[] = []): boolean {
  return thenBy.length === further.length && thenBy.every(({ path, isOpposite }, at) => samePath(path, further[at]!.path) && isOpposite === further[at]!.isOpposite)
}

/**
 * Documents of one container.
 *
 * @example
 * ```ts
 * const selection: Selection = { container: 'beasts', where: { op: 'eq', path: ['wing'], value: 'north' } }
 * ```
 */
export interface Selection {
  readonly container: string
  /** Only documents with this `type` property, in a container that several types share. */
  readonly type?: string
  /** Only documents of this tenant, in a container that several tenants share. */
  readonly tenant?: string
  /** Only this partition; all partitions without it. */
  readonly partition?: Partition
  /** All documents that match are in these partitions, so a store may skip the others. */
  readonly among?: readonly Partition[]
  readonly where?: Condition
}

/**
 * A page of documents.
 *
 * @example
 * ```ts
 * const query: Query = { container: 'beasts', orderBy: { path: ['name'], descending: false }, limit: 20 }
 * ```
 */
export interface Query extends Selection {
  readonly orderBy: Order
  /** The page begins after this position. */
  readonly after?: Position
  readonly limit: number
}
