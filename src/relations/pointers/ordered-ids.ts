// Lists of distinct ids in order, and adding and removing one. The lists that Quire maintains are in order already,
// so checking that takes one pass: they are refreshed with every document that points at their owner.

import { compareText } from '../../model/keys/compare-scalars.ts'

export function orderedIds(ids: readonly string[]): readonly string[] {
  return isOrdered(ids) ? ids : [...new Set(ids)].toSorted(compareText)
}

/** Adds an id to ids that are in order. */
export function withId(ids: readonly string[], id: string): readonly string[] {
  const at = indexFor(ids, id)
  return ids[at] === id ? ids : ids.toSpliced(at, 0, id)
}

/** Removes an id from ids that are in order. */
export function withoutId(ids: readonly string[], id: string): readonly string[] {
  const at = indexFor(ids, id)
  return ids[at] === id ? ids.toSpliced(at, 1) : ids
}

function isOrdered(ids: readonly string[]): boolean {
  for (let at = 1; at < ids.length; at++) if (compareText(ids[at - 1]!, ids[at]!) >= 0) return false
  return true
}

/** The index of an id, or where it would be inserted. */
function indexFor(ids: readonly string[], id: string): number {
  let [from, to] = [0, ids.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (compareText(ids[middle]!, id) < 0) from = middle + 1
    else to = middle
  }
  return from
}
