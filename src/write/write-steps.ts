// Orders the writes of one mutation into steps for a store that is atomic per partition. Each step is all or nothing. The
// order makes every cut safe: removal records first, then changed documents, then new ones, then deleted ones, with a
// referencing document before its target. A process that dies in between leaves work that the change feed completes: effects,
// and documents that intents/intent.ts names.
// Removal records do not depend on each other, so many of them are written at once.

import { clientError } from '../graphql-errors.ts'
import { ownContainer } from '../store/own-container.ts'
import { atomicGroups } from '../store/write-all.ts'
import type { Supports, Write } from '../store/store.ts'

/** In waves: the steps of one are written at the same time, the waves one after the other. */
export function stepsOf(writes: readonly Write[], supports: Supports): Write[][][] {
  const steps = atomicGroups(writes, supports)
  checkRepeatable(steps)
  const inOrder = steps.map((step, index) => ({ step, rank: rankOf(step), index }))
  // A cascading deletion finds the target before the documents that reference it, so deletions run in reverse.
  return wavesOf(inOrder.toSorted((one, other) => one.rank - other.rank || (one.rank === ranks.deleted ? other.index - one.index : one.index - other.index)))
}

function wavesOf(inOrder: readonly { step: Write[]; rank: number }[]): Write[][][] {
  const waves: { rank: number; together: Write[][] }[] = []
  for (const { step, rank } of inOrder) {
    const last = waves.at(-1)
    if (last?.rank === rank && (rank === ranks.record || rank === ranks.recordDeleted) && last.together.length < maxStepsPerWave) last.together.push(step)
    else waves.push({ rank, together: [step] })
  }
  return waves.map(({ together }) => together)
}

const maxStepsPerWave = 50

const ranks = { record: 0, changed: 1, created: 2, deleted: 3, recordDeleted: 4 }

function rankOf(step: readonly Write[]): number {
  return Math.min(...step.map((write) => {
    if (write.container === ownContainer) return write.kind === 'put' ? ranks.record : ranks.recordDeleted
    return write.kind === 'delete' ? ranks.deleted : isChange(write) ? ranks.changed : ranks.created
  }))
}

/**
 * After a conflict in a later step of a deletion the work runs again and has less to do, which is right. Without a deletion, an intent takes
 * back or completes what was begun (intents/intent.ts); it can create documents later, but not change them: others may have
 * changed them by then. So at most one step may change documents.
 */
function checkRepeatable(steps: readonly (readonly Write[])[]): void {
  if (steps.some((step) => step.some(({ kind, container }) => kind === 'delete' && container !== ownContainer))) return
  const changing = steps.filter((step) => rankOf(step) === ranks.changed)
  if (changing.length > 1) throw clientError('ATOMIC_UNSUPPORTED', `Nothing was written: the mutation changes documents in ${changing.length} partitions (${changing.map(([write]) => `${write!.container}/${write!.key.id}`).join(', ')}), and this store writes only one partition atomically. Change one document and create the others, or use several mutations.`)
}

function isChange(write: Write): boolean {
  return write.kind === 'put' && typeof write.only === 'object'
}
