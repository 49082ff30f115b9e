// Completes a filter that says something of related documents: finds those that have to be looked up, all in one wave, and logs what
// copies have saved. plan/relation-filter.ts has decided which.

import type { RelatedCondition } from '../plan/relation-filter.ts'
import type { Asker } from '../read/read-log.ts'
import type { Reads } from '../read/reads.ts'
import { allRead, whenRead, type MaybePending } from '../store/maybe-promise.ts'

/** Reads when it is first called. */
export function relatedFound(related: readonly RelatedCondition[], reads: Reads, asker: Asker): () => MaybePending<readonly void[]> {
  let found: MaybePending<readonly void[]> | undefined
  return () => (found ??= allRead(related.length, (at) => complete(related[at]!, reads, asker)))
}

function complete({ field, choice, lookup, spared }: RelatedCondition, reads: Reads, { place, stage }: Asker): MaybePending<void> {
  const asker: Asker = { field: field.coordinate, place, stage }
  reads.readLog?.filtered(field.coordinate, choice)
  if (lookup) return whenRead(reads.page(lookup.query, undefined, asker), (documents) => lookup.fill(documents.map(({ key }) => key.id)))
  if (reads.readLog) {
    reads.readLog.usedCopies = true
    if (spared) reads.readLog.spareQuery(asker, spared)
  }
  return undefined
}
