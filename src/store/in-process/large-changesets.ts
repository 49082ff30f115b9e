// Changesets of many documents: prepared slice by slice, and written where they do not hold the event loop. Small ones are
// written at once, in the transaction of their group, which takes less time than handing them over.

import { bytesPerUnit, createWorkSlice, documentsPerSlice, unitsOf } from '../work-slice.ts'
import type { Write } from '../store.ts'
import { encode, encodeJson, type EncodedWrite, type JsonWrite, type Written } from './prepare-write.ts'

/** A changeset with more documents than this is large: as many as are handled between two turns of the event loop. */
export const maxSmallWrites = documentsPerSlice

/** The same for documents that are large themselves. */
const maxSmallBytes = documentsPerSlice * bytesPerUnit

export function isSmall(writes: readonly EncodedWrite[]): boolean {
  let bytes = 0
  for (const { encoded } of writes) bytes += encoded?.bytes ?? 0
  return bytes <= maxSmallBytes
}

/** A transaction outside of this thread. One at a time; the caller holds the lock of the engine. */
export interface LargeTransaction {
  /** Keeps writers of other processes out. False if one of them has written since the last transaction of the engine ended. */
  begin(): Promise<boolean>
  write(writes: readonly JsonWrite[]): Promise<readonly Written[]>
  /** Makes the writes durable and visible to all readers. */
  commit(documents: number): Promise<void>
  rollback(): Promise<void>
}

/** Undefined, and nothing is written, if another process has written what the plan of these writes may have read. */
export async function writeLargeChangeset(apart: LargeTransaction, writes: readonly Write[], maxBytes: number, isPlanned: boolean): Promise<Written[] | undefined> {
  try {
    const isUndisturbed = await apart.begin()
    if (isPlanned && !isUndisturbed) {
      await apart.rollback()
      return undefined
    }
    const written: Written[] = []
    for (let at = 0; at < writes.length;) {
      const part: JsonWrite[] = []
      for (let units = 0; at < writes.length && units < documentsPerSlice; at++) {
        const write = encodeJson(writes[at]!, maxBytes)
        units += unitsOf(write.json?.bytes ?? 0)
        part.push(write)
      }
      // Waiting for the thread lets the event loop run.
      for (const one of await apart.write(part)) written.push(one)
    }
    await apart.commit(written.length)
    return written
  } catch (error) {
    await apart.rollback()
    throw error
  }
}

/** The same writes for an engine that has them all in this thread. */
export async function encodeInSlices(writes: readonly Write[], maxBytes: number): Promise<EncodedWrite[]> {
  const slice = createWorkSlice()
  const encoded: EncodedWrite[] = []
  for (const write of writes) {
    const one = encode(write, maxBytes)
    encoded.push(one)
    const turn = slice.next(unitsOf(one.encoded?.bytes ?? 0))
    if (turn) await turn
  }
  return encoded
}
