// A store that waits before every call, as one across a network does: for a fixed time in benchmarks and reliability
// scenarios, out of order in tests.

import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import type { MaybePromise } from '../../src/store/maybe-promise.ts'
import type { Store } from '../../src/store/store.ts'

export function slowStore(store: Store, wait: () => Promise<unknown>): Store {
  const slow = <Given extends unknown[], Answer>(call: (...given: Given) => MaybePromise<Answer>) => async (...given: Given): Promise<Answer> => {
    await wait()
    return call(...given)
  }
  return {
    ...store,
    lookIn: () => undefined,
    readMany: slow(store.readMany.bind(store)),
    query: slow(store.query.bind(store)),
    queryEach: slow(store.queryEach.bind(store)),
    count: slow(store.count.bind(store)),
    countEach: slow(store.countEach.bind(store)),
    aggregate: slow(store.aggregate.bind(store)),
    write: slow(store.write.bind(store)),
    atomically: slow(store.atomically.bind(store)),
  }
}

export function delay(ms: number): () => Promise<unknown> {
  return () => pause(ms)
}

/** Zero to three turns of the event loop, in rotation, so that later calls overtake earlier ones. */
export function outOfOrder(): () => Promise<unknown> {
  let calls = 0
  return async () => {
    for (let turns = calls++ % 4; turns > 0; turns--) await turn()
  }
}
