// The store that keeps documents in this process: for tests, and as the reference of what every other store should
// answer. Its documents are lost when the process ends.

import type { Key } from '../../model/keys/key.ts'
import type { FeedEntry } from '../in-process/feed-parts.ts'
import { frozen } from '../in-process/immutable-json.ts'
import { inProcessStore, type Engine, type EngineReads } from '../in-process/in-process-store.ts'
import { newEtag, type EncodedWrite, type Written } from '../in-process/prepare-write.ts'
import { processClock, type Clock } from '../../clock.ts'
import { checkCondition, containerNamed } from '../write-condition.ts'
import type { Path, Query, Scalar, Selection } from '../query.ts'
import type { ContainerLayout, EachValue, Lookup, Store, StoredDocument } from '../store.ts'
import { checkTenanted } from '../tenants/check-tenanted.ts'
import type { Aggregated, Aggregation } from '../aggregate/aggregation.ts'
import { aggregateFound, countFound, countFoundFor, findPage, findPages } from './find-documents.ts'
import { MemoryContainer } from './memory-container.ts'
import { MemoryFeed, type MemoryChange } from './memory-feed.ts'
import { MemoryTransaction } from './memory-transaction.ts'

/**
 * Opens a store in memory for `createGateway`. Stores over the same `memory` hold the same documents, of the containers in
 * each one's layout.
 *
 * @example
 * ```ts
 * import { createGateway } from 'quire-graphql'
 * import { openMemoryStore } from 'quire-graphql/memory'
 *
 * const gateway = await createGateway({ typeDefs, store: openMemoryStore, development: true })
 * ```
 */
export async function openMemoryStore(layout: readonly ContainerLayout[], memory = new Memory()): Promise<Store> {
  return memoryStore(layout, memory, processClock)
}

/** The same on a given clock, for simulations. */
export function memoryStore(layout: readonly ContainerLayout[], memory: Memory, clock: Clock): Store {
  return inProcessStore(new MemoryEngine(layout, memory, clock))
}

/**
 * The documents of a memory store, for opening it again with another layout. Containers that the new layout lacks are kept.
 *
 * @example
 * ```ts
 * const memory = new Memory()
 * const first = await openMemoryStore(layout, memory)
 * const again = await openMemoryStore(layout, memory)
 * ```
 */
export class Memory {
  /** @internal */
  readonly feed = new MemoryFeed()
  /** How often something was written. @internal */
  writes = 0
  readonly #containers = new Map<string, MemoryContainer>()

  /** @internal */
  container({ name, indexes, followed = false, tenanted = false }: ContainerLayout): MemoryContainer {
    let container = this.#containers.get(name)
    if (container === undefined) this.#containers.set(name, (container = new MemoryContainer(followed === true, tenanted)))
    checkTenanted(name, container.tenanted, tenanted)
    container.declare(indexes)
    return container
  }
}

class MemoryEngine implements Engine, EngineReads {
  readonly system = 'memory'
  readonly durable = false
  readonly sameObjects = true
  readonly cachedBytes = 0
  readonly lock: Memory
  readonly clock: Clock
  // Every reader sees a write at once, so a writer must not wait for others to share a commit.
  readonly maxWritersPerCommit = 1
  readonly committed = this
  readonly pending = this
  readonly apart: MemoryTransaction
  readonly #feed: MemoryFeed
  readonly #containers: ReadonlyMap<string, MemoryContainer>

  constructor(layout: readonly ContainerLayout[], memory: Memory, clock: Clock) {
    this.lock = memory
    this.clock = clock
    this.#feed = memory.feed
    this.#containers = new Map(layout.map((container) => [container.name, memory.container(container)]))
    this.apart = new MemoryTransaction(this.#containers, memory.feed, clock)
  }

  readMany(name: string, keys: readonly Key[]): (StoredDocument | undefined)[] {
    const container = containerNamed(this.#containers, name)
    return keys.map((key) => container.get(key))
  }

  lookIn(name: string): Lookup {
    const container = containerNamed(this.#containers, name)
    return (key) => container.get(key)
  }

  query(query: Query): StoredDocument[] {
    return findPage(containerNamed(this.#containers, query.container), query)
  }

  queryEach(query: Query, by: Path, values: readonly Scalar[]): StoredDocument[][] {
    return findPages(containerNamed(this.#containers, query.container), query, by, values)
  }

  count(selection: Selection): number {
    return countFound(containerNamed(this.#containers, selection.container), selection)
  }

  countEach(selection: Selection, by: Path, values: readonly Scalar[]): number[] {
    return countFoundFor(containerNamed(this.#containers, selection.container), selection, by, values)
  }

  aggregate(selection: Selection, aggregation: Aggregation, each: EachValue | undefined): Aggregated[] {
    return aggregateFound(containerNamed(this.#containers, selection.container), selection, aggregation, each)
  }

  write(writes: readonly EncodedWrite[]): Written[] {
    const targets = writes.map(({ write }) => containerNamed(this.#containers, write.container))
    const undo: (() => void)[] = []
    const changes: MemoryChange[] = []
    try {
      const written = writes.map(({ write, encoded }, at) => {
        const container = targets[at]!
        const key = frozen({ partition: [...write.key.partition], id: write.key.id })
        const found = container.get(key)
        checkCondition(write, found)
        const etag = encoded === undefined ? '' : newEtag()
        const document = encoded && Object.freeze({ key, etag, body: encoded.body, bytes: encoded.bytes })
        container.set(key, document)
        undo.push(() => container.set(key, found))
        const last = document ?? found
        if (container.followed && last) changes.push({ container: write.container, document: last, deleted: document === undefined, settled: write.kind === 'put' ? write.settled : undefined })
        return { etag, bytes: encoded?.bytes, replacedBytes: found?.bytes }
      })
      this.#feed.add(changes.map((change) => this.#feed.place(change)), this.clock.wallMs())
      this.lock.writes++
      return written
    } catch (error) {
      for (const step of undo.toReversed()) step()
      throw error
    }
  }

  // `write` takes effect at once, and the lock keeps other writers of this process out: there are no transactions.

  begin(): boolean {
    return true
  }

  isInTransaction(): boolean {
    return true
  }

  commit(): void {}

  commitAndBegin(): boolean {
    return true
  }

  rollback(): void {}

  changes(part: string, behind: number, limit: number): FeedEntry[] {
    return this.#feed.after(part, behind, limit)
  }

  canSweep(part: string, upTo: number): boolean {
    return this.#feed.canSweep(part, upTo)
  }

  sweep(part: string, upTo: number, limit: number): number {
    return this.#feed.sweep(part, upTo, limit)
  }

  moment(): number {
    return this.lock.writes
  }

  lastChange(): number {
    return this.#feed.last
  }

  sizes(container: string, keys: readonly Key[]): (number | undefined)[] {
    return this.readMany(container, keys).map((document) => document?.bytes)
  }

  ping(): void {}

  close(): void {}
}
