// Checks bucketed lists: the references in their buckets, and whether document and buckets agree. Both are read one after
// the other and the list may grow in between, so a list that looks wrong is read again alone, until it has not changed
// meanwhile.

import type { DocumentType, Field } from '../../model/model.ts'
import type { Scalar } from '../../store/query.ts'
import { maxLooks, type CheckRun } from './check-run.ts'
import { referencePathsOf } from './dangling-references.ts'
import { pageSize } from './document-pages.ts'
import type { Finding } from './finding.ts'
import { BatchedView } from './batched-view.ts'
import { allLists, readList, readOwner, type BucketedList } from './bucketed-lists.ts'
import { inspectBucketedList, type InspectedList } from './inspect-bucketed-list.ts'
import { asRepaired, findConflict } from './repair/write-repaired.ts'
import { undoEntriesFor } from './repair/undo-log.ts'

export async function* checkBucketedLists(run: CheckRun, owner: DocumentType, field: Field, part: DocumentType): AsyncGenerator<Finding> {
  const { declaration: { model }, store } = run
  const inspected = { model, owner, field, part, trails: referencePathsOf(model, part), supports: store.supports, acceptLoss: run.acceptLoss, fits: run.fits }
  let batch: BucketedList[] = []
  let documents = 0
  for await (const list of allLists(store, owner, part)) {
    batch.push(list)
    documents += 1 + list.parts.length
    if (documents < pageSize) continue
    yield* checkBatch(run, inspected, batch)
    batch = []
    documents = 0
  }
  yield* checkBatch(run, inspected, batch)
}

async function* checkBatch(run: CheckRun, inspected: InspectedList, batch: readonly BucketedList[]): AsyncGenerator<Finding> {
  const view = new BatchedView(run.store)
  const inspections = await Promise.all(batch.map((list) => inspectBucketedList(inspected, list, view)))
  for (const { list, findings } of inspections) if (findings.length > 0) yield* checkAlone(run, inspected, list.ownerId)
  await run.checked(batch.reduce((sum, { parts }) => sum + parts.length, 0))
}

async function* checkAlone({ store, repair, keep }: CheckRun, inspected: InspectedList, ownerId: Scalar): AsyncGenerator<Finding> {
  for (let look = 1; look <= maxLooks; look++) {
    const list = await readList(store, inspected.owner, inspected.part, ownerId)
    const { findings, writes } = await inspectBucketedList(inspected, list, new BatchedView(store))
    if (repair && writes.length > 0) {
      await keep(undoEntriesFor(writes, [...(list.owner ? [list.owner] : []), ...list.parts]))
      if (!(await findConflict(store, writes))) return yield* asRepaired(findings)
    }
    // Every change of a bucket changes its owner's etag too.
    const now = await readOwner(store, inspected.owner, ownerId)
    if (now?.etag === list.owner?.etag || look === maxLooks) return yield* findings
  }
}
