// What every store in this process does before it writes a document: encode it as JSON, check its size, and make an etag.
// Where the document is kept is the engine's choice.

import { randomFillSync } from 'node:crypto'
import { keyText } from '../../model/keys/key.ts'
import type { Body } from '../../model/json/json.ts'
import { TooLargeError } from '../store-errors.ts'
import type { Write } from '../store.ts'
import { frozenCopy } from './immutable-json.ts'
import type { WrittenSizes } from './call-receipts.ts'

/** A write with its document as JSON and as readers will get it; a deletion has neither. */
export interface EncodedWrite {
  readonly write: Write
  readonly key: string
  readonly encoded: { readonly json: string; readonly bytes: number; readonly body: Body } | undefined
}

/** A write with its document as JSON alone, for a thread that writes it. */
export interface JsonWrite {
  readonly write: Write
  readonly key: string
  readonly json: { readonly text: string; readonly bytes: number } | undefined
}

export interface Written extends WrittenSizes {
  readonly etag: string
}

export function encode(write: Write, maxBytes: number): EncodedWrite {
  const key = keyText(write.key)
  if (write.kind === 'delete') return { write, key, encoded: undefined }
  const json = JSON.stringify(write.body)
  const bytes = checkedBytes(write, json, maxBytes)
  return { write, key, encoded: { json, bytes, body: frozenCopy(write.body, json) } }
}

export function encodeJson(write: Write, maxBytes: number): JsonWrite {
  const key = keyText(write.key)
  if (write.kind === 'delete') return { write, key, json: undefined }
  const text = JSON.stringify(write.body)
  return { write, key, json: { text, bytes: checkedBytes(write, text, maxBytes) } }
}

function checkedBytes({ container, key }: Write, json: string, maxBytes: number): number {
  const bytes = Buffer.byteLength(json)
  if (bytes > maxBytes) throw new TooLargeError(container, key, bytes, maxBytes)
  return bytes
}

/** Random, so that two writers of one database need not agree on the next etag. */
export function newEtag(): string {
  if (random.at === random.bytes.length) {
    randomFillSync(random.bytes)
    random.at = 0
  }
  random.at += etagBytes
  return random.bytes.toString('base64url', random.at - etagBytes, random.at)
}

const etagBytes = 12

/** Drawn for 256 etags at once: drawing a few random bytes takes as long as drawing many. */
const random = { bytes: Buffer.alloc(etagBytes * 256), at: etagBytes * 256 }
