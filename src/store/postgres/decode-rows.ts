// Decodes rows of PostgreSQL into documents and feed entries.

import type { Key } from '../../model/keys/key.ts'
import type { Body } from '../../model/json/json.ts'
import type { FeedEntry } from '../in-process/feed-parts.ts'
import type { StoredDocument } from '../store.ts'
import type { Row } from './request/connection.ts'
import { originalJson } from './sql/portable-text.ts'

/** Of key, etag, bytes and body. */
export function documentOf(row: Row): StoredDocument {
  const [key, etag, bytes, body] = row as [string, string, number, string]
  return { key: keyFromText(key), etag, bytes, body: JSON.parse(originalJson(body)) as Body }
}

/** Of sequence, container, key, at, deleted, settled and body. */
export function feedEntryOf(row: Row): FeedEntry {
  const [sequence, container, key, at, deleted, settled, body] = row as [number, string, string, number, boolean, boolean, string]
  const json = originalJson(body)
  const change = { container, key: keyFromText(key), deleted, body: JSON.parse(json) as Body, at, position: sequence, ...(settled ? { settled: true } : {}) }
  return { sequence, bytes: Buffer.byteLength(json), change }
}

/** The inverse of `keyText`. */
function keyFromText(text: string): Key {
  const [partition, id] = JSON.parse(text) as [Key['partition'], string]
  return { partition, id }
}
