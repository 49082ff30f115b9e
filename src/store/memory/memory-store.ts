// The store that keeps documents in this process: for tests, and as the reference of what every
// other store should answer. It forgets everything when the process ends.

import { KeyMap } from '../../model/keys/key-map.ts'
import { partitionText, type Key } from '../../model/keys/key.ts'
import { compareScalars, compareText } from '../../model/keys/compare-scalars.ts'
import { matches, scalarAt, scalarsAt } from '../conditions.ts'
import type { FeedEntry } from '../in-process/feed-points.ts'
import { frozen } from '../in-process/immutable-json.ts'
import type { Look } from '../synchronous-reads.ts'
import { containerNamed } from '../store.ts'
import { inProcessStore, type Engine, type EngineReads } from '../in-process/in-process-store.ts'
import { MemoryFeed, type MemoryChange } from './memory-feed.ts'
import type { Path, Position, Query, Scalar, Selection } from '../query.ts'
import type { ContainerLayout, Store, StoredDocument } from '../store.ts'
import { checkTenanted } from '../tenants/check-tenanted.ts'
import { checkCondition, newEtag, type EncodedWrite, type Written } from '../in-process/prepare-write.ts'

/** Stores over the same memory hold the same documents, of the containers that each one's layout names. */
export async function openMemoryStore(layout: readonly ContainerLayout[], memory = new Memory()): Promise<Store> {
  return inProcessStore(new MemoryEngine(layout, memory))
}

/** What outlives a store that is closed and opened again with another layout. A container that no layout names any more is kept. */
export class Memory {
  readonly feed = new MemoryFeed()
  readonly #containers = new Map<string, MemoryContainer>()

  container({ name, followed = false, tenanted = false }: ContainerLayout): MemoryContainer {
    const container = remembered(this.#containers, name, () => new MemoryContainer(followed === true, tenanted))
    checkTenanted(name, container.tenanted, tenanted)
    return container
  }
}

class MemoryEngine implements Engine, EngineReads {
  readonly system = 'memory'
  readonly durable = false
  readonly sameObjects = true
  readonly cachedBytes = 0
  readonly queue: Memory
  // Everybody sees at once what is written, so no writer may wait for another one.
  readonly mostInCommit = 1
  readonly committed = this
  readonly pending = this
  readonly #feed: MemoryFeed
  readonly #containers: ReadonlyMap<string, MemoryContainer>

  constructor(layout: readonly ContainerLayout[], memory: Memory) {
    this.queue = memory
    this.#feed = memory.feed
    this.#containers = new Map(layout.map((container) => [container.name, memory.container(container)]))
  }

  readMany(container: string, keys: readonly Key[]): (StoredDocument | undefined)[] {
    const { documents } = containerNamed(this.#containers, container)
    return keys.map((key) => documents.get(key))
  }

  lookIn(container: string): Look {
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

  /** Nobody else writes in a turn of this process. */
  hold(): boolean {
    return true
  }

  isHeld(): boolean {
    return true
  }

  commit(): void {}

  commitAndHold(): boolean {
    return true
  }

  release(): void {}

  version(containers: Iterable<string> = this.#containers.keys()): number {
    let writes = 0
    for (const name of containers) writes += containerNamed(this.#containers, name).writes
    return writes
  }

  changes(part: string, behind: number, limit: number): FeedEntry[] {
    return this.#feed.behind(part, behind, limit)
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

/** Documents by key, and the lists that reads asked for, which live until the next write. */
class MemoryContainer {
  readonly followed: boolean
  readonly tenanted: boolean
  readonly documents = new KeyMap<StoredDocument>()
  writes = 0
  readonly #sorted = new Map<string, StoredDocument[]>()
  readonly #groups = new Map<string, Map<string, StoredDocument[]>>()

  constructor(followed: boolean, tenanted: boolean) {
    this.followed = followed
    this.tenanted = tenanted
  }

  set(key: Key, document: StoredDocument | undefined): void {
    this.writes++
    if (document === undefined) this.documents.delete(key)
    else this.documents.set(key, document)
    this.#sorted.clear()
    this.#groups.clear()
  }

  /** Everything of a type, and of a tenant, ascending. */
  sorted({ type, tenant }: Whose, orderBy: Path): readonly StoredDocument[] {
    return remembered(this.#sorted, JSON.stringify([type, tenant, orderBy]), () =>
      [...this.documents.values()]
        .filter(({ key, body }) => (type === undefined || body.type === type) && (tenant === undefined || key.partition[0] === tenant))
        .toSorted((a, b) => comparePosition(a, { value: scalarAt(orderBy, b.body), id: b.key.id }, orderBy)),
    )
  }

  /** The same, dealt out by partition or by the values at a path, each as JSON. */
  groups(whose: Whose, by: Path | 'partition', orderBy: Path): ReadonlyMap<string, readonly StoredDocument[]> {
    return remembered(this.#groups, JSON.stringify([whose.type, whose.tenant, by, orderBy]), () => {
      const groups = new Map<string, StoredDocument[]>()
      for (const document of this.sorted(whose, orderBy)) {
        for (const name of groupNames(document, by)) remembered(groups, name, () => []).push(document)
      }
      return groups
    })
  }
}

type Whose = Pick<Selection, 'type' | 'tenant'>

/** Walks an ascending list, from either end, from the position onwards. */
function page(ascending: readonly StoredDocument[], query: Query): StoredDocument[] {
  const { orderBy, after, limit } = query
  const step = orderBy.descending ? -1 : 1
  const selected = selects(query)
  const found: StoredDocument[] = []
  let at = orderBy.descending ? ascending.length - 1 : 0
  if (after !== undefined) {
    at = orderBy.descending
      ? firstWhere(ascending, (document) => comparePosition(document, after, orderBy.path) >= 0) - 1
      : firstWhere(ascending, (document) => comparePosition(document, after, orderBy.path) > 0)
  }
  for (; at >= 0 && at < ascending.length && found.length < limit; at += step) {
    if (selected(ascending[at]!)) found.push(ascending[at]!)
  }
  return found
}

function comparePosition(document: StoredDocument, position: Position, orderBy: Path): number {
  return compareScalars(scalarAt(orderBy, document.body), position.value) || compareText(document.key.id, position.id)
}

/** The index of the first element that holds, in a list where all that do come last. */
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

/** What the lists have not already seen to. */
function selects({ partition, where }: Selection): (document: StoredDocument) => boolean {
  const wanted = partition && partitionText(partition)
  return ({ key, body }) =>
    (wanted === undefined || partitionText(key.partition) === wanted) && (where === undefined || matches(where, body))
}

function groupNames({ key, body }: StoredDocument, by: Path | 'partition'): Iterable<string> {
  if (by === 'partition') return [partitionText(key.partition)]
  return new Set(scalarsAt(by, body).map((scalar) => JSON.stringify(scalar)))
}

function remembered<Value>(values: Map<string, Value>, name: string, make: () => Value): Value {
  let value = values.get(name)
  if (value === undefined) values.set(name, (value = make()))
  return value
}
