// Lists that keep their older entries in parts beside the document: what the parts point at, and
// whether document and parts agree. A list that looks wrong is read again by itself, since it may have
// grown between the one and the other; what is told has been seen while nobody changed it.

import type { DocumentType, Field } from '../../model/model.ts'
import type { Scalar } from '../../store/query.ts'
import { maxLooks, type Checking } from './checking.ts'
import { trailsOf } from './dangling.ts'
import { pageSize } from './document-pages.ts'
import type { Finding } from './finding.ts'
import { BatchedView } from './batched-view.ts'
import { inspectList, type InspectedList } from './inspect-list.ts'
import { allLists, readList, readOwner, type List } from './lists.ts'
import { asRepaired, attempt } from './repair.ts'

export async function* checkLists(checking: Checking, owner: DocumentType, field: Field, part: DocumentType): AsyncGenerator<Finding> {
  const { declaration: { model }, store } = checking
  const inspected = { model, owner, field, part, trails: trailsOf(model, part), supports: store.supports }
  let batch: List[] = []
  let documents = 0
  for await (const list of allLists(store, owner, part)) {
    batch.push(list)
    documents += 1 + list.parts.length
    if (documents < pageSize) continue
    yield* checkBatch(checking, inspected, batch)
    batch = []
    documents = 0
  }
  yield* checkBatch(checking, inspected, batch)
}

async function* checkBatch(checking: Checking, inspected: InspectedList, batch: readonly List[]): AsyncGenerator<Finding> {
  const view = new BatchedView(checking.store)
  const inspections = await Promise.all(batch.map((list) => inspectList(inspected, list, view)))
  for (const { list, findings } of inspections) if (findings.length > 0) yield* checkAlone(checking, inspected, list.ownerId)
  await checking.looked(batch.reduce((sum, { parts }) => sum + parts.length, 0))
}

async function* checkAlone({ store, repair }: Checking, inspected: InspectedList, ownerId: Scalar): AsyncGenerator<Finding> {
  for (let look = 1; look <= maxLooks; look++) {
    const list = await readList(store, inspected.owner, inspected.part, ownerId)
    const { findings, writes } = await inspectList(inspected, list, new BatchedView(store))
    if (repair && writes.length > 0 && !(await attempt(store, writes))) return yield* asRepaired(findings)
    // Whoever changes a part changes its owner with it.
    const now = await readOwner(store, inspected.owner, ownerId)
    if (now?.etag === list.owner?.etag || look === maxLooks) return yield* findings
  }
}
