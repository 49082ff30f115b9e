// Changes that could not be propagated. They are set aside so that the feed continues behind them, and kept until
// `quire dead-letters --retry`. What they affect stays stale that long, and the watermark stays before the oldest of them.

import { randomUUID } from 'node:crypto'
import { feedKey, feedPartition, ownContainer, ownPut } from '../store/own-container.ts'
import type { Change, Store, StoredDocument, Write } from '../store/store.ts'

export function deadLetter(change: Change, error: unknown): Write {
  const id = `dead-letter-${randomUUID()}`
  const reason = error instanceof Error ? error.message : String(error)
  const body = { type: 'dead-letter', container: change.container, key: { partition: [...change.key.partition], id: change.key.id }, deleted: change.deleted, body: change.body, at: change.at, position: change.position, reason }
  return ownPut(feedKey(id), body)
}

export async function listDeadLetters(store: Store, limit = 1000): Promise<StoredDocument[]> {
  return store.query({ container: ownContainer, partition: feedPartition, type: 'dead-letter', orderBy: { path: ['id'], descending: false }, limit })
}

/** The change in a dead letter. */
export function changeOf({ body }: StoredDocument): Change {
  // A letter of an earlier version has no position, so it may be before everything.
  const { container, key, deleted, at, position = -Infinity, body: last } = body as unknown as Omit<Change, 'position'> & Partial<Change>
  return { container, key, deleted, at, position, body: last }
}
