// Which paths of a document a query filters and sorts by, as an indexing policy would name them, and
// whether that policy serves them.

import { Refusal } from '../http-messages.ts'
import type { IndexPolicy } from '../storage/index-policy.ts'
import type { Condition, Loop, Query, Ref } from './syntax.ts'

type Path = readonly string[]

/** Whether a filter has to look at every document, because it asks for something that is not indexed. */
export function needsScan(query: Query, policy: IndexPolicy): boolean {
  const scope = new Map<string, Path>([[query.root, []]])
  if (query.join !== undefined) {
    const { alias, loops, value } = query.join
    scope.set(alias, pathOf(value, loops.reduce(withLoop, scope)))
  }
  return query.where !== undefined && !isServed(query.where, scope, policy)
}

/** Refuses an ORDER BY that no index serves. */
export function checkOrder(query: Query, policy: IndexPolicy): void {
  const scope = new Map<string, Path>([[query.root, []]])
  const order = query.orderBy.map(({ ref, descending }) => ({ path: pathOf(ref, scope), descending }))
  if (order.length > 1 && !policy.hasComposite(order)) {
    throw new Refusal(400, 'The order by query does not have a corresponding composite index that it can be served from.')
  }
  const [first] = order
  if (order.length === 1 && first !== undefined && !policy.includes(first.path)) {
    throw new Refusal(400, 'The order by query does not have a corresponding index that it can be served from.')
  }
}

function isServed(condition: Condition, scope: ReadonlyMap<string, Path>, policy: IndexPolicy): boolean {
  switch (condition.kind) {
    case 'constant': return true
    case 'and':
    case 'or': return condition.parts.every((part) => isServed(part, scope, policy))
    case 'not': return isServed(condition.part, scope, policy)
    case 'comparison': return [condition.left, condition.right].every((each) => each.kind === 'value' || policy.includes(pathOf(each.ref, scope)))
    case 'in':
    case 'textFunction': return policy.includes(pathOf(condition.ref, scope))
    case 'typeCheck': return policy.reaches(pathOf(condition.ref, scope))
    case 'exists': return condition.where === undefined || isServed(condition.where, condition.loops.reduce(withLoop, scope), policy)
  }
}

function withLoop(scope: ReadonlyMap<string, Path>, { alias, over }: Loop): ReadonlyMap<string, Path> {
  return new Map([...scope, [alias, [...pathOf(over, scope), '[]']]])
}

function pathOf({ alias, steps }: Ref, scope: ReadonlyMap<string, Path>): Path {
  return [...(scope.get(alias) ?? []), ...steps.map((step) => (typeof step === 'number' ? '[]' : step))]
}
