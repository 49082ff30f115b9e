// An answer that shows several values which were never there at the same moment, where one moment is promised.

import { ms, type Check } from '../finding.ts'

export const oneMoment: Check = function* ({ reads }, timelines) {
  for (const read of reads) {
    if (!read.oneMoment) continue
    const spans = read.seen.map(({ register, value, source }) => ({
      about: `${register} = ${value} (${source ?? 'document or snapshot'})`,
      fromMs: timelines.find(register, value)?.invokedMs ?? -Infinity,
      untilMs: timelines.replaced(register, value).atMs,
    }))
    const newest = spans.reduce((one, other) => (other.fromMs > one.fromMs ? other : one), spans[0]!)
    const oldest = spans.reduce((one, other) => (other.untilMs < one.untilMs ? other : one), spans[0]!)
    if (newest && newest.fromMs > oldest.untilMs) yield { atMs: read.completedMs, message: `${read.session} read ${newest.about}, sent at ${ms(newest.fromMs)}, together with ${oldest.about}, replaced at ${ms(oldest.untilMs)}` }
  }
}
