// The reads of the root fields that Quire gives every schema.

import type { Declaration } from '../../relations/declaration.ts'
import { uniqueRootField } from '../../model/values/unique.ts'
import { nodeArgument, oneOf, rootArguments } from '../field-arguments.ts'
import { plannedById, plannedByKey, plannedListing, plannedPage, once, upTo, type PlannedReads } from '../../read/planned-reads.ts'
import type { PlanNode } from '../plan.ts'
import type { RelatedCondition } from '../relation-filter.ts'
import type { Window } from '../../read/listing.ts'

export interface RootReads {
  readonly reads: PlannedReads
  /** Whether it is a connection. */
  readonly isList?: boolean
  /** What its filter says of related documents. */
  readonly related?: readonly RelatedCondition[]
  /** The types that it can return, where they are fewer than the schema says. */
  readonly members?: ReadonlySet<string>
}

/** Undefined for a root field that the schema adds itself. */
export function rootReads(declaration: Declaration, { coordinate, filtering }: PlanNode, args: Record<string, unknown>, window: (scope: string) => Window): RootReads | undefined {
  const { model } = declaration
  const name = coordinate.split('.')[1]!
  if (name === 'node') {
    const { type } = nodeArgument(model, { nodeId: String(args['nodeId']) })
    return { reads: { stages: [{ ...plannedByKey(type.container, once), type }], rows: upTo(1) }, members: new Set([type.name]) }
  }
  for (const type of model.documents.values()) {
    if (name === type.singular) {
      const { id, known } = rootArguments(type, declaration).one(args)
      return { reads: { stages: [plannedById(type, once, { ...known, id })], rows: upTo(1) } }
    }
    if (name === type.plural) {
      const { selection, orderBy, related } = rootArguments(type, declaration).list(args, undefined, filtering)
      return { reads: plannedListing(type, selection, orderBy, window(coordinate)), isList: true, related }
    }
  }
  const byValue = uniqueRootField(model, name)
  return byValue && { reads: { stages: [plannedPage(byValue.type, oneOf(byValue.type), byValue.unique.path)], rows: upTo(1) } }
}
