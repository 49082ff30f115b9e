// A store whose n-th call fails before it reaches the real store. The gap between planning an atomic write and committing
// it counts as a call.

import type { Store } from '../../src/store/store.ts'
import { recordingStore } from '../read/recording-store.ts'

export interface Faults {
  /** The n-th call from now on fails, counted from 1, or the first of that name; 0 is none. */
  failAt(call: number | string): void
  /** The calls since then, in order, up to the one that failed. */
  readonly asked: readonly string[]
}

export function faultyStore(store: Store): { store: Store; faults: Faults } {
  let asked: string[] = []
  let failing: number | string = 0
  const ask = (what: string) => {
    asked.push(what)
    const first = asked.indexOf(what) === asked.length - 1
    if (asked.length === failing || (what === failing && first)) throw new Error(`The disk under ${what} is on fire.`)
  }
  const reading = recordingStore(store, { before: ({ method, container }) => ask(`${method} ${container}`) })
  return {
    faults: {
      failAt(call) {
        asked = []
        failing = call
      },
      get asked() {
        return asked
      },
    },
    store: {
      ...reading.store,
      async write(writes, meter) {
        ask('write')
        return store.write(writes, meter)
      },
      async atomically(plan, meter) {
        ask('begin')
        return store.atomically(async () => {
          const writes = await plan()
          ask('commit')
          return writes
        }, meter)
      },
      async now() {
        ask('now')
        return store.now()
      },
    },
  }
}
