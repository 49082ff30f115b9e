// Which index serves the values at a path.

import { furtherIn, hasFurther, isId, samePath, type Order, type Path, type Selection } from '../../query.ts'
import type { SqliteContainer } from '../prepare-layout.ts'
import type { ListIndex } from './list-index.ts'

/** Whether the documents of a selection are in the order of the values at a path somewhere. */
export function hasIndex({ indexes }: SqliteContainer, { type }: Selection, path: Path): boolean {
  return isId(path) || indexes.some((index) => samePath((index.equals ?? index.orderBy)!, path) && (index.type === undefined || type !== undefined))
}

/** The same for an order of several values. */
export function hasOrder(container: SqliteContainer, selection: Selection, orderBy: Order): boolean {
  const further = furtherIn(orderBy)
  if (!further) return hasIndex(container, selection, orderBy.path)
  return container.indexes.some((index) => index.equals === undefined && samePath(index.orderBy!, orderBy.path) && hasFurther(index, further) && (index.type === undefined || selection.type !== undefined))
}

/** Preferably one in the wanted order, which can stop at the limit. */
export function listFor({ lists }: SqliteContainer, type: string | undefined, path: Path, orderBy: Path = []): ListIndex | undefined {
  const usable = lists.filter((list) => samePath(list.equals, path) && (list.type === undefined || list.type === type))
  return usable.find((list) => samePath(list.orderBy, orderBy)) ?? usable[0]
}
