// Half of one write and half of another in one document or snapshot.

import type { Check } from '../finding.ts'

export const tornReads: Check = function* ({ reads }) {
  for (const { seen, session, completedMs } of reads) {
    for (const { register, value, twin, source } of seen) {
      if (twin !== undefined && twin !== value) yield { atMs: completedMs, message: `${session} read ${register} half as ${value} and half as ${twin} (${source ?? 'document or snapshot'})` }
    }
  }
}
