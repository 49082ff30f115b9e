// Which queries may have to look at every document of a container. Indexes stand behind every condition
// and every order, but one statement goes along one of them, and what it passes over costs time too.

import type { Condition, Query, Selection } from '../../query.ts'
import { isId, samePath, type SqliteContainer } from '../layout.ts'

/** A page without conditions ends at its limit. */
export function isLongQuery(container: SqliteContainer, query: Query): boolean {
  return query.where !== undefined && isLongCount(container, query)
}

export function isLongCount(container: SqliteContainer, { partition, where }: Selection): boolean {
  return partition === undefined && !(where !== undefined && isNarrow(container, where))
}

/** Whether an index leads to the few documents with one value, or some. */
function isNarrow(container: SqliteContainer, condition: Condition): boolean {
  if (condition.op === 'and') return condition.conditions.some((each) => isNarrow(container, each))
  if (condition.op !== 'eq' && condition.op !== 'in') return false
  const { path } = condition
  return isId(path) || container.placed.has(JSON.stringify(path)) || (condition.op === 'eq' && container.lists.some(({ equals }) => samePath(equals, path)))
}
