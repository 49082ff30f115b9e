// A subscriber that was never told the latest value. It may miss values in between.

import { ms, type Check } from '../finding.ts'

export const missedEvents: Check = function* ({ final, subscriptions }, timelines) {
  for (const { name, registers, sinceMs, told } of subscriptions) {
    for (const { register, value, atMs } of told) {
      const known = timelines.find(register, value)
      if (!known || known.write?.outcome === 'failed') yield { atMs, message: `${name} was told ${register} = ${value}, which nobody wrote` }
    }
    for (const register of final ? registers : []) {
      const value = final!.registers.get(register)!
      const known = timelines.find(register, value)
      const isNews = known !== undefined && known.invokedMs > sinceMs
      if (isNews && !told.some((event) => event.register === register && event.value === value)) yield { atMs: sinceMs, message: `${name}, subscribed since ${ms(sinceMs)}, was never told ${register} = ${value}` }
    }
  }
}
