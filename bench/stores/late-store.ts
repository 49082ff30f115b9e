// A store that is far away: every call takes so long before it is made.

import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '../../src/store/store.ts'

export function lateStore(store: Store, delayMs: number): Store {
  const late = <Given extends unknown[], Answer>(call: (...given: Given) => Promise<Answer>) => async (...given: Given): Promise<Answer> => {
    await pause(delayMs)
    return call(...given)
  }
  return {
    ...store,
    readMany: late(store.readMany.bind(store)),
    query: late(store.query.bind(store)),
    queryEach: late(store.queryEach.bind(store)),
    count: late(store.count.bind(store)),
    countEach: late(store.countEach.bind(store)),
    write: late(store.write.bind(store)),
    atomically: late(store.atomically.bind(store)),
  }
}
