// `@resolved`: answered by a resolver of the schema's own, which may take arguments and read other documents. Nothing is stored.
// execute/ calls the resolver, and check-resolvers.ts finds out if there is none.

import type { DocumentType, Field } from '../../model/model.ts'
import type { StorageOf } from '../../model/storages.ts'
import { once, plannedById, plannedListing, upTo, type PlannedReads } from '../../read/planned-reads.ts'
import { selectionOf } from '../../read/selection.ts'
import type { Window } from '../../read/listing.ts'
import type { Kind } from '../kind.ts'

type Resolved = StorageOf<'resolved'>

export const resolved: Kind<Resolved> = {
  check: () => [],
  prepare(field, { model: { documents } }) {
    const target = documents.get(field.target)
    return { value: () => undefined, ...(target ? { resolverReads: (window: Window) => readsOf(field, target, window) } : {}) }
  },
}

/** The length of such a list is unknown until the resolver returns it. */
const assumedLength = 20

/** What a resolver has to read at least, so that a budget counts it. */
function readsOf({ shape }: Field<Resolved>, target: DocumentType, window: Window): PlannedReads {
  if (shape === 'connection') return plannedListing(target, selectionOf(target), { path: ['id'], descending: false }, window)
  const documents = shape === 'list' ? upTo(assumedLength) : once
  return { stages: [plannedById(target, documents)], rows: upTo(documents.most) }
}
