// Gateways in this process that share what workers share, with an exchange as their primary has it and no process in between.

import { onTestFinished } from 'vitest'
import type { GatewayOptions } from '../../../src/gateway.ts'
import type { WorkerHub, HubWorker } from '../../../src/serve/workers/worker-hub.ts'
import type { SharedMessage, ToWorker } from '../../../src/serve/workers/messages.ts'
import { WorkerLink } from '../../../src/serve/workers/worker-link.ts'
import { openZoo, type Zoo } from '../../observe/zoo.ts'

export interface Linked extends Zoo {
  readonly member: HubWorker
  /** What the primary has told it. */
  readonly told: ToWorker[]
}

/** Messages arrive later, as those of processes do. */
export async function openLinked(exchange: WorkerHub, options: Partial<GatewayOptions> = {}): Promise<Linked> {
  const told: ToWorker[] = []
  const receivers: ((message: ToWorker) => void)[] = []
  const member: HubWorker = {
    send: (message) => {
      told.push(message)
      setImmediate(() => receivers.forEach((receive) => receive(structuredClone(message))))
    },
  }
  const link = new WorkerLink({
    send: (message) => void setImmediate(() => exchange.receive(member, structuredClone(message) as SharedMessage)),
    onMessage: (receive) => receivers.push(receive),
  })
  const zoo = await openZoo({ openMetrics: true, siblings: link.feed, metricsOfAll: link.metrics, sharedLimits: link.limits, ...options })
  exchange.join(member)
  onTestFinished(() => zoo.gateway.dispose())
  return { ...zoo, member, told }
}
