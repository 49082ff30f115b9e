// Keeps a propagator going for as long as its gateway runs, and the gateway's idea of the watermark up
// to date. Nothing that fails here ends anything: it is told, and tried again.

import { setTimeout as pause } from 'node:timers/promises'
import type { Propagator } from './propagator.ts'
import type { Watermark } from './watermark.ts'

export interface Following {
  /** Ends when what is under way is done and the parts are given back. */
  stop(): Promise<void>
}

/** Without a propagator it only watches what others do. */
export function follow(propagator: Propagator | undefined, watermark: Watermark, everyMs: number, onError: (error: unknown) => void): Following {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = (async () => {
    while (!signal.aborted) {
      try {
        await propagator?.round()
        await watermark.refresh()
      } catch (error) {
        onError(error)
      }
      // Waiting keeps no process alive, and ends at once when it is told to stop.
      await pause(everyMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
    await propagator?.stop()
  })()
  return {
    stop() {
      stopping.abort()
      return running
    },
  }
}
