// Runs the propagator for as long as its gateway runs, and keeps the gateway's watermark up to date. An error ends
// nothing: it is reported, and the next look tries again.

import { OperationContext } from '../store/operation-context.ts'
import { PollingLoop, type PollingWork, type PollingOptions } from './polling/polling-loop.ts'
import type { LookedAtPropagator } from './siblings/appointed-propagator.ts'
import type { Watermark } from './watermark.ts'

export interface Following {
  /** The next look comes after the shortest interval. */
  wake(): void
  /** Resolves when the look under way has ended and the leases are released. */
  stop(): Promise<void>
}

export interface FollowWatch {
  /** A look failed, so many times in a row. */
  feedFailed(error: unknown, times: number): void
  /** The first look that works again. */
  feedRecovered(): void
}

export function follow(work: PollingWork, pace: PollingOptions, watch: FollowWatch, release: () => Promise<void>): Following {
  const stopping = new AbortController()
  const { signal } = stopping
  const loop = new PollingLoop(work, pace)
  // In a context of its own, an error that a `derive` function throws in a timer is attributed to the feed and ends nothing.
  const running = new OperationContext({ id: 'change feed', task: { kind: 'feed' } }).enter(async () => {
    let failures = 0
    while (!signal.aborted) {
      let pauseMs = pace.shortestMs
      try {
        const step = await loop.step()
        pauseMs = step.pauseMs
        // A rest says nothing about the feed.
        if (step.looked && failures > 0) watch.feedRecovered()
        if (step.looked) failures = 0
      } catch (error) {
        watch.feedFailed(error, ++failures)
      }
      await loop.pause(pauseMs, signal)
    }
    await release()
  })
  return {
    wake: () => loop.wake(),
    stop() {
      stopping.abort()
      return running
    },
  }
}

/** What a gateway does at each look. Without a propagator it only reads the watermark that others move. */
export function createLook(propagator: LookedAtPropagator | undefined, watermark: Watermark): PollingWork {
  /** What the watermark was read after; undefined when it has to be read again. */
  let timesLeasesRead: number | undefined
  return {
    async look() {
      await watermark.mark()
      const propagated = (await propagator?.round()) ?? 0
      // A change may have been set aside, by this gateway or by the one that had the part before it. Until it is known which,
      // the watermark must not move.
      if (propagated > 0) timesLeasesRead = undefined
      if (propagator && timesLeasesRead === propagator.timesLeasesRead) {
        watermark.advance(propagator.progress)
      } else {
        await watermark.refresh(propagator?.progress)
        timesLeasesRead = propagator?.timesLeasesRead
      }
      return propagated > 0
    },
    async rest() {
      await propagator?.rest()
    },
  }
}
