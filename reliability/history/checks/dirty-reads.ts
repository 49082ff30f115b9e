// A value that no write made, or one that was refused, or one that had not been sent yet.

import { ms, type Check } from '../finding.ts'

export const dirtyReads: Check = function* (history, timelines) {
  for (const { seen, completedMs, session } of history.reads) {
    for (const { register, value, source } of seen) {
      const known = timelines.find(register, value)
      const why = !known ? 'which nobody wrote' : known.write?.outcome === 'failed' ? 'whose write was refused' : known.invokedMs > completedMs ? `which was sent only at ${ms(known.invokedMs)}` : undefined
      if (why) yield { atMs: completedMs, message: `${session} read ${register} = ${value} (${source ?? 'document or snapshot'}), ${why}` }
    }
  }
  for (const [set, members] of history.final?.sets ?? []) {
    for (const { add, outcome, completedMs } of history.writes) {
      if (outcome === 'failed' && add?.to === set && members.has(add.member)) yield { atMs: completedMs, message: `${set} has ${add.member}, whose write was refused` }
    }
  }
}
