// Ids in their order, each once, and the same with one more or one less. Lists that Quire keeps are so already, and are
// only gone through once: they are renewed with every document that points at theirs.

import { compareText } from '../../model/keys/compare-scalars.ts'

export function orderedIds(ids: readonly string[]): readonly string[] {
  return isOrdered(ids) ? ids : [...new Set(ids)].toSorted(compareText)
}

/** Of ids in their order. */
export function withId(ids: readonly string[], id: string): readonly string[] {
  const at = placeOf(ids, id)
  return ids[at] === id ? ids : ids.toSpliced(at, 0, id)
}

/** Of ids in their order. */
export function withoutId(ids: readonly string[], id: string): readonly string[] {
  const at = placeOf(ids, id)
  return ids[at] === id ? ids.toSpliced(at, 1) : ids
}

function isOrdered(ids: readonly string[]): boolean {
  for (let at = 1; at < ids.length; at++) if (compareText(ids[at - 1]!, ids[at]!) >= 0) return false
  return true
}

/** Where it is, or would be. */
function placeOf(ids: readonly string[], id: string): number {
  let [from, to] = [0, ids.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (compareText(ids[middle]!, id) < 0) from = middle + 1
    else to = middle
  }
  return from
}
