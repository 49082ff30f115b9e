// A document as it is kept: never changed once made, so that the change feed and running queries can
// hold on to it, and serialised once, so that no query parses or writes it again.

import { isObject } from '../../model/json/json.ts'
import { Refusal } from '../http-messages.ts'
import type { PartitionKey } from './partition-key.ts'

export interface StoredDocument {
  readonly id: string
  readonly key: PartitionKey
  /** The order of creation within the container; a replacement keeps it, as it keeps its _rid. */
  readonly ordinal: number
  readonly etag: string
  /** Whole seconds. */
  readonly ts: number
  /** The document with its system properties, for queries. */
  readonly value: Readonly<Record<string, unknown>>
  /** The same as JSON. */
  readonly text: string
  /** UTF-8 bytes of the JSON without system properties. */
  readonly bytes: number
  readonly terms: readonly string[]
}

export const maximumBytes = 2 * 1024 * 1024

const systemProperties = new Set(['_rid', '_self', '_etag', '_ts', '_attachments', '_lsn'])

/** What the client sent, without the system properties that it may send back from an earlier read. */
export function clientBody(sent: unknown): Record<string, unknown> & { id: string } {
  if (!isObject(sent)) throw new Refusal(400, 'A document has to be a JSON object.')
  checkTtl(sent['ttl'])
  const body = Object.fromEntries(Object.entries(sent).filter(([name]) => !systemProperties.has(name)))
  return { ...body, id: checkedId(sent['id']) }
}

export function storedDocument(
  body: Record<string, unknown> & { id: string },
  system: { key: PartitionKey; ordinal: number; rid: string; self: string; etag: string; ts: number; terms: readonly string[] },
): StoredDocument {
  const { key, ordinal, rid, self, etag, ts, terms } = system
  const text = JSON.stringify(body)
  const bytes = Buffer.byteLength(text)
  if (bytes > maximumBytes) throw new Refusal(413, 'Request size is too large: a document may have 2 MB.')
  const value = { ...body, _rid: rid, _self: self, _etag: etag, _attachments: 'attachments/', _ts: ts }
  return { id: body.id, key, ordinal, etag, ts, value, text: JSON.stringify(value), bytes, terms }
}

/** Whether its time to live is over. Without a default on the container, a document's own ttl is not heeded. */
export function isExpired(document: StoredDocument, defaultTtl: number | undefined, nowMs: number): boolean {
  if (defaultTtl === undefined) return false
  const own = document.value['ttl']
  const ttl = typeof own === 'number' ? own : defaultTtl
  return ttl > 0 && nowMs >= (document.ts + ttl) * 1000
}

/** -1 or a positive number of seconds: null and other numbers are refused (the tests of time to live in azure-cosmos-dotnet-v3 and azure-sdk-for-js). */
function checkTtl(ttl: unknown): void {
  if (ttl === undefined || ttl === -1 || (typeof ttl === 'number' && Number.isInteger(ttl) && ttl > 0)) return
  throw new Refusal(400, `The input ttl '${String(ttl)}' is invalid. Ensure to provide a nonzero positive integer, or -1.`)
}

function checkedId(id: unknown): string {
  if (typeof id !== 'string' || id === '') throw new Refusal(400, "The input content is invalid because the required properties - 'id; ' - are missing.")
  if (/[/\\#]/.test(id)) throw new Refusal(400, `The id '${id}' holds one of the characters / \\ #, which are not allowed.`)
  if (Buffer.byteLength(id) > 1023) throw new Refusal(400, 'The id is longer than 1,023 bytes.')
  return id
}
