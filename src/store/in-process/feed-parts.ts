// The change feed of stores in this process: its parts, the points in them, and what an entry holds. Where entries are
// kept is the engine's choice.

import { hash } from 'node:crypto'
import { partitionText, type Partition } from '../../model/keys/key.ts'
import { invalidFeedPoint } from '../write-condition.ts'
import type { Change, Changes } from '../store.ts'

export interface FeedEntry {
  /** The entry's position in the feed: larger than that of every earlier change, in any part. */
  readonly sequence: number
  readonly change: Change
  readonly bytes: number
}

/** Followers store a point for each part, so neither the parts nor `partOf` may ever change. */
export const feedParts: readonly string[] = ['0', '1', '2', '3']

/** All documents of a partition are in one part, so that their changes keep their order. */
export function partOf(partition: Partition): string {
  // Hashing to hex takes half the time of hashing to a buffer.
  const digest = hash('sha256', partitionText(partition), 'hex')
  return feedParts[Number.parseInt(digest.slice(0, 8), 16) % feedParts.length]!
}

/** A point is the sequence of the last entry that was read; 0 before the first one. */
export function sequenceAt(point: string | undefined): number {
  if (point === undefined) return 0
  if (!/^\d+$/.test(point)) throw invalidFeedPoint(point)
  return Number(point)
}

export function changesOf(entries: readonly FeedEntry[], behind: string | undefined, limit: number): Changes {
  const last = entries.at(-1)
  return { changes: entries.map(({ change }) => change), point: last === undefined ? behind : String(last.sequence), end: entries.length < limit }
}
