// Reads many documents of a Cosmos DB container by key, which the JavaScript SDK cannot. Keys are grouped by physical
// partition, and all groups are requested at once: one wave. Each group uses the cheaper of point reads and one query: a
// point read costs by the document's size, a query costs more to begin with and little for each further document.
//
// A key that no document can have fails before anything is sent. A group that fails does not affect the others. A group whose physical partition was split meanwhile is grouped again
// and requested again. Nothing here depends on Quire.

import type { Container, ItemDefinition, PartitionKey, Resource, SqlParameter, SqlQuerySpec } from '@azure/cosmos'
import { problemOf } from './check-key.ts'
import type { KeyValue } from './effective-key.ts'
import { isPartitionGone, type PhysicalPartition, type PhysicalPartitions } from './physical-partitions.ts'

/**
 * The address of a document.
 *
 * @example
 * ```ts
 * const key: ItemKey = { id: 'o1', partitionKey: ['customer-7'] }
 * ```
 */
export interface ItemKey {
  readonly id: string
  /** One value per level of the partition key. */
  readonly partitionKey: readonly KeyValue[]
}

/**
 * A document as the SDK returns it.
 *
 * @example
 * ```ts
 * const titleOf = (item: Item<{ title: string }>): string => item.title
 * ```
 */
export type Item<T = ItemDefinition> = T & Resource

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
  readonly container: Container
  readonly partitions: PhysicalPartitions
  /** The paths of the partition key, from the top of the document down. */
  readonly partitionKeyPaths: readonly (readonly string[])[]
  /** The charge of one point read, and of one query that finds so many documents. */
  readonly price: { readonly read: number; readonly query: (documents: number) => number }
  readonly abortSignal?: AbortSignal
  /** Wraps every request, to count or time it: the number of its keys, and of the waves before it. */
  readonly around?: <T>(keys: number, wave: number, send: () => Promise<T>) => Promise<T>
}

/** A physical partition may split again while its halves are asked; this ends the recursion. */
const maxSplits = 8

/** One result per key, in the order of the keys. */
export async function readMany(keys: readonly ItemKey[], options: ReadManyOptions): Promise<Found[]> {
  const found = new Map<string, Found>()
  const problems = keys.map((key) => problemOf(key, options.partitionKeyPaths.length))
  const wanted = new Map(keys.filter((_, index) => problems[index] === undefined).map((key) => [nameOf(key), key]))
  await readGroups([...wanted.values()], options, found, 0)
  return keys.map((key, index) => {
    const problem = problems[index]
    return problem === undefined ? (found.get(nameOf(key)) ?? { status: 'missing' }) : { status: 'failed', error: new TypeError(problem) }
  })
}

async function readGroups(keys: readonly ItemKey[], options: ReadManyOptions, found: Map<string, Found>, splits: number): Promise<void> {
  const groups = await groupsOf(keys, options.partitions)
  await Promise.all(groups.map(async (group) => {
    try {
      for (const [name, answer] of await readGroup(group, options, splits)) found.set(name, answer)
    } catch (error) {
      const { partition } = group
      if (isPartitionGone(error) && partition && splits < maxSplits) {
        const { around = unwrapped } = options
        await around(0, 2 * splits + 1, () => options.partitions.replacing(partition))
        return readGroups(group.keys, options, found, splits + 1)
      }
      for (const key of group.keys) found.set(nameOf(key), { status: 'failed', error })
    }
  }))
}

interface Group {
  /** Undefined if it cannot be computed; then all keys of the group have the same partition key. */
  readonly partition: PhysicalPartition | undefined
  readonly keys: readonly ItemKey[]
}

async function groupsOf(keys: readonly ItemKey[], partitions: PhysicalPartitions): Promise<Group[]> {
  const placed = await Promise.all(keys.map(async (key) => ({ key, partition: await partitions.of(key.partitionKey) })))
  const groups = Map.groupBy(placed, ({ key, partition }) => partition?.id ?? JSON.stringify(key.partitionKey))
  return [...groups.values()].map((group) => ({ partition: group[0]!.partition, keys: group.map(({ key }) => key) }))
}

/** Each split adds two waves: reading the physical partitions, and requesting the keys again. Keys are counted only once. */
async function readGroup(group: Group, options: ReadManyOptions, splits: number): Promise<[string, Found][]> {
  const { keys } = group
  const { price, around = unwrapped } = options
  const counted = (count: number) => (splits === 0 ? count : 0)
  if (keys.length === 1 || keys.length * price.read <= price.query(keys.length)) {
    return Promise.all(keys.map((key) => around(counted(1), 2 * splits, () => readOne(key, options)).catch((error: unknown): [string, Found] => {
      if (isPartitionGone(error)) throw error
      return [nameOf(key), { status: 'failed', error }]
    })))
  }
  return around(counted(keys.length), 2 * splits, () => queryGroup(group, options))
}

function unwrapped<T>(_keys: number, _wave: number, send: () => Promise<T>): Promise<T> {
  return send()
}

/** With these a 404 says nothing about the document: the replica does not know the session, or its owner, yet. */
const notYetHere = new Set([1002, 1003])

async function readOne(key: ItemKey, { container, abortSignal }: ReadManyOptions): Promise<[string, Found]> {
  const { resource, statusCode, substatus } = await container.item(key.id, partitionKeyOf(key)).read<Item>(abortSignal ? { abortSignal } : {})
  if (statusCode === 404 && substatus && notYetHere.has(substatus)) return [nameOf(key), { status: 'failed', error: new Error(`${key.id} could not be read: the replica is behind the session (404/${substatus}). Try again.`) }]
  return [nameOf(key), resource && statusCode === 200 ? { status: 'found', item: resource } : { status: 'missing' }]
}

async function queryGroup({ keys, partition }: Group, options: ReadManyOptions): Promise<[string, Found][]> {
  const { container, abortSignal, partitionKeyPaths } = options
  const pages = container.items.query<Item>(keysQuery(keys, partitionKeyPaths), {
    maxItemCount: keys.length,
    ...(partition ? { initialHeaders: { 'x-ms-documentdb-partitionkeyrangeid': partition.id } } : { partitionKey: partitionKeyOf(keys[0]!) }),
    ...(abortSignal ? { abortSignal } : {}),
  })
  const items: Item[] = []
  do items.push(...((await pages.fetchNext()).resources ?? []))
  while (pages.hasMoreResults())
  return items.map((item) => [nameOf({ id: item.id, partitionKey: partitionKeyPaths.map((path) => valueAt(item, path)) }), { status: 'found', item }])
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

function partitionKeyOf({ partitionKey }: ItemKey): PartitionKey {
  return partitionKey as PartitionKey
}

function nameOf({ id, partitionKey }: ItemKey): string {
  return JSON.stringify([partitionKey, id])
}
