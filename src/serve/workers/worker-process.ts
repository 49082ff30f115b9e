// This process as one of several workers that a primary has started (run-primary.ts is the other side).

import cluster from 'node:cluster'
import type { LoadLimits } from '../../http/limits/load-limits.ts'
import type { ToWorker } from './messages.ts'
import { WorkerLink } from './worker-link.ts'

/** Set by the primary: how many workers there are. A process in the cluster of another program does not have it. */
export const workersVariable = 'QUIRE_WORKER_OF'

export interface WorkerProcess {
  readonly id: number
  readonly link: WorkerLink
  /** This worker's share of the load that all may take. */
  shareOf(load: LoadLimits): LoadLimits
}

/** Undefined for a process that is alone, or the primary. */
export function joinWorkers(): WorkerProcess | undefined {
  const workers = Number(process.env[workersVariable])
  if (!cluster.isWorker || !(workers > 0)) return undefined
  delete process.env[workersVariable]
  // Terminals and supervisors may send a signal to every process of a group. The primary receives it, too, and says what to do.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  const link = new WorkerLink({
    send: (message, sent) => void process.send!(message, undefined, undefined, () => sent?.()),
    onMessage: (receive) => process.on('message', (message) => receive(message as ToWorker)),
  })
  return { id: cluster.worker!.id, link, shareOf: (load) => ({ ...load, operations: Math.floor(load.operations / workers) }) }
}
