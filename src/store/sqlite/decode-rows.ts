// Decodes rows of the SQLite store into keys and feed entries. Documents are decoded in read/document-reads.ts, which shares cached
// ones.

import type { Key } from '../../model/keys/key.ts'
import type { FeedEntry } from '../in-process/feed-parts.ts'
import { parseBody } from '../in-process/immutable-json.ts'
import type { Row } from './connection.ts'

/** The inverse of `keyText`. */
export function keyFromText(text: string): Key {
  const [partition, id]: [Key['partition'], string] = JSON.parse(text)
  return { partition, id }
}

export function feedEntryOf([position, container, key, at, deleted, settled, body]: Row): FeedEntry {
  const json = String(body)
  const sequence = Number(position)
  const change = { container: String(container), key: keyFromText(String(key)), deleted: deleted === 1, body: parseBody(json), at: Number(at), position: sequence, ...(settled === 1 ? { settled: true } : {}) }
  return { sequence, bytes: Buffer.byteLength(json), change }
}
