// A store that writes down what it is asked for before it asks the real one, so that a test can say
// which reads left together and where they went.

import { partitionText, type Partition } from '../../src/model/keys/key.ts'
import { ownContainer } from '../../src/store/own-container.ts'
import type { Selection } from '../../src/store/query.ts'
import type { Meter, Store, Supports } from '../../src/store/store.ts'

export interface RecordedCall {
  readonly method: 'readMany' | 'query' | 'queryEach' | 'count' | 'countEach' | 'aggregate'
  readonly container: string
  /** The ids of a read, the values of a call for several; nothing for one page or one count. */
  readonly keys: readonly unknown[]
  /** The one partition that was asked, where it was one. */
  readonly partition: Partition | undefined
  readonly metered: boolean
}

export interface Recording {
  readonly store: Store
  readonly calls: RecordedCall[]
}

export interface RecordingOptions {
  readonly supports?: Partial<Supports>
  /** Runs before the real store is asked: what it throws is what the call fails with. */
  readonly before?: (call: RecordedCall) => Promise<void> | void
}

export function recordingStore(store: Store, { supports, before }: RecordingOptions = {}): Recording {
  const calls: RecordedCall[] = []
  const record = async (method: RecordedCall['method'], { container, partition }: Selection, keys: readonly unknown[], meter: Meter | undefined) => {
    const call: RecordedCall = { method, container, keys, partition, metered: meter !== undefined }
    // What a gateway reads of Quire's own documents now and then belongs to no operation.
    if (container === ownContainer) return
    calls.push(call)
    await before?.(call)
  }
  return {
    calls,
    store: {
      ...store,
      supports: { ...store.supports, ...supports },
      lookIn: () => undefined,
      async readMany(container, keys, meter) {
        const partitions = new Map(keys.map(({ partition }) => [partitionText(partition), partition]))
        const [partition] = partitions.size === 1 ? partitions.values() : []
        await record('readMany', { container, ...(partition ? { partition } : {}) }, keys.map(({ id }) => id), meter)
        return store.readMany(container, keys, meter)
      },
      async query(query, meter) {
        await record('query', query, [], meter)
        return store.query(query, meter)
      },
      async queryEach(query, by, values, meter) {
        await record('queryEach', query, values, meter)
        return store.queryEach(query, by, values, meter)
      },
      async count(selection, meter) {
        await record('count', selection, [], meter)
        return store.count(selection, meter)
      },
      async countEach(selection, by, values, meter) {
        await record('countEach', selection, values, meter)
        return store.countEach(selection, by, values, meter)
      },
      async aggregate(selection, aggregation, each, meter) {
        await record('aggregate', selection, each?.values ?? [], meter)
        return store.aggregate(selection, aggregation, each, meter)
      },
    },
  }
}
