// What the stores inside this process share: an engine keeps documents and finds them, and this
// makes it a store that meters its calls and holds its limits. No storage is chosen here.

import type { Key } from '../../model/keys/key.ts'
import { Commits, type Writable } from './group-commit.ts'
import { changesOf, checkPart, feedParts, sequenceAt, type FeedEntry } from './feed-points.ts'
import { withSynchronousReads, type Look } from '../synchronous-reads.ts'
import { countAccount, metered, queryAccount, readAccount, timed, writeAccount } from './metered.ts'
import type { Path, Query, Scalar, Selection } from '../query.ts'
import type { Meter, Store, StoredDocument, Supports, Write } from '../store.ts'
import { isInPlan, runPlan } from './atomic-plan.ts'
import { encode, type EncodedWrite, type Written } from './prepare-write.ts'

/** Documents as one kind of reader sees them. What would take long may be answered later, so that others go on meanwhile. */
export interface EngineReads {
  /** In the order of the keys. */
  readMany(container: string, keys: readonly Key[]): (StoredDocument | undefined)[]
  /** As far as what is in memory reaches. */
  lookIn(container: string): Look | undefined
  query(query: Query): StoredDocument[] | Promise<StoredDocument[]>
  queryEach(query: Query, by: Path, values: readonly Scalar[]): StoredDocument[][]
  count(selection: Selection): number | Promise<number>
  countEach(selection: Selection, by: Path, values: readonly Scalar[]): number[]
  sizes(container: string, keys: readonly Key[]): (number | undefined)[]
}

/** The store's own operations. */
export interface Engine extends Writable {
  readonly system: string
  readonly durable: boolean
  readonly sameObjects: boolean
  readonly cachedBytes: number
  /** What has been committed to these containers, or to any. */
  version(containers?: Iterable<string>): number | undefined
  /** What is committed. */
  readonly committed: EngineReads
  /** The same, and what has been written since `hold`. */
  readonly pending: EngineReads
  /** All or none, and with their entries in the feed; between `hold` and `commit`. Sizes of what was replaced are needed only when `sized`. */
  write(writes: readonly EncodedWrite[], sized: boolean): Written[]
  changes(part: string, behind: number, limit: number): FeedEntry[]
  /** The sequence of the newest entry of the feed, in whichever part; 0 when there is none. */
  lastChange(): number
  ping(): void
  close(): void | Promise<void>
}

export function inProcessStore(engine: Engine): Store {
  const supports: Supports = {
    system: engine.system,
    atomic: 'store',
    lateMs: 0,
    charges: 'estimated',
    sizes: 'exact',
    batch: { writes: Infinity, bytes: Infinity },
    durable: engine.durable,
    sameObjects: engine.sameObjects,
    keysPerRequest: 1000,
    documentBytes: 2 * 1024 * 1024,
  }
  const commits = new Commits(engine)
  // A plan sees what the writers before it are about to commit, and nobody else does.
  const reads = (): EngineReads => (isInPlan(engine.queue) ? engine.pending : engine.committed)
  const encodeAll = (writes: readonly Write[]): EncodedWrite[] => writes.map((write) => encode(write, supports.documentBytes))
  const commit = async (plan: () => Promise<readonly EncodedWrite[]>, meter: Meter | undefined): Promise<string[]> => {
    const timing = timed(meter)
    const written = await timing.until(commits.join(async () => {
      const encoded = await plan()
      if (encoded.length === 0) return []
      if (meter) timing.start({ operation: 'write', container: containersOf(encoded), keys: encoded.length })
      return engine.write(encoded, meter !== undefined)
    }), writeAccount)
    return written.map(({ etag }) => etag)
  }
  const store: Store = {
    supports,

    async readMany(container, keys, meter) {
      if (keys.length === 0) return []
      if (meter === undefined) return reads().readMany(container, keys)
      const call = { operation: 'read', container, keys: keys.length } as const
      return metered(meter, call, () => reads().readMany(container, keys), (found) => readAccount(keys, found))
    },

    async query(query, meter) {
      const call = { operation: 'query', container: query.container, keys: 0 } as const
      return metered(meter, call, () => reads().query(query), (page) => queryAccount([page]))
    },

    async queryEach(query, by, values, meter) {
      if (values.length === 0) return []
      const call = { operation: 'query', container: query.container, keys: values.length } as const
      return metered(meter, call, () => reads().queryEach(query, by, values), queryAccount)
    },

    async count(selection, meter) {
      const call = { operation: 'count', container: selection.container, keys: 0 } as const
      return metered(meter, call, () => reads().count(selection), (count) => countAccount([count]))
    },

    async countEach(selection, by, values, meter) {
      if (values.length === 0) return []
      const call = { operation: 'count', container: selection.container, keys: values.length } as const
      return metered(meter, call, () => reads().countEach(selection, by, values), countAccount)
    },

    async write(writes, meter) {
      if (writes.length === 0) return []
      // Before waiting, since the caller may change a body afterwards.
      const encoded = encodeAll(writes)
      return commit(async () => encoded, meter)
    },

    // Nothing is written before the plan has answered, and then all of it at once. The plan itself must
    // not call `write` or `atomically`: it would wait for its own end, and is told so by an error.
    async atomically(plan, meter) {
      return commit(async () => encodeAll(await runPlan(engine.queue, plan)), meter)
    },

    async feedParts() {
      return feedParts
    },

    async changes(part, behind, limit, meter) {
      checkPart(part)
      const sequence = sequenceAt(behind)
      const call = { operation: 'changes', container: 'feed', keys: 0 } as const
      const entries = await metered(meter, call, () => engine.changes(part, sequence, limit), (found) => queryAccount([found]))
      return changesOf(entries, behind, limit)
    },

    async feedEnd(part) {
      checkPart(part)
      const sequence = engine.lastChange()
      return sequence === 0 ? undefined : String(sequence)
    },

    async now() {
      const now = Date.now()
      return { earliest: now, latest: now }
    },

    async sizes(container, keys) {
      return reads().sizes(container, keys)
    },

    reach: () => 1,

    version: (containers) => engine.version(containers),

    cachedBytes: () => engine.cachedBytes,

    async ping() {
      engine.ping()
    },

    async close() {
      await engine.close()
    },
  }
  return withSynchronousReads(store, {
    readMany: (container, keys) => reads().readMany(container, keys),
    query: (query) => reads().query(query),
    count: (selection) => reads().count(selection),
    lookIn: (container) => reads().lookIn(container),
  })
}

function containersOf(encoded: readonly EncodedWrite[]): string {
  return [...new Set(encoded.map(({ write }) => write.container))].join(', ')
}

/** The other way round of `keyText`. */
export function keyOf(text: string): Key {
  const [partition, id]: [Key['partition'], string] = JSON.parse(text)
  return { partition, id }
}
