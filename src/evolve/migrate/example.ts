// One document before and after the migration, so that the user can judge the plan.

import type { Body } from '../../model/json/json.ts'
import { selectionOf } from '../../read/selection.ts'
import type { Store } from '../../store/store.ts'
import { BatchedView } from '../check/batched-view.ts'
import { transformDocument } from './transform/transform-document.ts'
import type { MatchedModels } from './transform/matched-models.ts'
import type { TypeWork } from './transform/type-work.ts'
import { Unfit } from './transform/transform-values.ts'

export interface Example {
  readonly before: Body
  /** The document and those that are created from it; none if its data moves into another one. */
  readonly after: readonly Body[]
  /** Why this one cannot be migrated. */
  readonly problem?: string
}

const sampleSize = 20

/** The first document that changes, and the average size of the first ones. */
export async function exampleOf(pairs: MatchedModels, work: TypeWork, store: Store): Promise<{ readonly example: Example; readonly bytes: number } | undefined> {
  const sample = await store.query({ ...selectionOf(work.old), orderBy: { path: ['id'], descending: false }, limit: sampleSize })
  const bytes = sample.reduce((sum, document) => sum + document.bytes, 0) / Math.max(1, sample.length)
  const view = new BatchedView(store)
  let unchanged: Example | undefined
  for (const document of sample) {
    try {
      const { puts } = await transformDocument(pairs, work, document, view)
      if (puts.length > 0 || !work.now) return { example: { before: document.body, after: puts.map(({ body }) => body) }, bytes }
      unchanged ??= { before: document.body, after: [document.body] }
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      return { example: { before: document.body, after: [], problem: error.message }, bytes }
    }
  }
  return unchanged && { example: unchanged, bytes }
}
