// Completes a filter that says something of related documents: finds those that have to be looked up, all in one wave, and logs what
// copies have saved. plan/relation-filter.ts has decided which.

import type { RelatedCondition } from '../plan/relation-filter.ts'
import type { Asker } from '../read/read-log.ts'
import type { Reads } from '../read/reads.ts'
import { allRead, whenRead, type MaybePending } from '../store/maybe-promise.ts'

/** The related documents of one filter, found once for all rows of a request: with the first of them. */
export interface Related {
  readonly found: () => MaybePending<unknown>
  /** Who asks for what comes after them: naively it waits for them, too, whichever row they were found with. */
  readonly after: (asker: Asker) => Asker
}

/** Undefined where a filter says nothing of related documents. */
export function relatedOnce(related: readonly RelatedCondition[], reads: Reads, first: Asker): Related | undefined {
  if (related.length === 0) return undefined
  const { readLog } = reads
  // What has no query of its own, naively or not, is part of the list's.
  const wave = related.some(({ lookup, spared }) => lookup ?? spared) ? readLog?.waveOf(first) : undefined
  return { found: relatedFound(related, reads, first), after: (asker) => (wave === undefined ? asker : { ...asker, stage: readLog!.stageAfter(asker, wave) }) }
}

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
