// A session that reads an older value after a newer one, in the same document or in the same snapshot. A snapshot may be older
// than the document that was read before it: how old is for stale-reads.ts to judge.

import { ms, type Check } from '../finding.ts'
import type { History, ReadEvent } from '../history.ts'

export const monotonicReads: Check = function* (history, timelines) {
  const last = new Map<string, { readonly value: string; readonly read: ReadEvent }>()
  for (const read of inOrder(history)) {
    for (const { register, value, source } of read.seen) {
      if (source === undefined) continue
      const place = JSON.stringify([read.session, register, source])
      const before = last.get(place)
      if (before && before.read.completedMs <= read.invokedMs && timelines.isBefore(register, value, before.value)) {
        yield { atMs: read.completedMs, message: `${read.session} read ${register} = ${before.value} at ${ms(before.read.completedMs)}, and the older ${value} at ${ms(read.completedMs)} (${source})` }
      }
      last.set(place, { value, read })
    }
  }
}

function inOrder({ reads }: History): ReadEvent[] {
  return reads.toSorted((one, other) => one.invokedMs - other.invokedMs)
}
