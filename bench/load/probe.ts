// Sends a request again and again, with a short pause after each answer: how somebody else feels what a gateway does meanwhile.

import { setTimeout as pause } from 'node:timers/promises'
import { quantile } from '../statistics.ts'

/** Every probe sends the next request so long after the last answer. */
export const probePauseMs = 2

export interface Tail {
  readonly p99Ms: number
  readonly maxMs: number
}

/** Begins at once; `stop` returns the latencies. */
export function probe(send: () => Promise<unknown>): { readonly stop: () => Promise<Tail> } {
  const latencies: number[] = []
  const stopping = new AbortController()
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const startMs = performance.now()
      const answer = await send()
      if (answer instanceof Response) await answer.text()
      latencies.push(performance.now() - startMs)
      await pause(probePauseMs)
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await running
      return { p99Ms: quantile(latencies, 0.99), maxMs: Math.max(...latencies) }
    },
  }
}
