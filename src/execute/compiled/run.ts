// One run of a compiled operation: what is this request's own. Whoever observes operations wants to know how
// many rows of each relation were resolved. Rows that are alike are written once, so each of them then goes
// with the number of times it is shown.

import type { PlanNode } from '../../plan/plan.ts'
import type { RequestContext } from '../resolvers.ts'
import type { StoredDocument } from '../../store/store.ts'

/** What is answered. */
export interface Request {
  readonly context: RequestContext
  /** Coerced, with their defaults. */
  readonly variables: Record<string, unknown>
  /** How many rows of each relation were resolved, where anyone wants to know. */
  readonly counts: Map<PlanNode, number> | undefined
}

export interface Run extends Request {
  /** Another one each time. */
  readonly number: number
  /** How to look for documents that rows point at, where that can be done while a row is written. */
  readonly looks: readonly LookById[]
  /** To be called by whoever has waited: what was there to be looked at may have changed meanwhile. */
  readonly lookAgain: () => void
  /** How many times the row that is being written is shown. */
  weight: number
}

export type LookById = (id: string) => StoredDocument | undefined

/** How many times each of several rows is shown; once each where it is not said. */
export type Times = readonly number[] | undefined

export function count({ counts, weight }: Run, place: PlanNode): void {
  counts?.set(place, (counts.get(place) ?? 0) + weight)
}

/** Rows of a relation that were resolved together. */
export function countAll({ counts }: Run, place: PlanNode, rows: number, times: Times): void {
  if (counts && place.choice) counts.set(place, (counts.get(place) ?? 0) + (times ? times.reduce((sum, each) => sum + each, 0) : rows))
}
