// Which queries may have to look at every document of a container. Every condition and every order has an index, but a
// statement follows only one of them, and the entries that it skips cost time, too.

import { isId, samePath, type Condition, type Query, type Selection } from '../../query.ts'
import type { SqliteContainer } from '../prepare-layout.ts'

/** A page without conditions ends at its limit. */
export function isLongQuery(container: SqliteContainer, query: Query): boolean {
  return query.where !== undefined && isLongCount(container, query)
}

export function isLongCount(container: SqliteContainer, { partition, where }: Selection): boolean {
  return partition === undefined && !(where !== undefined && isSelective(container, where))
}

/** Whether an index leads to the few documents with one value or some values. */
function isSelective(container: SqliteContainer, condition: Condition): boolean {
  if (condition.op === 'and') return condition.conditions.some((each) => isSelective(container, each))
  if (condition.op !== 'eq' && condition.op !== 'in') return false
  const { path } = condition
  return isId(path) || container.sortKeyPathTexts.has(JSON.stringify(path)) || (condition.op === 'eq' && container.lists.some(({ equals }) => samePath(equals, path)))
}
