// Keeps a propagator going for as long as its gateway runs, and the gateway's idea of the watermark up
// to date. Nothing that fails here ends anything: it is told, and tried again.

import { setTimeout as pause } from 'node:timers/promises'
import { OperationContext } from '../store/operation-context.ts'
import type { Propagator } from './propagator.ts'
import type { Watermark } from './watermark.ts'

export interface Following {
  /** Ends when what is under way is done and the parts are given back. */
  stop(): Promise<void>
}

/** Told when following does not work, how many times in a row, and when it works again. */
export interface FollowWatch {
  stumble(error: unknown, times: number): void
  recover(): void
}

/** Without a propagator it only watches what others do. */
export function follow(propagator: Propagator | undefined, watermark: Watermark, everyMs: number, watch: FollowWatch): Following {
  const stopping = new AbortController()
  const { signal } = stopping
  // An error in a timer of a function that derives a field is known by where it comes from, and ends nothing either.
  const running = new OperationContext({ id: 'change feed' }).enter(async () => {
    let failures = 0
    while (!signal.aborted) {
      try {
        await propagator?.round()
        await watermark.refresh()
        if (failures > 0) watch.recover()
        failures = 0
      } catch (error) {
        watch.stumble(error, ++failures)
      }
      // Waiting keeps no process alive, and ends at once when it is told to stop.
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
