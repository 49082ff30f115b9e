// Documents as Cosmos DB items. Cosmos DB adds properties of its own, which are not part of the document. Its change feed
// does not report deletions, so a document of a followed container is deleted by replacing it with a tombstone: it holds
// the last body, no query or read finds it, and the service removes it when all followers have long seen it.

import { partitionText, type Key, type Partition } from '../../model/keys/key.ts'
import type { Body, Json } from '../../model/json/json.ts'
import { compareScalarsInUtf16 } from '../../model/keys/compare-scalars.ts'
import { scalarAt } from '../conditions.ts'
import type { Order, Path } from '../query.ts'
import type { StoredDocument } from '../store.ts'
import type { Item } from './read-many/items.ts'

/** How long a tombstone stays: longer than a follower of the feed may ever be behind. */
const tombstoneSeconds = 30 * 24 * 60 * 60

/** True in a tombstone, absent in a document. */
export const tombstoneProperty = '_gone'

/** The last body, in a tombstone. No index includes it. */
const lastBodyProperty = '_was'

/** The marks of the last writes (write/write-marks.ts). Never part of a body. */
export const writeMarksProperty = '_w'

/** The document; undefined for a tombstone. */
export function documentOf(item: Item, partitionKey: readonly Path[]): StoredDocument | undefined {
  if (isTombstone(item)) return undefined
  const body = bodyOf(item)
  return {
    key: keyOf(item, partitionKey),
    etag: etagOf(item),
    body,
    // Few ask for the size, and telling it means writing the document again.
    get bytes() {
      return Buffer.byteLength(JSON.stringify(body))
    },
  }
}

/** Without the quotes of Cosmos DB, which clients would have to escape. */
export function etagOf({ _etag }: Item): string {
  return unquoted(_etag)
}

export function unquoted(etag: string): string {
  return etag.length > 1 && etag.startsWith('"') && etag.endsWith('"') ? etag.slice(1, -1) : etag
}

/** The maximum size of the values of a partition key, as JSON. */
export const maxPartitionBytes = 2048

/** Whether documents can have this partition key. */
export function isAllowedPartition(partition: Partition): boolean {
  return partitionSize(partition) <= maxPartitionBytes
}

export function partitionSize(partition: Partition): number {
  return Buffer.byteLength(partitionText(partition))
}

/** The item without the properties that Cosmos DB and this adapter have added. */
export function bodyOf({ _rid, _self, _etag, _ts, _attachments, _lsn, [writeMarksProperty]: _marks, ...body }: Item): Body {
  return body
}

export function keyOf(item: Item, partitionKey: readonly Path[]): Key {
  return { partition: partitionKey.map((path) => scalarAt(path, item as unknown as Body)), id: item.id }
}

/** Items in the order of a query: that of each physical partition, or merged pages would repeat some items and leave out others. */
export function itemsInOrder({ thenBy = [], ...first }: Order): (a: Item, b: Item) => number {
  const values = [first, ...thenBy]
  return (a, b) => {
    for (const { path, descending } of values) {
      const order = compareScalarsInUtf16(scalarAt(path, a), scalarAt(path, b))
      if (order !== 0) return descending ? -order : order
    }
    return (first.descending ? -1 : 1) * compareScalarsInUtf16(a.id, b.id)
  }
}

export function isTombstone(item: Item): boolean {
  return item[tombstoneProperty] === true
}

/** The deleted document that a tombstone stands for. */
export function lastBodyOf(tombstone: Item): Body {
  return tombstone[lastBodyProperty] as Body
}

/** It has the key of the document, and nothing else that a query could find. */
export function tombstoneOf({ id, partition }: Key, partitionKey: readonly Path[], last: Body): Body {
  const withKey = partitionKey.reduce<Body>((body, path, level) => withValue(body, path, partition[level]!), {})
  return { ...withKey, id, [tombstoneProperty]: true, [lastBodyProperty]: last, ttl: tombstoneSeconds }
}

function withValue(body: Body, [name, ...rest]: Path, value: Json): Body {
  if (rest.length === 0) return { ...body, [name!]: value }
  return { ...body, [name!]: withValue((body[name!] ?? {}) as Body, rest, value) }
}
