// Reads many documents of a Cosmos DB container by key, which the JavaScript SDK cannot. Keys are grouped by physical
// partition, and all groups are requested at once: one wave. Each group uses the cheaper of point reads and one query: a
// point read costs by the document's size, a query costs more to begin with and little for each further document.
//
// A key that no document can have fails before anything is sent. A group that fails does not affect the others. A group whose physical partition was split meanwhile is grouped again
// and requested again. Nothing here depends on Quire.

import type { ItemDefinition, SqlParameter, SqlQuerySpec } from '@azure/cosmos'
import { problemOf } from './check-key.ts'
import type { KeyValue } from './effective-key.ts'
import type { Item, ItemKey, Items } from './items.ts'
import { readItem } from './read-item.ts'
import { isPartitionGone, maxReplacements, type PhysicalPartition, type PhysicalPartitions } from './physical-partitions.ts'

/**
 * What became of one key.
 *
 * @example
 * ```ts
 * const items = found.flatMap((each: Found) => (each.status === 'found' ? [each.item] : []))
 * ```
 */
export type Found<T = ItemDefinition> =
  | { readonly status: 'found'; readonly item: Item<T> }
  | { readonly status: 'missing' }
  | { readonly status: 'failed'; readonly error: unknown }

export interface ReadManyOptions {
  readonly items: Items
  readonly partitions: PhysicalPartitions
  /** The paths of the partition key, from the top of the document down. */
  readonly partitionKeyPaths: readonly (readonly string[])[]
  /** The charge of one point read, and of one query that finds so many documents. */
  readonly price: { readonly read: number; readonly query: (documents: number) => number }
  readonly abortSignal?: AbortSignal
  /** Wraps every request, to count or time it: the number of its keys, and of the waves before it. */
  readonly around?: <T>(keys: number, wave: number, send: () => Promise<T>) => Promise<T>
}

/** A key that a document can have, and its name among the answers. */
interface Wanted {
  readonly key: ItemKey
  readonly name: string
}

/** One result per key, in the order of the keys. */
export async function readMany(keys: readonly ItemKey[], options: ReadManyOptions): Promise<Found[]> {
  const found = new Map<string, Found>()
  const wanted = new Map<string, Wanted>()
  const outcomes = keys.map((key): Found | string => {
    const problem = problemOf(key, options.partitionKeyPaths.length)
    if (problem !== undefined) return { status: 'failed', error: new TypeError(problem) }
    const name = nameOf(key.id, key.partitionKey)
    wanted.set(name, { key, name })
    return name
  })
  await readGroups([...wanted.values()], options, found, 0)
  return outcomes.map((outcome) => (typeof outcome === 'string' ? (found.get(outcome) ?? missing) : outcome))
}

const missing: Found = { status: 'missing' }

async function readGroups(wanted: readonly Wanted[], options: ReadManyOptions, found: Map<string, Found>, splits: number): Promise<void> {
  const groups = await groupsOf(wanted, options.partitions)
  await Promise.all(groups.map(async (group) => {
    try {
      await readGroup(group, options, found, splits)
    } catch (error) {
      const { partition } = group
      if (isPartitionGone(error) && partition && splits < maxReplacements) {
        const { around = unwrapped } = options
        await around(0, 2 * splits + 1, () => options.partitions.replacing(partition, splits + 1, options.abortSignal))
        return readGroups(group.wanted, options, found, splits + 1)
      }
      for (const { name } of group.wanted) found.set(name, { status: 'failed', error })
    }
  }))
}

interface Group {
  /** Undefined if it cannot be computed; then all keys of the group have the same partition key. */
  readonly partition: PhysicalPartition | undefined
  readonly wanted: Wanted[]
}

async function groupsOf(wanted: readonly Wanted[], partitions: PhysicalPartitions): Promise<Group[]> {
  if (wanted.length > 0) await partitions.all()
  const groups = new Map<string, Group>()
  for (const each of wanted) {
    const partition = partitions.knownOf(each.key.partitionKey)
    const id = partition?.id ?? JSON.stringify(each.key.partitionKey)
    const group = groups.get(id)
    if (group) group.wanted.push(each)
    else groups.set(id, { partition, wanted: [each] })
  }
  return [...groups.values()]
}

/** Each split adds two waves: reading the physical partitions, and requesting the keys again. Keys are counted only once. */
async function readGroup(group: Group, options: ReadManyOptions, found: Map<string, Found>, splits: number): Promise<void> {
  const { wanted } = group
  const { price, around = unwrapped } = options
  const counted = (count: number) => (splits === 0 ? count : 0)
  if (wanted.length > 1 && wanted.length * price.read > price.query(wanted.length)) {
    return around(counted(wanted.length), 2 * splits, () => queryGroup(group, options, found))
  }
  await Promise.all(wanted.map(async ({ key, name }) => {
    try {
      found.set(name, await around(counted(1), 2 * splits, () => readOne(key, options)))
    } catch (error) {
      if (isPartitionGone(error)) throw error
      found.set(name, { status: 'failed', error })
    }
  }))
}

function unwrapped<T>(_keys: number, _wave: number, send: () => Promise<T>): Promise<T> {
  return send()
}

async function readOne(key: ItemKey, { items, abortSignal }: ReadManyOptions): Promise<Found> {
  const { item, status, substatus } = await readItem(items, key, abortSignal)
  // It is not the document that was not found: the replica is behind the session (1002), or the container is missing (1003).
  if (status === 404 && substatus) return { status: 'failed', error: Object.assign(new Error(`${key.id} could not be read.`), { code: status, substatus }) }
  return item && status === 200 ? { status: 'found', item } : missing
}

async function queryGroup({ wanted, partition }: Group, { items, abortSignal, partitionKeyPaths }: ReadManyOptions, found: Map<string, Found>): Promise<void> {
  const keys = wanted.map(({ key }) => key)
  const place = partition ? { physical: partition.id } : { partitionKey: keys[0]!.partitionKey }
  for (const item of await items.query<Item>(keysQuery(keys, partitionKeyPaths), place, keys.length, abortSignal)) {
    found.set(nameOf(item.id, partitionKeyPaths.map((path) => valueAt(item, path))), { status: 'found', item })
  }
}

/** `WHERE (pk = … AND id IN (…)) OR …`, one term for each logical partition; only ids if the id is the partition key. */
function keysQuery(keys: readonly ItemKey[], paths: readonly (readonly string[])[]): SqlQuerySpec {
  const parameters: SqlParameter[] = []
  const bound = (value: KeyValue): string => {
    parameters.push({ name: `@k${parameters.length}`, value: value as string })
    return parameters.at(-1)!.name
  }
  const idsIn = (some: readonly ItemKey[]): string => `c["id"] IN (${some.map(({ id }) => bound(id)).join(', ')})`
  if (paths.length === 1 && paths[0]!.join('/') === 'id') return { query: `SELECT * FROM c WHERE ${idsIn(keys)}`, parameters }
  const terms = [...Map.groupBy(keys, ({ partitionKey }) => JSON.stringify(partitionKey)).values()].map((together) => {
    const key = paths.map((path, level) => `${referenceTo(path)} = ${bound(together[0]!.partitionKey[level])}`)
    return `(${[...key, idsIn(together)].join(' AND ')})`
  })
  return { query: `SELECT * FROM c WHERE ${terms.join(' OR ')}`, parameters }
}

function referenceTo(path: readonly string[]): string {
  return `c${path.map((name) => `[${JSON.stringify(name)}]`).join('')}`
}

function valueAt(item: Item, path: readonly string[]): KeyValue {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], item) as KeyValue
}

/** An id that can be read has no slash. */
function nameOf(id: string, partitionKey: readonly KeyValue[]): string {
  const [value] = partitionKey
  return partitionKey.length === 1 && typeof value === 'string' ? `${id}/${value}` : `${id}/${JSON.stringify(partitionKey)}`
}
