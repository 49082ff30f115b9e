// Who observes a gateway: metrics where they are open, the log as far as its level goes, and spans for
// whoever has brought an SDK.

import type { Supports } from '../store/store.ts'
import { createFeedLog } from './log/feed-log.ts'
import type { Log } from './log/log.ts'
import type { Now } from './metric-families.ts'
import type { Metrics } from './metrics.ts'
import { Observers, type Observer } from './observers.ts'
import { RequestLog } from './log/request-log.ts'
import { Spans } from './spans.ts'

export interface ObserversOptions extends Now {
  readonly log: Log
  readonly metrics: boolean
  readonly supports: Supports
  readonly others?: readonly Observer[] | undefined
}

export interface Observation {
  readonly observers: Observers
  readonly metrics: Metrics | undefined
  readonly requestLog: RequestLog | undefined
}

export async function createObservers({ log, supports, others = [], ...options }: ObserversOptions): Promise<Observation> {
  // Loaded only where it is wanted: it takes longer than the rest of this folder.
  const metrics = options.metrics ? new (await import('./metrics.ts')).Metrics(supports.charges, options) : undefined
  const requestLog = log.isLevelEnabled('warn') ? new RequestLog(log, supports.charges) : undefined
  return { metrics, requestLog, observers: new Observers([new Spans(supports), createFeedLog(log), ...(metrics ? [metrics] : []), ...(requestLog ? [requestLog] : []), ...others]) }
}
