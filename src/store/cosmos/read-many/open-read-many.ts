// `readMany` for a container of which nothing is known yet: reads the container's partition key, and estimates prices by
// the cost model.

import type { Container } from '@azure/cosmos'
import { uniformQueryCharge, readCharge } from '../../cost-model.ts'
import { PhysicalPartitions } from './physical-partitions.ts'
import { readMany, type Found, type ItemKey } from './read-many.ts'

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
 * const readItems = await openReadMany(container)
 * const [first, second] = await readItems([
 *   { id: 'o1', partitionKey: ['customer-7'] },
 *   { id: 'o2', partitionKey: ['customer-9'] },
 * ])
 * if (first?.status === 'found') console.log(first.item)
 * ```
 */
export async function openReadMany(container: Container, { typicalBytes = 1024 }: ReadItemsOptions = {}): Promise<ReadItems> {
  const definition = (await container.read()).resource!.partitionKey!
  const options = {
    container,
    partitions: new PhysicalPartitions(container, definition),
    partitionKeyPaths: definition.paths.map(namesIn),
    price: { read: readCharge(typicalBytes), query: (documents: number) => uniformQueryCharge(documents, typicalBytes) },
  }
  return (keys, abortSignal) => readMany(keys, { ...options, ...(abortSignal ? { abortSignal } : {}) })
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
export type ReadItems = (keys: readonly ItemKey[], abortSignal?: AbortSignal) => Promise<Found[]>

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
