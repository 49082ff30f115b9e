// What every store in this process does around a write: the document as JSON, its size held to the
// limit, the condition it was sent with, the etag it gets. Where it is kept is the engine's choice.

import { randomFillSync } from 'node:crypto'
import { keyText } from '../../model/keys/key.ts'
import { frozenCopy } from './immutable-json.ts'
import type { WrittenSizes } from './metered.ts'
import type { Body } from '../../model/json/json.ts'
import { ConflictError, TooLargeError, type Write } from '../store.ts'

/** A write with its document already as JSON, and as whoever reads it will find it; a deletion has none. */
export interface EncodedWrite {
  readonly write: Write
  readonly key: string
  readonly encoded: { readonly json: string; readonly bytes: number; readonly body: Body } | undefined
}

export interface Written extends WrittenSizes {
  readonly etag: string
}

export function encode(write: Write, limit: number): EncodedWrite {
  const key = keyText(write.key)
  if (write.kind === 'delete') return { write, key, encoded: undefined }
  const json = JSON.stringify(write.body)
  const bytes = Buffer.byteLength(json)
  if (bytes > limit) throw new TooLargeError(write.container, write.key, bytes, limit)
  return { write, key, encoded: { json, bytes, body: frozenCopy(write.body, json) } }
}

/** Throws unless what is there now is what the write asked for. */
export function checkCondition({ container, key, only }: Write, found: { readonly etag: string } | undefined): void {
  if (only === undefined) return
  if (only === 'if-absent') {
    if (found !== undefined) throw new ConflictError(container, key, 'present')
  } else if (found === undefined) {
    throw new ConflictError(container, key, 'absent')
  } else if (found.etag !== only.ifMatch) {
    throw new ConflictError(container, key, 'changed')
  }
}

/** Random, so that two writers on one database never need to agree on the next. */
export function newEtag(): string {
  if (random.at === random.bytes.length) {
    randomFillSync(random.bytes)
    random.at = 0
  }
  random.at += etagBytes
  return random.bytes.toString('base64url', random.at - etagBytes, random.at)
}

const etagBytes = 12

/** Drawn for many at a time, since a draw of few costs as much as one of many. */
const random = { bytes: Buffer.alloc(etagBytes * 256), at: etagBytes * 256 }
