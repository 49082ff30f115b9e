// A session that does not see what it wrote itself, although it sent its token along.

import { ms, type Check } from '../finding.ts'

export const ownWrites: Check = function* ({ reads }, timelines) {
  for (const read of reads) {
    if (!read.ownWrites) continue
    for (const { register, value, source } of read.seen) {
      const { atMs, by } = timelines.replaced(register, value, read.session)
      if (by !== undefined && atMs <= read.invokedMs) yield { atMs: read.completedMs, message: `${read.session} wrote ${register} = ${by} by ${ms(atMs)}, asked at ${ms(read.invokedMs)} with its token, and read ${value} (${source ?? 'document or snapshot'})` }
    }
  }
}
