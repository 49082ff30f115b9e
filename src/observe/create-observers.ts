// The observers of a gateway: metrics if they are open, the log as far as its level goes, spans if an OpenTelemetry SDK is
// registered, and those that the program brings.

import type { Supports } from '../store/store.ts'
import { createFeedLog } from './log/feed-log.ts'
import { createLog, type Log } from './log/log.ts'
import type { GaugeSources } from './metric-families.ts'
import type { Metrics, MetricsOfAll } from './metrics.ts'
import { startLoopWatchdog } from './loop-watchdog.ts'
import { Observers, type Observer } from './observers.ts'
import { RequestLog } from './log/request-log.ts'
import { Spans } from './spans.ts'
import type { StoredState } from './stored-state.ts'
import type { Recorder } from './workload/recorder.ts'

/** The options of a gateway that concern what observes it. */
export interface ObserveOptions {
  readonly development?: boolean
  /** Where to log; default warnings and errors, to standard error. */
  readonly log?: Log
  /** Observers of your own, beside metrics, spans and the log. */
  readonly observers?: readonly Observer[]
  /** Whether everyone may read `/metrics`; default only in development. Closed metrics are not counted. */
  readonly openMetrics?: boolean | undefined
  /** The metrics of all processes behind the same address, which `/metrics` then shows together. @internal */
  readonly metricsOfAll?: MetricsOfAll | undefined
  /** Records the workload for `quire advise`: `await recordToFile('workload.json')`. */
  readonly record?: Recorder | undefined
  /** What metrics and pages tell about the stored documents. @internal */
  readonly storedState?: StoredState | undefined
}

/** What the other rooms contribute. */
export interface ObservedParts extends GaugeSources {
  readonly supports: Supports
}

export interface Observation {
  readonly log: Log
  readonly observers: Observers
  readonly metrics: Metrics | undefined
  readonly requestLog: RequestLog | undefined
  /** Ends what runs by itself. */
  readonly stop: () => void
}

export async function createObservers({ supports, ...gauges }: ObservedParts, { development = false, openMetrics = development, observers = [], ...options }: ObserveOptions): Promise<Observation> {
  const log = options.log ?? createLog({ level: 'warn', readable: development })
  // Loaded only if needed: prom-client takes longer to load than the rest of this room.
  const metrics = openMetrics ? new (await import('./metrics.ts')).Metrics(supports.charges, gauges, options.metricsOfAll) : undefined
  const requestLog = log.isLevelEnabled('warn') ? new RequestLog(log, supports.charges) : undefined
  const all = [new Spans(supports), createFeedLog(log), ...(metrics ? [metrics] : []), ...(requestLog ? [requestLog] : []), ...observers]
  return { log, metrics, requestLog, observers: new Observers(all), stop: startLoopWatchdog(metrics, development ? log : undefined) }
}
