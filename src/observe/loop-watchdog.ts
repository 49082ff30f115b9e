// Reports every stretch in which the event loop was held: as a metric by the kind of task, and in development as a line of the
// log that names the operation. store/running/loop-watch.ts finds them.

import { eventLoop, unmarked, type LoopStretch } from '../store/running/loop-watch.ts'
import type { Log } from './log/log.ts'
import type { Metrics } from './metrics.ts'

/** Returns what ends it. */
export function startLoopWatchdog(metrics: Metrics | undefined, log: Log | undefined): () => void {
  if (!metrics && !log) return () => undefined
  return eventLoop.watch(({ ms, task }: LoopStretch) => {
    metrics?.families.loopHeld.with(task.kind).observe(ms / 1000)
    // Without a task it is a start or a reload, which may take long.
    if (task !== unmarked) log?.warn({ operation: task.kind, ...(task.name === undefined ? {} : { operationName: task.name }), durationMs: Math.round(ms) }, 'The event loop was held: no other request was served meanwhile. Move long work to another thread, or do it in steps.')
  })
}
