// The port: everything Quire asks of a document database, and nothing a vendor would recognise as
// its own. What stores do differently is said by `supports`, never found out by trying. What they can answer without
// being waited for they say in synchronous-reads.ts.

import type { Body } from '../model/json/json.ts'
import type { Key } from '../model/keys/key.ts'
import { ToldError } from '../errors.ts'
import type { Path, Query, Scalar, Selection } from './query.ts'

export interface Store {
  readonly supports: Supports

  /** The documents behind these keys, in the order of the keys; undefined where there is none. */
  readMany(container: string, keys: readonly Key[], meter?: Meter): Promise<(StoredDocument | undefined)[]>

  /** One page. */
  query(query: Query, meter?: Meter): Promise<StoredDocument[]>

  /**
   * One page for each of several values of a property: `queryEach(posts, ['writerId'], ['w1', 'w2'])`
   * answers the first posts of w1 and the first posts of w2, in one wave or, where the lists of some
   * values are long and those of others are not, in two.
   */
  queryEach(query: Query, by: Path, values: readonly Scalar[], meter?: Meter): Promise<StoredDocument[][]>

  /** How many documents there are. */
  count(selection: Selection, meter?: Meter): Promise<number>

  /** How many documents there are for each of several values of a property. */
  countEach(selection: Selection, by: Path, values: readonly Scalar[], meter?: Meter): Promise<number[]>

  /**
   * All of these writes or none, answered by the new etags ('' for a deletion). More than
   * `supports.atomic` and `supports.batch` allow is refused, and nothing is written.
   */
  write(writes: readonly Write[], meter?: Meter): Promise<string[]>

  /**
   * Reading and writing as one: `plan` reads what it likes, through this store, and answers with the
   * writes to make, and nobody else writes in between. All of the writes or none; if `plan` throws,
   * nothing is written and its error comes through. It may see what others are about to commit together
   * with it. Only stores whose `supports.atomic` is 'store' have it.
   */
  atomically(plan: () => Promise<readonly Write[]>, meter?: Meter): Promise<string[]>

  /** The parts in which the change feed can be followed side by side. A document stays in its part. */
  feedParts(): Promise<readonly string[]>

  /**
   * What changed in one part of the feed behind a point, oldest first: each document once, as it is
   * now. Undefined is the beginning of time. Only containers whose layout says so are followed.
   */
  changes(part: string, behind: string | undefined, limit: number, meter?: Meter): Promise<Changes>

  /** The point behind everything that has changed in a part so far; undefined where nothing has. */
  feedEnd(part: string): Promise<string | undefined>

  /** The store's own clock: what `Change.at` is measured by. */
  now(): Promise<Moment>

  /**
   * The sizes of documents that were not read, so that the account can say what reading them would
   * have cost. Never metered and never part of an answer. Where looking costs what reading does
   * (`supports.sizes` is 'typical'), it is how large documents of the container have been so far.
   */
  sizes(container: string, keys: readonly Key[]): Promise<(number | undefined)[]>

  /** How many round trips one query or count of this selection takes by itself: one for each place it has to ask. */
  reach(selection: Selection | Query): number

  /**
   * A number that grows whenever a document of these containers, or of any, may have changed: while it is the
   * same, reading again would find the same. Undefined where only reading again can tell.
   */
  version(containers?: Iterable<string>): number | undefined

  /** How many bytes of memory hold what was read, so that it need not be read again; 0 where nothing does. */
  cachedBytes(): number

  /** Answers when the store does. */
  ping(): Promise<void>

  close(): Promise<void>
}

export interface Supports {
  /** What OpenTelemetry calls this database. */
  readonly system: string
  /** How far one `write` can reach. */
  readonly atomic: 'store' | 'partition'
  /**
   * How long after something was read a write that depends on it may still become visible: nothing where
   * both are one. Work that takes longer is done anew, and nothing is claimed of copies about that time.
   */
  readonly lateMs: number
  /** Whether request charges are what the store reported or what the cost model says. */
  readonly charges: 'measured' | 'estimated'
  readonly sizes: 'exact' | 'typical'
  /** What one `write` can hold. */
  readonly batch: { readonly writes: number; readonly bytes: number }
  /** Whether an acknowledged write outlives the process. */
  readonly durable: boolean
  /** Whether a document that has not changed is handed out as the same object, mostly. What has changed is never the same. */
  readonly sameObjects: boolean
  /** More keys than this are sent as several requests, side by side. */
  readonly keysPerRequest: number
  readonly documentBytes: number
}

/** A document as a store hands it out. Bodies are shared between readers: nobody changes one. */
export interface StoredDocument {
  readonly key: Key
  readonly etag: string
  readonly body: Body
  /** The length of the body as UTF-8 JSON, which is what request charges depend on. */
  readonly bytes: number
}

export type Write =
  | {
      readonly kind: 'put'
      readonly container: string
      readonly key: Key
      readonly body: Body
      /** Refuse unless the document is absent, or still has this etag. */
      readonly only?: 'if-absent' | { readonly ifMatch: string }
    }
  | {
      readonly kind: 'delete'
      readonly container: string
      readonly key: Key
      readonly only?: { readonly ifMatch: string }
      /** What the document with that etag holds, for stores that would have to read it to tell the feed. */
      readonly last?: Body
    }

/** A moment as a store far away can be asked for it: somewhere in between. */
export interface Moment {
  readonly earliest: number
  readonly latest: number
}

/** Told of every round trip as it ends. */
export type Meter = (receipt: Receipt) => void

export interface Receipt {
  readonly operation: 'read' | 'query' | 'count' | 'write' | 'changes'
  readonly container: string
  readonly keys: number
  readonly documents: number
  /** 0 for the first round trips of a call, 1 for those that had to wait for them, and so on. */
  readonly wave: number
  /** On the clock of `performance.now()`. */
  readonly startMs: number
  readonly durationMs: number
  readonly requestCharge: number
}

export interface Changes {
  readonly changes: readonly Change[]
  /** Where to go on from; equal to where it started when nothing changed. */
  readonly point: string | undefined
  /** Whether there was nothing more behind it at that moment. */
  readonly end: boolean
}

export interface Change {
  readonly container: string
  readonly key: Key
  readonly deleted: boolean
  /** As the document is now; for one that was deleted, as it was last. */
  readonly body: Body
  /** Not later than the moment from which readers can see the change. */
  readonly at: number
}

/** What a store must set up before it can serve a schema. */
export interface ContainerLayout {
  readonly name: string
  /** Property paths, several when the key is hierarchical. */
  readonly partitionKey: readonly Path[]
  readonly indexes: readonly IndexLayout[]
  /** Whether changes of its documents are in the change feed; 'apart' is only where the store cannot write everything as one. */
  readonly followed?: boolean | 'apart'
  /** Whether nobody asks for documents of one type alone, because there is only one. */
  readonly untyped?: boolean
  /** Whether several tenants share it: the first part of its partition key is `tenantPath`. Whoever asks says whose he asks for, so indexes begin with it; without one, documents are asked for in the order of tenants. */
  readonly tenanted?: boolean
}

/**
 * Documents (of `type`) are found by the value at `equals` (with `'*'` in it, by any element of a
 * list) and come in the order of `orderBy`, by id where there is none. At least one is given; the
 * order by id alone, within a type and a partition, every store has without being told, but for types
 * where the container is untyped.
 */
export interface IndexLayout {
  readonly type?: string
  readonly equals?: Path
  readonly orderBy?: Path
}

/** Engines keep one thing per container; asking for another one is a mistake in the caller. */
export function containerNamed<Container>(containers: ReadonlyMap<string, Container>, name: string): Container {
  const container = containers.get(name)
  if (container === undefined) {
    throw new Error(`There is no container ${JSON.stringify(name)}; the layout has ${[...containers.keys()].join(', ') || 'none'}.`)
  }
  return container
}

/** The write found something else than its condition asked for. Nothing was written. */
export class ConflictError extends ToldError {
  override readonly name = 'ConflictError'
  override readonly code = 'CONFLICT'
  readonly container: string
  readonly key: Key
  readonly found: 'present' | 'changed' | 'absent'

  constructor(container: string, key: Key, found: 'present' | 'changed' | 'absent') {
    super(`${container}/${key.id} was ${found === 'present' ? 'already there' : found} when it was to be written.`)
    this.container = container
    this.key = key
    this.found = found
  }

  override get toldMessage(): string {
    return 'Another request changed the same documents at the same time. Try again.'
  }
}

/** The store cannot be used as it is set up. The message is one line that says what to do. */
export class SetupError extends Error {
  override readonly name = 'SetupError'
}

/** The store did not answer: it is down, full, locked or throttled. As far as it is known, nothing was written. */
export class StoreUnavailableError extends ToldError {
  override readonly name: string = 'StoreUnavailableError'
  override readonly code = 'STORE_UNAVAILABLE'

  override get toldMessage(): string {
    return 'The store does not answer at the moment. Try again.'
  }
}

/** The same, where it could not be found out either: part of no promise, and to be looked up before it is tried again. */
export class InDoubtError extends StoreUnavailableError {
  override readonly name = 'InDoubtError'

  override get toldMessage(): string {
    return 'The store failed, and whether this was written is not known. Read the documents before you try again.'
  }
}

/** The document, or what says where it belongs, is larger than the store keeps. Nothing was written. */
export class TooLargeError extends ToldError {
  override readonly name = 'TooLargeError'
  override readonly code = 'BAD_USER_INPUT'

  constructor(container: string, key: Key, bytes: number, limit: number, what: 'document' | 'partition' = 'document') {
    super(what === 'document'
      ? `${container}/${key.id} would be ${bytes} bytes and a document holds at most ${limit}. Move what grows out of it.`
      : `What ${container}/${key.id} is partitioned by would be ${bytes} bytes, and may be at most ${limit}. Give shorter values.`)
  }
}
