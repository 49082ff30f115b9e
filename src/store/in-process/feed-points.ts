// What the change feeds of the stores in this process share: their parts, the points in them, and
// what an entry says. Where entries are kept is the engine's choice.

import { hash } from 'node:crypto'
import { partitionText, type Partition } from '../../model/keys/key.ts'
import type { Change, Changes } from '../store.ts'

export interface FeedEntry {
  /** Larger than that of every earlier change, in whichever part: the entry's place in the feed. */
  readonly sequence: number
  readonly change: Change
  readonly bytes: number
}

/** Followers remember a point for each part, so these stay what they are, and so does `partOf`. */
export const feedParts: readonly string[] = ['0', '1', '2', '3']

/** By partition, so that the documents of one keep their order among each other. */
export function partOf(partition: Partition): string {
  // As hex it is had in half the time of a buffer.
  const digest = hash('sha256', partitionText(partition), 'hex')
  return feedParts[Number.parseInt(digest.slice(0, 8), 16) % feedParts.length]!
}

export function checkPart(part: string): void {
  if (!feedParts.includes(part)) throw new Error(`The change feed has no part ${JSON.stringify(part)}; its parts are ${feedParts.join(', ')}.`)
}

/** A point is the sequence of the last entry that was seen; before the first one it is 0. */
export function sequenceAt(point: string | undefined): number {
  if (point === undefined) return 0
  if (!/^\d+$/.test(point)) throw new Error(`${JSON.stringify(point)} is no point in the change feed. Go on from one that the feed has answered.`)
  return Number(point)
}

export function changesOf(entries: readonly FeedEntry[], behind: string | undefined, limit: number): Changes {
  const last = entries.at(-1)
  return { changes: entries.map(({ change }) => change), point: last === undefined ? behind : String(last.sequence), end: entries.length < limit }
}
