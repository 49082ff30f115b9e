// The port: everything Quire asks of a document database, with nothing that only one vendor has. Stores declare their
// differences in `supports`; callers ask it, and never find out by trying. A store in this process may return what it reads without a
// promise. Its errors are in store-errors.ts.

import type { Body } from '../model/json/json.ts'
import type { Key } from '../model/keys/key.ts'
import type { MaybePromise } from './maybe-promise.ts'
import type { Aggregated, Aggregation } from './aggregate/aggregation.ts'
import type { FurtherOrder, Path, Query, Scalar, Selection } from './query.ts'

export type { FurtherOrder }

/**
 * Everything that Quire asks of a document database. `conformance` of `quire-graphql/testing/store` tests one of your own.
 *
 * @example
 * ```ts
 * const open: (layout: readonly ContainerLayout[]) => Promise<Store> = openMemoryStore
 * ```
 */
export interface Store {
  readonly supports: Supports

  /** The documents with these keys, in the order of the keys; undefined for a missing document. */
  readMany(container: string, keys: readonly Key[], meter?: Meter): MaybePromise<(StoredDocument | undefined)[]>

  /** One page. */
  query(query: Query, meter?: Meter): MaybePromise<StoredDocument[]>

  /**
   * One page for each of several values of a property: `queryEach(posts, ['writerId'], ['w1', 'w2'])` returns the first
   * posts of w1 and the first posts of w2. It takes one wave, or up to three if the lists of some values are much longer than others.
   */
  queryEach(query: Query, by: Path, values: readonly Scalar[], meter?: Meter): MaybePromise<StoredDocument[][]>

  /**
   * For a store that has its documents in this process: looks up documents of a container one by one, as they are now. Valid
   * until the caller waits for anything. Undefined for every other store. A store that wraps another wraps this, too.
   */
  lookIn(container: string): Lookup | undefined

  /**
   * A number that changes whenever documents have changed, also by another process: whatever is read between two equal numbers is
   * read at one moment. Undefined for a store that cannot tell. A store that wraps another wraps this, too.
   */
  moment(): number | undefined

  /**
   * Runs work that reads as of the moment that its caller has just asked for: until the work returns, the store need not ask again
   * whether another process has written. Some of what it reads may be newer, so the caller compares moments afterwards. A store
   * that never asks does without.
   */
  asOfMoment?<Result>(work: () => Result): Result

  /** The number of documents. */
  count(selection: Selection, meter?: Meter): MaybePromise<number>

  /** The number of documents for each of several values of a property. */
  countEach(selection: Selection, by: Path, values: readonly Scalar[], meter?: Meter): MaybePromise<number[]>

  /** Documents counted and measured by group: all of the selection, or, for each of several values of a property, those with that value. No value is null. */
  aggregate(selection: Selection, aggregation: Aggregation, each: EachValue | undefined, meter?: Meter): MaybePromise<Aggregated[]>

  /**
   * Makes all of these writes or none, and returns the new etags ('' for a deletion). If the writes exceed
   * `supports.atomic` or `supports.batch`, it throws and writes nothing. The bodies must not change until it has ended.
   */
  write(writes: readonly Write[], meter?: Meter): Promise<string[]>

  /**
   * Reads and writes atomically: `plan` reads through this store and returns the writes to make, and no other write
   * happens in between. Makes all of the writes or none; if `plan` throws, nothing is written and the error is passed on.
   * The plan may see uncommitted writes that share its commit, and runs again if another process has written before its own
   * writes could be made. Only for stores whose `supports.atomic` is 'store'.
   */
  atomically(plan: () => Promise<readonly Write[]>, meter?: Meter): Promise<string[]>

  /** The parts of the change feed, which can be followed in parallel. A document stays in its part. */
  feedParts(): Promise<readonly string[]>

  /**
   * The changes in one part of the feed after a point, oldest first: each document once, as it is now. Undefined is the
   * beginning of the feed. Only containers whose layout has `followed` are in it.
   */
  changes(part: string, behind: string | undefined, limit: number, meter?: Meter): Promise<Changes>

  /** The point after all changes of a part so far; undefined if there are none. */
  feedEnd(part: string): Promise<string | undefined>

  /**
   * The points of all parts as one text that is good enough for a follower of one container, and short enough for a cursor: after them come
   * the changes of that container that come after the given points, and perhaps others.
   */
  pointsWithin(points: FeedPoints, container: string): string

  /** The points that such a text holds. */
  pointsOf(text: string): MaybePromise<FeedPoints>

  /**
   * Removes up to `limit` entries of deleted documents from one part of the feed, oldest first, up to a point that every follower
   * has passed. Returns how many; fewer than `limit` when no more are left. A store whose entries expire by themselves returns 0.
   */
  sweepFeed(part: string, upTo: string | undefined, limit: number): Promise<number>

  /** How far writes have come. Positions order writes, sessions and looks at the feed, because times cannot. */
  position(): Promise<FeedPosition>

  /** The time on the store's own clock, which `Change.at` uses. It measures ages, and orders nothing. */
  now(): Promise<Moment>

  /**
   * The sizes of documents that were not read, for the cost report: what reading them would have cost. Never metered and
   * never part of an answer. If `supports.sizes` is 'typical', because finding a size costs as much as reading, it is
   * the average of the container's documents so far.
   */
  sizes(container: string, keys: readonly Key[]): Promise<(number | undefined)[]>

  /** How many round trips one query or count of this selection takes: one for each physical partition and query it needs. */
  reach(selection: Selection | Query): number

  /** The size of the store's cache of documents; 0 without one. */
  cachedBytes(): number

  /** Resolves if the database answers. */
  ping(): Promise<void>

  close(): Promise<void>
}

/**
 * Several values of a property, of which each has an answer of its own.
 *
 * @example
 * ```ts
 * const each: EachValue = { by: ['keeperId'], values: ['k1', 'k2'] }
 * ```
 */
export interface EachValue {
  readonly by: Path
  readonly values: readonly Scalar[]
}

/** What leases need: conditional writes of single documents, and a clock that all followers share. */
export type LeaseStore = Pick<Store, 'feedParts' | 'readMany' | 'query' | 'write' | 'now'>

/**
 * What it takes to follow a change feed under leases: the feed, and a place for lease documents. Every store is one. A database
 * can also be one without being a store, with items of its own form (cosmos/feed/container-feed.ts).
 */
export interface FeedSource<Item = Change> extends LeaseStore {
  changes(part: string, behind: string | undefined, limit: number): Promise<Changes<Item>>
}

/** A feed whose parts can become more while it is followed. */
export interface SplittingFeedSource<Item> extends FeedSource<Item> {
  /**
   * Replaces a part by smaller ones, if the point that it was followed to covers several. Each begins at its share of the
   * point. Returns whether the part has been replaced.
   */
  split(part: string, point: string | undefined): Promise<boolean>
}

/**
 * What a store can do. Callers ask this, and never find out by trying.
 *
 * @example
 * ```ts
 * const needsFeed = ({ atomic }: Supports): boolean => atomic === 'partition'
 * ```
 */
export interface Supports {
  /** The name of this database in OpenTelemetry. */
  readonly system: string
  /** The scope of one `write`. */
  readonly atomic: 'store' | 'partition'
  /**
   * How long after a read the write that depends on it may become visible; 0 where both are atomic. Work that takes
   * longer is done again, and the watermark leaves this much time out.
   */
  readonly maxWriteDelayMs: number
  /** What positions count: writes, or milliseconds on the one clock of the database. */
  readonly positions: 'writes' | 'milliseconds'
  /** Whether request charges come from the database or from the cost model. */
  readonly charges: 'measured' | 'estimated'
  readonly sizes: 'exact' | 'typical'
  /** How texts are ordered. The two differ only where characters above U+FFFF meet some below. */
  readonly textOrder: 'code points' | 'UTF-16 units'
  /** The maximum of one `write`. */
  readonly batch: { readonly writes: number; readonly bytes: number }
  /** Whether an acknowledged write survives the process. */
  readonly durable: boolean
  /** Whether reads usually return an unchanged document as the same object. A changed document is always another object. */
  readonly sameObjects: boolean
  /** The most keys of one `readMany` request. Callers send more keys as several concurrent requests. */
  readonly keysPerRequest: number
  /** The maximum size of a document. */
  readonly documentBytes: number
}

/**
 * A document as a store returns it. Readers share the body, so it must not be changed.
 *
 * @example
 * ```ts
 * const titleOf = ({ body }: StoredDocument): string => String(body.title)
 * ```
 */
export interface StoredDocument<B extends Body = Body> {
  readonly key: Key
  readonly etag: string
  readonly body: B
  /** The length of the body as UTF-8 JSON, on which request charges depend. */
  readonly bytes: number
}

/**
 * A document to store or to delete, and on which condition.
 *
 * @example
 * ```ts
 * const write: Write = { kind: 'put', container: 'beasts', key: { partition: ['b1'], id: 'b1' }, body: { id: 'b1' }, only: 'if-absent' }
 * ```
 */
export type Write =
  | {
      readonly kind: 'put'
      readonly container: string
      readonly key: Key
      readonly body: Body
      /** Write only if the document is absent, or still has this etag. */
      readonly only?: 'if-absent' | { readonly ifMatch: string }
      /** Nothing that other documents keep of this one changes, and all changes up to this position have been handled. A store may ignore it. */
      readonly settled?: number
    }
  | {
      readonly kind: 'delete'
      readonly container: string
      readonly key: Key
      readonly only?: { readonly ifMatch: string }
      /** The body that is deleted, so that a store whose feed reports it need not read it first. */
      readonly last?: Body
    }

/**
 * A time on a remote clock, which is known only as an interval.
 *
 * @example
 * ```ts
 * const now: Moment = { earliest: Date.now() - 500, latest: Date.now() + 500 }
 * ```
 */
export interface Moment {
  readonly earliest: number
  readonly latest: number
}

/**
 * How far the writes of a store have come at a moment, in the order in which they became visible.
 *
 * @example
 * ```ts
 * const includes = (reached: FeedPosition, written: FeedPosition): boolean => reached.earliest >= written.latest
 * ```
 */
export interface FeedPosition {
  /** A look at the feed that begins after this was told finds every write up to here. */
  readonly earliest: number
  /** Every write that was acknowledged before this was asked is not after this. */
  readonly latest: number
}

/**
 * The document with this key, or undefined. Throws `lookupMiss` where it is better to ask for all documents together. Never
 * metered: the caller counts what it looks up. `together` are keys that it will look up next: a store that has to read one reads all.
 *
 * @example
 * ```ts
 * const nameOf = (look: Lookup, id: string) => look({ partition: [id], id })?.body.name
 * ```
 */
export type Lookup = (key: Key, together?: () => readonly Key[]) => StoredDocument | undefined

/** Many documents are not in memory, or others have written since the lookup began. Made once, since making an error is slow. */
export const lookupMiss = new Error('Ask for all documents together instead of looking them up one by one.')

/**
 * Called for every round trip when it ends.
 *
 * @example
 * ```ts
 * const meter: Meter = ({ requestCharge }) => console.log(requestCharge)
 * ```
 */
export type Meter = (receipt: Receipt) => void

/**
 * One round trip to a store.
 *
 * @example
 * ```ts
 * const meter: Meter = ({ operation, container, durationMs }: Receipt) => console.log(operation, container, durationMs)
 * ```
 */
export interface Receipt {
  readonly operation: 'read' | 'query' | 'count' | 'aggregate' | 'write' | 'changes'
  readonly container: string
  readonly keys: number
  readonly documents: number
  /** 0 for the first round trips of a call, 1 for those that waited for them, and so on. */
  readonly wave: number
  /** On the clock of `performance.now()`. */
  readonly startMs: number
  readonly durationMs: number
  readonly requestCharge: number
}

/**
 * How far each part of the change feed has been read. A part without a point is read from its beginning.
 *
 * @example
 * ```ts
 * const beginning: FeedPoints = {}
 * ```
 */
export type FeedPoints = Readonly<Record<string, string | undefined>>

/**
 * Some changes of a store, and where to continue.
 *
 * @example
 * ```ts
 * const nothing: Changes = { changes: [], point: undefined, end: true }
 * ```
 */
export interface Changes<Item = Change> {
  readonly changes: readonly Item[]
  /** The point to continue from; the starting point if nothing changed. */
  readonly point: string | undefined
  /** Whether there were no further changes at that moment. */
  readonly end: boolean
}

/**
 * A document that changed.
 *
 * @example
 * ```ts
 * const isNew = ({ at }: Change): boolean => at > Date.now() - 60_000
 * ```
 */
export interface Change {
  readonly container: string
  readonly key: Key
  readonly deleted: boolean
  /** The document as it is now, or, if it was deleted, as it was last. */
  readonly body: Body
  /** Not later than the time from which readers can see the change. */
  readonly at: number
  /** Not after the change. */
  readonly position: number
  /** Everything that others keep of the document had been handled before, and its writes since were `settled` ones. */
  readonly settled?: boolean
}

/**
 * A container that a store must set up before it can serve a schema.
 *
 * @example
 * ```ts
 * const layout: ContainerLayout = { name: 'beasts', partitionKey: [['id']], indexes: [{ orderBy: ['name'] }] }
 * ```
 */
export interface ContainerLayout {
  readonly name: string
  /** Property paths; several for a hierarchical key. */
  readonly partitionKey: readonly Path[]
  readonly indexes: readonly IndexLayout[]
  /** Whether the change feed has its documents. 'apart' means only on stores whose `supports.atomic` is 'partition'. */
  readonly followed?: boolean | 'apart'
  /** Whether no query selects by type, because the container has one type only. */
  readonly untyped?: boolean
  /**
   * Whether several tenants share it. The first part of its partition key is then `tenantPath`, and indexes begin with it
   * because queries name a tenant. Queries without a tenant are in the order of tenants.
   */
  readonly tenanted?: boolean
}

/**
 * Finds documents (of `type`) by the value at `equals` (with `'*'`, by any element of a list), in the order of `orderBy` and then of
 * `thenBy` (which no index of a list has), or of ids without it. At least one of the two is given. Every store has the order by id, within a type and within a
 * partition, without an index layout; an untyped container has no order within a type.
 *
 * @example
 * ```ts
 * const index: IndexLayout = { equals: ['keeperId'], orderBy: ['name'] }
 * ```
 */
export interface IndexLayout {
  readonly type?: string
  readonly equals?: Path
  readonly orderBy?: Path
  readonly thenBy?: readonly FurtherOrder[]
}
