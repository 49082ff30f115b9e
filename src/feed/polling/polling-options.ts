// How often a gateway polls the change feed of its store. The shortest interval is a setting; the others are multiples of it.

import type { ContainerLayout, Store } from '../../store/store.ts'
import { ChangeSignal } from './change-signal.ts'
import type { Clock } from '../clock.ts'
import type { PollingOptions } from './polling-loop.ts'

export interface FeedPolling {
  /** Undefined where looks are cheap enough to do without. */
  readonly signal: ChangeSignal | undefined
  readonly propagator: PollingOptions
  readonly stream: PollingOptions
}

/** Leases are renewed when half of their 30 seconds has passed, so a gateway may not rest for much longer than this. */
const maxRestMs = 5000

/** How many requests a second a gateway at rest may spend on looks, where the shortest interval is a second. */
const requestsAtRest = 0.7

/**
 * Where reading is charged, a look at the feed costs a request for each physical partition of each followed container. At rest,
 * looks are at least 40 times as far apart, and further where there are more partitions; a signal of one document says when to
 * come back. Elsewhere a look costs next to nothing.
 */
export function pollingOptionsFor(store: Store, layout: readonly ContainerLayout[], shortestMs: number, clock: Clock): FeedPolling {
  if (store.supports.charges !== 'measured') {
    const pace = { shortestMs, longestMs: 5 * shortestMs, restMs: maxRestMs, clock }
    return { signal: undefined, propagator: pace, stream: pace }
  }
  const restMs = Math.min(2 * shortestMs, maxRestMs)
  // Every follower that a signal has woken looks at the shortest interval for as long as none is sent again.
  const signal = new ChangeSignal(store, { sendEveryMs: 5 * shortestMs, readEveryMs: restMs, clock })
  const followed = layout.filter((container) => container.followed)
  const longestMs = (): number => shortestMs * Math.max(40, followed.reduce((sum, { name }) => sum + store.reach({ container: name }), 0) / requestsAtRest)
  const pace = { shortestMs, restMs, signal, clock }
  // Partitions become more while the gateway runs. The propagator signals all changes that it finds, so what a subscription finds by itself is
  // the last resort.
  return {
    signal,
    propagator: { ...pace, get longestMs() { return longestMs() } },
    stream: { ...pace, get longestMs() { return 2 * longestMs() } },
  }
}
