// Lists of distinct ids in order, and adding and removing some. The lists that Quire maintains are in order already,
// so checking that takes one pass: they are refreshed with the documents that point at their owner.

import { compareText } from '../../model/keys/compare-scalars.ts'

export function orderedIds(ids: readonly string[]): readonly string[] {
  return isOrdered(ids) ? ids : [...new Set(ids)].toSorted(compareText)
}

/** Adds ids to ids that are in order, and removes others. One is found by binary search; for several, the list is scanned once. */
export function changedIds(ids: readonly string[], changes: readonly { readonly id: string; readonly isListed: boolean }[]): readonly string[] {
  if (changes.length === 1) {
    const [{ id, isListed }] = changes as [(typeof changes)[number]]
    const at = indexFor(ids, id)
    if ((ids[at] === id) === isListed) return ids
    return isListed ? ids.toSpliced(at, 0, id) : ids.toSpliced(at, 1)
  }
  const listed = new Set(ids)
  for (const { id, isListed } of changes) if (isListed) listed.add(id)
  else listed.delete(id)
  // The old ids are in order, which sorting takes advantage of.
  return orderedIds([...listed])
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
