// How large a batch is as a request: more than its documents, because each comes with its id, a condition, write marks, and as a tombstone with its key.

import { partitionText } from '../../../model/keys/key.ts'
import { TooLargeError } from '../../store-errors.ts'
import type { Supports, Write } from '../../store.ts'

export const maxRequestBytes = 2 * 1024 * 1024

/** Names, the condition, eight write marks, and what makes a tombstone. */
const envelopeBytes = 400

/** The most that one document adds, with the longest id, which a tombstone repeats, and the longest partition key. */
export const maxAddedBytes = envelopeBytes + 2 * 1023 + 2048

export function checkSizes(writes: readonly Write[], { documentBytes, batch }: Supports): void {
  if (writes.length > batch.writes) throw new Error(`Batch too large: ${writes.length} documents, and Cosmos DB accepts at most ${batch.writes}.`)
  let total = 0
  for (const write of writes) {
    // A tombstone holds the deleted body.
    const bytes = Buffer.byteLength(JSON.stringify((write.kind === 'put' ? write.body : write.last) ?? null))
    if (write.kind === 'put' && bytes > documentBytes) throw new TooLargeError(write.container, write.key, bytes, documentBytes)
    total += bytes + addedBytes(write)
  }
  if (total > maxRequestBytes) throw new Error(`Batch too large: ${total} bytes, and Cosmos DB accepts at most ${maxRequestBytes}.`)
}

function addedBytes({ kind, key }: Write): number {
  const id = Buffer.byteLength(key.id)
  return envelopeBytes + id + (kind === 'delete' ? id + Buffer.byteLength(partitionText(key.partition)) : 0)
}
