// What the root fields that every schema has ask of the store.

import type { Declaration } from '../../relations/declaration.ts'
import { nodeArgument, rootArguments } from '../root-arguments.ts'
import { plannedById, plannedByKey, plannedListing, once, upTo, type PlannedReads } from '../../read/planned-reads.ts'
import type { Window } from '../../read/listing.ts'

export interface RootAsks {
  readonly asks: PlannedReads
  /** Whether it is a connection. */
  readonly listed?: boolean
  /** The types that it can find, where they are fewer than the schema says. */
  readonly members?: ReadonlySet<string>
}

/** Undefined for a root field that the schema has added itself. */
export function rootAsks({ model }: Declaration, coordinate: string, args: Record<string, unknown>, window: (scope: string) => Window): RootAsks | undefined {
  const name = coordinate.split('.')[1]!
  if (name === 'node') {
    const { type } = nodeArgument(model, { nodeId: String(args['nodeId']) })
    return { asks: { stages: [{ ...plannedByKey(type.container, once), type }], rows: upTo(1) }, members: new Set([type.name]) }
  }
  for (const type of model.documents.values()) {
    if (name === type.singular) {
      const { id, known } = rootArguments(type).one(args)
      return { asks: { stages: [plannedById(type, once, { ...known, id })], rows: upTo(1) } }
    }
    if (name === type.plural) {
      const { selection, orderBy } = rootArguments(type).list(args)
      return { asks: plannedListing(type, selection, orderBy, window(coordinate)), listed: true }
    }
  }
  return undefined
}
