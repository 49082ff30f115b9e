// `readMany` for a container of which nothing is known yet: reads the container's partition key, and estimates prices by
// the cost model.

import type { Container, ItemDefinition } from '@azure/cosmos'
import { uniformQueryCharge, readCharge } from '../../cost-model.ts'
import { PhysicalPartitions } from './physical-partitions.ts'
import type { KeyValue } from './effective-key.ts'
import { sdkItems, type ItemKey } from './items.ts'
import { readMany, type Found } from './read-many.ts'

/**
 * Prepares a container for reads of many documents by key. All keys are requested in one wave, each physical partition
 * by point reads or by one query, whichever costs less. Physical partitions that split meanwhile are handled.
 *
 * @example
 * ```ts
 * import { CosmosClient } from '@azure/cosmos'
 * import { openReadMany } from 'quire-graphql/cosmos/read-many'
 *
 * const container = new CosmosClient({ endpoint, key }).database('shop').container('orders')
 * const readOrders = await openReadMany<Order>(container)
 * const [first, second] = await readOrders([
 *   { id: 'o1', partitionKey: 'customer-7' },
 *   { id: 'o2', partitionKey: 'customer-9' },
 * ])
 * if (first?.status === 'found') console.log(first.item.total)
 * ```
 */
export async function openReadMany<T = ItemDefinition>(container: Container, { typicalBytes = 1024 }: ReadItemsOptions = {}): Promise<ReadItems<T>> {
  const definition = (await container.read()).resource!.partitionKey!
  const options = {
    items: sdkItems(container),
    partitions: new PhysicalPartitions(container, definition),
    partitionKeyPaths: definition.paths.map(namesIn),
    price: { read: readCharge(typicalBytes), query: (documents: number) => uniformQueryCharge(documents, typicalBytes) },
  }
  return async (keys, abortSignal) => {
    const chunks = Array.from({ length: Math.ceil(keys.length / keysPerRequest) }, (_, index) => keys.slice(index * keysPerRequest, (index + 1) * keysPerRequest))
    const found = await Promise.all(chunks.map((some) => readMany(some.map(keyOf), { ...options, ...(abortSignal ? { abortSignal } : {}) })))
    return found.flat() as Found<T>[]
  }
}

/** Keeps the text of a query far below the maximum of the service. */
const keysPerRequest = 1000

function keyOf({ id, partitionKey }: ReadItemKey): ItemKey {
  return { id, partitionKey: Array.isArray(partitionKey) ? (partitionKey as readonly KeyValue[]) : [partitionKey as KeyValue] }
}

/**
 * The address of a document.
 *
 * @example
 * ```ts
 * const key: ReadItemKey = { id: 'o1', partitionKey: 'customer-7' }
 * const inHierarchy: ReadItemKey = { id: 'o1', partitionKey: ['customer-7', 2026] }
 * ```
 */
export interface ReadItemKey {
  readonly id: string
  /** The value of the partition key; for a hierarchical key, one value per level. */
  readonly partitionKey: KeyValue | readonly KeyValue[]
}

/**
 * Reads the documents of some keys. The answers are in the order of the keys; a key that failed does not affect the others.
 *
 * @example
 * ```ts
 * const found = await readItems(keys, AbortSignal.timeout(2000))
 * const failed = found.filter(({ status }) => status === 'failed')
 * ```
 */
export type ReadItems<T = ItemDefinition> = (keys: readonly ReadItemKey[], abortSignal?: AbortSignal) => Promise<Found<T>[]>

/**
 * What helps to choose between point reads and a query.
 *
 * @example
 * ```ts
 * const readItems = await openReadMany(container, { typicalBytes: 20_000 })
 * ```
 */
export interface ReadItemsOptions {
  /** The size of most documents, as JSON; default 1024. Point reads of large documents cost more than one query. */
  readonly typicalBytes?: number
}

/** The property names of a path such as `/address/city` or `/"order id"`. */
function namesIn(path: string): string[] {
  return [...path.matchAll(/\/(?:"((?:[^"\\]|\\.)*)"|([^/]*))/g)].map(([, quoted, plain]) => (quoted === undefined ? plain! : (JSON.parse(`"${quoted}"`) as string)))
}
