// The writes of one piece of work in steps, for stores that cannot make them all as one. Each step is
// all or nothing, and the order is such that a process that dies between two of them leaves nothing
// worse behind than work that was begun: notes of what is about to be left come first, then what
// changes, then what is new, then what goes, with whatever points at a document before the document.

import { ownContainer } from '../store/own-container.ts'
import { scopesOf } from '../store/write-all.ts'
import type { Supports, Write } from '../store/store.ts'

export function stepsOf(writes: readonly Write[], supports: Supports): Write[][] {
  const steps = scopesOf(writes, supports)
  checkRepeatable(steps)
  const inOrder = steps.map((step, index) => ({ step, rank: rankOf(step), index }))
  // What was found to go first is what the others point at: it goes last.
  return inOrder.toSorted((one, other) => one.rank - other.rank || (one.rank === ranks.going ? other.index - one.index : one.index - other.index)).map(({ step }) => step)
}

const ranks = { note: 0, changed: 1, created: 2, going: 3, noteGoing: 4 }

function rankOf(step: readonly Write[]): number {
  return Math.min(...step.map((write) => {
    if (write.container === ownContainer) return write.kind === 'put' ? ranks.note : ranks.noteGoing
    return write.kind === 'delete' ? ranks.going : isChange(write) ? ranks.changed : ranks.created
  }))
}

/**
 * When a step is refused because others were faster, the work is done anew, and what earlier steps have
 * changed is found changed. That is right for a deletion, which finds less to do. A change that depends
 * on what was there, such as adding to a number, would be made twice; so there may be one such step.
 */
function checkRepeatable(steps: readonly (readonly Write[])[]): void {
  if (steps.some((step) => step.some(({ kind, container }) => kind === 'delete' && container !== ownContainer))) return
  const changing = steps.filter((step) => rankOf(step) === ranks.changed)
  if (changing.length > 1) throw new Error(`A mutation changes documents of ${changing.length} partitions (${changing.map(([write]) => `${write!.container}/${write!.key.id}`).join(', ')}), and this store writes one as one. Change one and create the others, or use several mutations.`)
}

function isChange(write: Write): boolean {
  return write.kind === 'put' && typeof write.only === 'object'
}
