// Propagates everything that is in the change feed, before a gateway that keeps snapshots without the feed begins to serve.

import { randomUUID } from 'node:crypto'
import type { Declaration } from '../../relations/declaration.ts'
import { SetupError } from '../../store/store-errors.ts'
import type { Store } from '../../store/store.ts'
import type { Clock } from '../clock.ts'
import { releaseLeases } from '../leases.ts'
import { Propagator } from '../propagator.ts'
import { readProgress } from '../watermark.ts'

/** How long to wait while another gateway, which drains the same feed, holds a part of it. */
const waitMs = 100

/** To be called when no gateway that propagates runs any more. `onProgress` is told how many changes there were so far. */
export async function drainFeed(declaration: Declaration, store: Store, clock: Clock, onProgress: (changes: number) => void): Promise<void> {
  const { latest } = await store.position()
  await releaseLeases(store)
  let changes = 0
  const onBatch = (batch: { readonly changes: number }): void => onProgress((changes += batch.changes))
  const propagator = new Propagator(declaration, store, { owner: randomUUID(), clock, transitively: true, onBatch })
  try {
    for (;;) {
      await propagator.round()
      const { watermark, deadLetters } = await readProgress(store, propagator.progress)
      if (deadLetters > 0) throw new SetupError(`Cannot keep snapshots together with their sources: ${deadLetters === 1 ? 'a change' : `${deadLetters} changes`} in the change feed could not be propagated, so snapshots would stay wrong. Run "quire dead-letters --retry", or start with QUIRE_EFFECTS=feed.`)
      if (watermark >= latest) return
      await clock.pause(waitMs)
    }
  } finally {
    await propagator.stop()
  }
}
