// Documents on their way to Cosmos and back. Cosmos adds properties of its own, which are not the
// document's. And since its change feed does not tell of deletions, a document of a followed container
// is deleted by putting a tombstone in its place: it says what was there last, is found by no query
// or read, and is swept away by the service when everybody has long seen it.

import { partitionText, type Key, type Partition } from '../../model/keys/key.ts'
import { scalarAt } from '../conditions.ts'
import type { Path } from '../query.ts'
import type { Body, Json } from '../../model/json/json.ts'
import type { StoredDocument } from '../store.ts'
import type { Item } from './read-many/read-many.ts'
import { goneMark } from './query/sql.ts'

/** How long a tombstone stays: longer than a follower of the feed may ever be behind. */
const gravestoneSeconds = 30 * 24 * 60 * 60

/** What was there last, in a property that no index includes. */
const wasAt = '_was'

/** The document, or undefined where only its tombstone is left. */
export function documentOf(item: Item, partitionKey: readonly Path[]): StoredDocument | undefined {
  if (isTombstone(item)) return undefined
  const body = bodyOf(item)
  return { key: keyOf(item, partitionKey), etag: etagOf(item), body, bytes: Buffer.byteLength(JSON.stringify(body)) }
}

/** Cosmos puts its etags in quotes, which clients would have to escape. */
export function etagOf({ _etag }: Item): string {
  return unquoted(_etag)
}

export function unquoted(etag: string): string {
  return etag.replace(/^"(.*)"$/, '$1')
}

/** Whether an address can carry it: Cosmos keeps some ids that nobody can ask for by name. */
export function isAddressable(id: string): boolean {
  return /^[^/\\?#]+$/.test(id) && Buffer.byteLength(id) <= 1023 && id !== '.' && id !== '..' && id.trim() !== '' && id.isWellFormed()
}

/** As much as the values that say where a document belongs may take, written as JSON. */
export const partitionBytes = 2048

/** Whether anything can be there. */
export function isPlace(partition: Partition): boolean {
  return bytesOf(partition) <= partitionBytes
}

export function bytesOf(partition: Partition): number {
  return Buffer.byteLength(partitionText(partition))
}

/** Which writes made the document what it is (write-marks.ts). Never handed out. */
export const markAt = '_w'

/** Without what Cosmos and this adapter have added. */
export function bodyOf({ _rid, _self, _etag, _ts, _attachments, _lsn, [markAt]: _mark, ...body }: Item): Body {
  return body
}

export function keyOf(item: Item, partitionKey: readonly Path[]): Key {
  return { partition: partitionKey.map((path) => scalarAt(path, item as unknown as Body)), id: item.id }
}

export function isTombstone(item: Item): boolean {
  return item[goneMark] === true
}

/** What a tombstone is for. */
export function buriedIn(item: Item): Body {
  return item[wasAt] as Body
}

/** In the place of a document: with its key, and nothing else that a query could find. */
export function tombstone({ id, partition }: Key, partitionKey: readonly Path[], last: Body): Body {
  const placed = partitionKey.reduce<Body>((body, path, level) => withValue(body, path, partition[level]!), {})
  return { ...placed, id, [goneMark]: true, [wasAt]: last, ttl: gravestoneSeconds }
}

function withValue(body: Body, [name, ...rest]: Path, value: Json): Body {
  if (rest.length === 0) return { ...body, [name!]: value }
  return { ...body, [name!]: withValue((body[name!] ?? {}) as Body, rest, value) }
}
