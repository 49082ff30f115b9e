// Turns an engine, which keeps and finds documents in this process, into a store: with metering, limits, atomic plans
// and group commits. Where documents are kept is the engine's choice.

import type { Key } from '../../model/keys/key.ts'
import type { Turn } from './commit-group.ts'
import { GroupCommit } from './group-commit.ts'
import { lostTransaction, type TransactionEngine } from './transaction-engine.ts'
import { changesOf, feedParts, sequenceAt, type FeedEntry } from './feed-parts.ts'
import { pointsIn, pointsText } from '../feed-points.ts'
import { checkFeedPart } from '../write-condition.ts'
import type { Aggregated, Aggregation } from '../aggregate/aggregation.ts'
import { aggregateCost, callTimer, countCost, metered, pageCost, queryCost, readCost, writeCost, type CallTimer } from './call-receipts.ts'
import type { Path, Query, Scalar, Selection } from '../query.ts'
import type { EachValue, Lookup, Meter, Store, StoredDocument, Supports, Write } from '../store.ts'
import { isInPlan, runPlan } from './atomic-plan.ts'
import { encode, type EncodedWrite, type Written } from './prepare-write.ts'
import { encodeInSlices, isSmall, maxSmallWrites, writeLargeChangeset, type LargeTransaction } from './large-changesets.ts'
import { wholeStore } from './whole-store.ts'

/** The documents as one kind of reader sees them. A long query may return a promise, so that other requests go on meanwhile. */
export interface EngineReads {
  /** In the order of the keys. */
  readMany(container: string, keys: readonly Key[]): (StoredDocument | undefined)[]
  /** Undefined if the engine keeps no documents in memory. */
  lookIn(container: string): Lookup | undefined
  query(query: Query): StoredDocument[] | Promise<StoredDocument[]>
  queryEach(query: Query, by: Path, values: readonly Scalar[]): StoredDocument[][] | Promise<StoredDocument[][]>
  count(selection: Selection): number | Promise<number>
  countEach(selection: Selection, by: Path, values: readonly Scalar[]): number[] | Promise<number[]>
  aggregate(selection: Selection, aggregation: Aggregation, each: EachValue | undefined): Aggregated[] | Promise<Aggregated[]>
  sizes(container: string, keys: readonly Key[]): (number | undefined)[]
}

/** What an engine has to implement. */
export interface Engine extends TransactionEngine {
  readonly system: string
  readonly durable: boolean
  readonly sameObjects: boolean
  readonly cachedBytes: number
  /** Reads committed documents. */
  readonly committed: EngineReads
  /** Reads committed documents and the writes of the open transaction. */
  readonly pending: EngineReads
  /** Makes all of the writes or none, with their feed entries, in the open transaction. The sizes of replaced documents are needed only if `sized`. */
  write(writes: readonly EncodedWrite[], sized: boolean): Written[]
  /** For large changesets. An engine without it writes them at once. */
  readonly apart?: LargeTransaction | undefined
  /** A number that changes with every commit of this or another process. */
  moment(): number
  /** For an engine that other processes write to: see `Store`. */
  asOfMoment?<Result>(work: () => Result): Result
  changes(part: string, behind: number, limit: number): FeedEntry[]
  /** Whether a part has an entry of a deleted document up to there that `sweep` would remove. */
  canSweep(part: string, upTo: number): boolean
  /** Removes entries of deleted documents in the open transaction. An engine that counts from its newest entry keeps that one. Returns how many. */
  sweep(part: string, upTo: number, limit: number): number
  /** The sequence of the newest feed entry in any part; 0 if there is none. */
  lastChange(): number
  ping(): void
  close(): void | Promise<void>
}

export function inProcessStore(engine: Engine): Store {
  const supports: Supports = {
    ...wholeStore,
    system: engine.system,
    durable: engine.durable,
    sameObjects: engine.sameObjects,
  }
  const commits = new GroupCommit(engine)
  // Only a plan sees the uncommitted writes of those that share its commit.
  const reads = (): EngineReads => (isInPlan(engine.lock) ? engine.pending : engine.committed)
  const encodeAll = (writes: readonly Write[]): EncodedWrite[] => writes.map((write) => encode(write, supports.documentBytes))
  const writeMany = async (turn: Turn, writes: readonly Write[], isPlanned: boolean, sized: boolean): Promise<Written[] | undefined> => {
    if (!engine.apart) return engine.write(await encodeInSlices(writes, supports.documentBytes), sized)
    turn.leave()
    return writeLargeChangeset(engine.apart, writes, supports.documentBytes, isPlanned)
  }
  /** Undefined if the plan has to run again. */
  const attempt = async (turn: Turn, { plan, encoded, writes }: Asked, timer: CallTimer, meter: Meter | undefined): Promise<Written[] | undefined> => {
    const wanted = plan ? await runPlan(engine.lock, plan) : writes
    if (plan && turn.hasEnded) return undefined
    if (wanted.length === 0) return []
    if (meter) timer.start({ operation: 'write', container: containersOf(wanted), keys: wanted.length })
    if (wanted.length > maxSmallWrites) return writeMany(turn, wanted, plan !== undefined, meter !== undefined)
    const few = encoded ?? encodeAll(wanted)
    return isSmall(few) ? engine.write(few, meter !== undefined) : writeMany(turn, wanted, plan !== undefined, meter !== undefined)
  }
  const commit = async (asked: Asked, meter: Meter | undefined): Promise<string[]> => {
    const timer = callTimer(meter)
    for (let tries = 0; tries < maxTries; tries++) {
      const written = await timer.until(commits.run((turn) => attempt(turn, asked, timer, meter)), (all) => writeCost(all ?? []))
      if (written) return written.map(({ etag }) => etag)
    }
    throw lostTransaction()
  }
  return {
    supports,

    readMany(container, keys, meter) {
      if (keys.length === 0) return []
      return metered(meter, 'read', container, keys.length, () => reads().readMany(container, keys), (found) => readCost(keys, found))
    },

    lookIn: (container) => reads().lookIn(container),

    moment: () => engine.moment(),

    asOfMoment: (work) => (engine.asOfMoment ? engine.asOfMoment(work) : work()),

    query: (query, meter) => metered(meter, 'query', query.container, 0, () => reads().query(query), pageCost),

    queryEach(query, by, values, meter) {
      if (values.length === 0) return []
      return metered(meter, 'query', query.container, values.length, () => reads().queryEach(query, by, values), queryCost)
    },

    count: (selection, meter) => metered(meter, 'count', selection.container, 0, () => reads().count(selection), () => countCost(1)),

    countEach(selection, by, values, meter) {
      if (values.length === 0) return []
      return metered(meter, 'count', selection.container, values.length, () => reads().countEach(selection, by, values), (counts) => countCost(counts.length))
    },

    aggregate(selection, aggregation, each, meter) {
      if (each?.values.length === 0) return []
      return metered(meter, 'aggregate', selection.container, each?.values.length ?? 0, () => reads().aggregate(selection, aggregation, each), aggregateCost)
    },

    async write(writes, meter) {
      if (writes.length === 0) return []
      // Few are encoded before waiting, since the caller may change a body afterwards.
      return commit({ writes, encoded: writes.length > maxSmallWrites ? undefined : encodeAll(writes) }, meter)
    },

    // A plan that calls `write` or `atomically` would wait for its own end; group-commit.ts throws instead.
    async atomically(plan, meter) {
      return commit({ plan, writes: [] }, meter)
    },

    async feedParts() {
      return feedParts
    },

    async changes(part, behind, limit, meter) {
      checkFeedPart(part, feedParts)
      const sequence = sequenceAt(behind)
      const entries = await metered(meter, 'changes', 'feed', 0, () => engine.changes(part, sequence, limit), pageCost)
      return changesOf(entries, behind, limit)
    },

    async feedEnd(part) {
      checkFeedPart(part, feedParts)
      const sequence = engine.lastChange()
      return sequence === 0 ? undefined : String(sequence)
    },

    pointsWithin: pointsText,

    pointsOf: pointsIn,

    async sweepFeed(part, upTo, limit) {
      checkFeedPart(part, feedParts)
      const sequence = sequenceAt(upTo)
      // A transaction would make other processes empty their caches.
      return engine.canSweep(part, sequence) ? commits.run(async () => engine.sweep(part, sequence, limit)) : 0
    },

    // One process writes at a time, so sequences are in the order of commits.
    async position() {
      const sequence = engine.lastChange()
      return { earliest: sequence, latest: sequence }
    },

    async now() {
      const now = engine.clock.wallMs()
      return { earliest: now, latest: now }
    },

    async sizes(container, keys) {
      return reads().sizes(container, keys)
    },

    reach: () => 1,

    cachedBytes: () => engine.cachedBytes,

    async ping() {
      engine.ping()
    },

    async close() {
      await engine.close()
    },
  }
}

/** A writer of the store: what it writes, or the plan that says so. */
interface Asked {
  readonly plan?: () => Promise<readonly Write[]>
  readonly writes: readonly Write[]
  readonly encoded?: readonly EncodedWrite[] | undefined
}

/** How often a plan runs again because another process has written meanwhile. */
const maxTries = 20

function containersOf(writes: readonly Write[]): string {
  return [...new Set(writes.map(({ container }) => container))].join(', ')
}
