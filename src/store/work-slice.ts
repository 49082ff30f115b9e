// Long work in slices, so that it never holds the event loop. Everything in this process shares one thread: while it plans the
// effects of a rename or applies a page of the feed without a pause, no request is read, answered or stopped by its deadline.
//
// The bound counts work, not time. A timer would have to be asked for each document, and the same work would be cut in other
// places on every machine, so that no test could tell whether it is cut at all. A unit is what one small document takes to be
// read, changed and compared, some ten to fifty microseconds; a slice of them is a few milliseconds, a small part of the 50
// that no request should ever wait. Work that stays within one slice is never interrupted and pays for one addition per call.

import { setImmediate as nextTurn } from 'node:timers/promises'

/** How many documents are handled between two turns of the event loop. */
export const documentsPerSlice = 200

/** A document is a unit, and so is every further piece of this size: parsing and writing JSON takes time by its length. */
export const bytesPerUnit = 4096

/** The units that a document of this size counts for. */
export function unitsOf(bytes: number): number {
  return Math.max(1, bytes / bytesPerUnit)
}

export interface WorkSlice {
  /**
   * Counts work that has been done. Undefined as long as the slice is not used up, so that a loop need not await it:
   * `const turn = slice.next(); if (turn) await turn`.
   */
  next(units?: number): Promise<void> | undefined
}

/** `resume` is called after each turn that others had, and may throw to end the work. */
export function createWorkSlice(resume?: () => void): WorkSlice {
  let left = documentsPerSlice
  const turn = async (): Promise<void> => {
    left = documentsPerSlice
    await nextTurn()
    resume?.()
  }
  return {
    next(units = 1) {
      left -= units
      return left > 0 ? undefined : turn()
    },
  }
}
