// The store that keeps documents in this process: for tests, and as the reference of what every other store should
// answer. Its documents are lost when the process ends.

import { partitionText, type Key } from '../../model/keys/key.ts'
import { comparePositions, matches, positionOf } from '../conditions.ts'
import type { FeedEntry } from '../in-process/feed-parts.ts'
import { frozen } from '../in-process/immutable-json.ts'
import { inProcessStore, type Engine, type EngineReads } from '../in-process/in-process-store.ts'
import { newEtag, type EncodedWrite, type Written } from '../in-process/prepare-write.ts'
import { checkCondition, containerNamed } from '../port-checks.ts'
import type { Path, Query, Scalar, Selection } from '../query.ts'
import type { ContainerLayout, Store, StoredDocument } from '../store.ts'
import type { SynchronousLookup } from '../synchronous-reads.ts'
import { checkTenanted } from '../tenants/check-tenanted.ts'
import { getOrCreate, MemoryContainer } from './memory-container.ts'
import { MemoryFeed, type MemoryChange } from './memory-feed.ts'

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
  return inProcessStore(new MemoryEngine(layout, memory))
}

/** The documents of a memory store, for opening it again with another layout. Containers that the new layout lacks are kept. */
export class Memory {
  readonly feed = new MemoryFeed()
  readonly #containers = new Map<string, MemoryContainer>()

  container({ name, followed = false, tenanted = false }: ContainerLayout): MemoryContainer {
    const container = getOrCreate(this.#containers, name, () => new MemoryContainer(followed === true, tenanted))
    checkTenanted(name, container.tenanted, tenanted)
    return container
  }
}

class MemoryEngine implements Engine, EngineReads {
  readonly system = 'memory'
  readonly durable = false
  readonly sameObjects = true
  readonly cachedBytes = 0
  readonly lock: Memory
  // Every reader sees a write at once, so a writer must not wait for others to share a commit.
  readonly maxWritersPerCommit = 1
  readonly committed = this
  readonly pending = this
  readonly #feed: MemoryFeed
  readonly #containers: ReadonlyMap<string, MemoryContainer>

  constructor(layout: readonly ContainerLayout[], memory: Memory) {
    this.lock = memory
    this.#feed = memory.feed
    this.#containers = new Map(layout.map((container) => [container.name, memory.container(container)]))
  }

  readMany(container: string, keys: readonly Key[]): (StoredDocument | undefined)[] {
    const { documents } = containerNamed(this.#containers, container)
    return keys.map((key) => documents.get(key))
  }

  lookIn(container: string): SynchronousLookup {
    const { documents } = containerNamed(this.#containers, container)
    return (key) => documents.get(key)
  }

  query(query: Query): StoredDocument[] {
    return page(this.#candidates(query, query.orderBy.path), query)
  }

  queryEach(query: Query, by: Path, values: readonly Scalar[]): StoredDocument[][] {
    const groups = containerNamed(this.#containers, query.container).groups(query, by, query.orderBy.path)
    return values.map((value) => page(groups.get(JSON.stringify(value)) ?? [], query))
  }

  count(selection: Selection): number {
    return countSelected(this.#candidates(selection, ['id']), selection)
  }

  countEach(selection: Selection, by: Path, values: readonly Scalar[]): number[] {
    const groups = containerNamed(this.#containers, selection.container).groups(selection, by, ['id'])
    return values.map((value) => countSelected(groups.get(JSON.stringify(value)) ?? [], selection))
  }

  write(writes: readonly EncodedWrite[]): Written[] {
    const targets = writes.map(({ write }) => containerNamed(this.#containers, write.container))
    const undo: (() => void)[] = []
    const changes: MemoryChange[] = []
    try {
      const written = writes.map(({ write, encoded }, at) => {
        const container = targets[at]!
        const key = frozen({ partition: [...write.key.partition], id: write.key.id })
        const found = container.documents.get(key)
        checkCondition(write, found)
        const etag = encoded === undefined ? '' : newEtag()
        const document = encoded && Object.freeze({ key, etag, body: encoded.body, bytes: encoded.bytes })
        container.set(key, document)
        undo.push(() => container.set(key, found))
        const last = document ?? found
        if (container.followed && last) changes.push({ container: write.container, document: last, deleted: document === undefined })
        return { etag, bytes: encoded?.bytes, replacedBytes: found?.bytes }
      })
      this.#feed.add(changes)
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

  version(containers: Iterable<string> = this.#containers.keys()): number {
    let writes = 0
    for (const name of containers) writes += containerNamed(this.#containers, name).writes
    return writes
  }

  changes(part: string, behind: number, limit: number): FeedEntry[] {
    return this.#feed.after(part, behind, limit)
  }

  lastChange(): number {
    return this.#feed.last
  }

  sizes(container: string, keys: readonly Key[]): (number | undefined)[] {
    return this.readMany(container, keys).map((document) => document?.bytes)
  }

  ping(): void {}

  close(): void {}

  #candidates(selection: Selection, orderBy: Path): readonly StoredDocument[] {
    const container = containerNamed(this.#containers, selection.container)
    if (selection.partition === undefined) return container.sorted(selection, orderBy)
    return container.groups(selection, 'partition', orderBy).get(partitionText(selection.partition)) ?? []
  }
}

/** Walks an ascending list from the position on, forwards or backwards. */
function page(ascending: readonly StoredDocument[], query: Query): StoredDocument[] {
  const { orderBy: { path, descending }, after, limit } = query
  const step = descending ? -1 : 1
  const isSelected = selects(query)
  const found: StoredDocument[] = []
  let at = descending ? ascending.length - 1 : 0
  if (after !== undefined) {
    at = descending
      ? firstWhere(ascending, (document) => comparePositions(positionOf(document, path), after) >= 0) - 1
      : firstWhere(ascending, (document) => comparePositions(positionOf(document, path), after) > 0)
  }
  for (; at >= 0 && at < ascending.length && found.length < limit; at += step) {
    if (isSelected(ascending[at]!)) found.push(ascending[at]!)
  }
  return found
}

/** The index of the first element for which `holds` is true, in a list where all such elements come last. */
function firstWhere(list: readonly StoredDocument[], holds: (document: StoredDocument) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(list[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}

function countSelected(list: readonly StoredDocument[], selection: Selection): number {
  const everything = selection.partition === undefined && selection.where === undefined
  return everything ? list.length : list.filter(selects(selection)).length
}

/** Tests the partition and the conditions; the lists hold one type and one tenant already. */
function selects({ partition, where }: Selection): (document: StoredDocument) => boolean {
  const wanted = partition && partitionText(partition)
  return ({ key, body }) =>
    (wanted === undefined || partitionText(key.partition) === wanted) && (where === undefined || matches(where, body))
}
