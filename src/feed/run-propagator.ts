// Runs the propagator for as long as its gateway runs, and keeps the gateway's watermark up to date. An error ends
// nothing: it is reported, and the next round tries again.

import { setTimeout as pause } from 'node:timers/promises'
import { OperationContext } from '../store/operation-context.ts'
import type { Propagator } from './propagator.ts'
import type { Watermark } from './watermark.ts'

export interface Following {
  /** Resolves when the round under way has ended and the leases are released. */
  stop(): Promise<void>
}

export interface FollowWatch {
  /** A round failed, so many times in a row. */
  feedFailed(error: unknown, times: number): void
  /** The first round that works again. */
  feedRecovered(): void
}

/** Without a propagator it only reads the watermark that others move. */
export function follow(propagator: Propagator | undefined, watermark: Watermark, everyMs: number, watch: FollowWatch): Following {
  const stopping = new AbortController()
  const { signal } = stopping
  // In a context of its own, an error that a `derive` function throws in a timer is attributed to the feed and ends nothing.
  const running = new OperationContext({ id: 'change feed' }).enter(async () => {
    let failures = 0
    while (!signal.aborted) {
      try {
        await propagator?.round()
        await watermark.refresh()
        if (failures > 0) watch.feedRecovered()
        failures = 0
      } catch (error) {
        watch.feedFailed(error, ++failures)
      }
      // The pause keeps no process alive, and ends at once on stop.
      await pause(everyMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
    await propagator?.stop()
  })
  return {
    stop() {
      stopping.abort()
      return running
    },
  }
}
