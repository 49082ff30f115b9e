// The memory that a cached document takes.

import type { StoredDocument } from '../../store.ts'

/** Measured: documents of a few hundred bytes take a little more than twice their JSON on the heap; the rest is for the maps around them. */
export function heapBytes({ bytes }: StoredDocument): number {
  return 400 + 3 * bytes
}
