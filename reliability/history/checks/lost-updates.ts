// A write that was acknowledged and that nothing replaced, but that is not there in the end.

import { ms, type Check } from '../finding.ts'

export const lostUpdates: Check = function* ({ final, writes }, timelines) {
  if (!final) return
  for (const [register, value] of final.registers) {
    const { atMs, by } = timelines.replaced(register, value)
    if (by !== undefined) yield { atMs, message: `${register} ended as ${value}, although ${by} was acknowledged at ${ms(atMs)}, after it` }
  }
  for (const { add, outcome, completedMs } of writes) {
    if (add && outcome === 'done' && !final.sets.get(add.to)?.has(add.member)) yield { atMs: completedMs, message: `${add.member} is not in ${add.to}, although that was acknowledged at ${ms(completedMs)}` }
  }
}
