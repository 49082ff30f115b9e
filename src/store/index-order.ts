// How orders of several values and indexes belong together.

import { samePath, type Order } from './query.ts'
import type { FurtherOrder, IndexLayout } from './store.ts'

/** The values of an order after the first, as an index has them. The same order gives the same list. */
export function furtherIn(order: Order): readonly FurtherOrder[] | undefined {
  if (!order.thenBy) return undefined
  let further = known.get(order)
  if (!further) known.set(order, (further = order.thenBy.map(({ path, descending }) => ({ path, isOpposite: descending !== order.descending }))))
  return further
}

const known = new WeakMap<Order, readonly FurtherOrder[]>()

/** Whether an index has these values, in these directions, after the first. */
export function hasFurther({ thenBy = [] }: Pick<IndexLayout, 'thenBy'>, further: readonly FurtherOrder[] = []): boolean {
  return thenBy.length === further.length && thenBy.every(({ path, isOpposite }, at) => samePath(path, further[at]!.path) && isOpposite === further[at]!.isOpposite)
}
