// The two requests that reads are made of: one document by its key, and one query to one partition. `sdkItems` makes them with the SDK, for any
// container that it can open.

import type { Container, ItemDefinition, PartitionKey, Resource, SqlQuerySpec } from '@azure/cosmos'
import type { KeyValue } from './effective-key.ts'

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

export interface Items {
  /** Responses other than 200 and 404 are errors with a `code` and a `substatus`. */
  read(key: ItemKey, abortSignal?: AbortSignal): Promise<ReadItem>
  /** All pages of a query, or the first ones that have more than `maxRows`. */
  query<Row>(sql: SqlQuerySpec, place: QueryPlace, pageSize: number, abortSignal?: AbortSignal, maxRows?: number): Promise<Row[]>
}

export interface ReadItem {
  readonly status: number
  readonly substatus: number | undefined
  readonly item: Item | undefined
}

/** One logical partition, or a physical partition by its id. */
export type QueryPlace = { readonly partitionKey: readonly KeyValue[] } | { readonly physical: string }

export function sdkItems(container: Container): Items {
  return {
    async read({ id, partitionKey }, abortSignal) {
      const { resource, statusCode, substatus } = await container.item(id, partitionKey as PartitionKey).read<Item>(abortSignal ? { abortSignal } : {})
      return { status: statusCode, substatus, item: resource }
    },
    async query<Row>(sql: SqlQuerySpec, place: QueryPlace, pageSize: number, abortSignal?: AbortSignal, maxRows = Infinity) {
      const pages = container.items.query<Row>(sql, {
        maxItemCount: pageSize,
        ...('physical' in place ? { initialHeaders: { 'x-ms-documentdb-partitionkeyrangeid': place.physical } } : { partitionKey: place.partitionKey as PartitionKey }),
        ...(abortSignal ? { abortSignal } : {}),
      })
      const rows: Row[] = []
      do rows.push(...((await pages.fetchNext()).resources ?? []))
      while (pages.hasMoreResults() && rows.length <= maxRows)
      return rows
    },
  }
}
