// What reads know of the cache that they go through. sqlite-engine.ts makes one for each of its connections.

import type { SeenBefore } from '../../running/seen-before.ts'
import type { DocumentCache } from '../cache/document-cache.ts'
import type { Uncommitted } from '../write/uncommitted.ts'

export interface ReadCache {
  readonly documents: DocumentCache
  /** What was asked once: a result is kept from the second time on. */
  readonly asked: SeenBefore
  /** Drops what other connections have changed. Returns a number that changes each time they have. */
  readonly refresh: () => number
  /** The uncommitted documents of the same connection, where it writes. */
  readonly uncommitted: Uncommitted | undefined
}
