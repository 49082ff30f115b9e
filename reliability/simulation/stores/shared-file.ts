// What one of several processes on a machine sees of one SQLite file: reads answer at once, only a writer waits for the disk and
// for other processes, and the time is its own clock's. It can crash before a commit, and after it before anybody is told.

import type { Store } from '../../../src/store/store.ts'
import type { FaultKind } from '../scenario.ts'
import type { Random } from '../../hostile/random.ts'
import type { SimulatedProcess } from '../simulated-process.ts'
import { wrapStore, type CallName } from './wrap-store.ts'

/** SQLite works inside of these: everything else is memory of the process. */
const slow: ReadonlySet<CallName> = new Set<CallName>(['write', 'atomically', 'changes'])

export function sharedFile(store: Store, process: SimulatedProcess, random: Random, faults: ReadonlySet<FaultKind>): Store {
  // Mostly within a millisecond; or so fast that a look at the feed and the next write share one.
  const fast = faults.has('shared milliseconds')
  const delayMs = (name: CallName): number => {
    if (fast) return random.next() * 0.02
    return name === 'changes' ? 0.6 : random.next() * (random.chance(0.03) ? 20 : 0.2)
  }
  return wrapStore(store, { durable: true }, ({ name, args, make }) => {
    if (!slow.has(name)) return make(...args)
    return process.wait(delayMs(name)).then(async () => {
      const answer = await make(...args)
      await process.wait(delayMs(name))
      return answer
    })
  })
}
