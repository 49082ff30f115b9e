// An answer older than the reader allowed, or than it claims itself. A document may not be old at all, however it was cached;
// a snapshot may be as old as the smaller of `maxStaleMs` and `boundMs`.

import { ms, type Check } from '../finding.ts'
import type { Observation, ReadEvent } from '../history.ts'

export const staleReads: Check = function* ({ reads }, timelines) {
  for (const read of reads) {
    for (const { register, value, source } of read.seen) {
      const { atMs, by } = timelines.replaced(register, value)
      const allowedMs = allowed(read, source)
      if (by !== undefined && atMs + allowedMs < read.invokedMs) {
        yield {
          atMs: read.completedMs,
          message: `${read.session} asked at ${ms(read.invokedMs)} and read ${register} = ${value} (${source ?? 'document or snapshot'}), replaced by ${by} at ${ms(atMs)}: ${ms(read.invokedMs - atMs)} old, ${limits(read, source)}`,
        }
      }
    }
  }
}

function allowed({ maxStaleMs, boundMs }: ReadEvent, source: Observation['source']): number {
  return source === 'document' ? 0 : Math.min(maxStaleMs ?? Infinity, boundMs ?? Infinity)
}

function limits({ maxStaleMs, boundMs }: ReadEvent, source: Observation['source']): string {
  return source === 'document' ? 'and a document is never old' : `maxStaleMs ${maxStaleMs ?? 'any'}, boundMs ${boundMs ?? 'not told'}`
}
