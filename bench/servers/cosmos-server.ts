// The Cosmos DB protocol server of the tests in a process of its own, beside the load on core 1, so that a gateway's processor time is
// its own. It says how many requests it has answered, and for how many RU.

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { startCosmosEmulator, type LoggedRequest } from '../../src/emulator/cosmos-emulator.ts'
import { pinnedTo } from './start-server.ts'

/** What the server has answered since it was last asked. */
export interface Traffic {
  /** To read documents for operations. */
  readonly reads: Totals
  /** Everything, including what a gateway does by itself, such as following the change feed. */
  readonly all: Totals
}

export interface Totals {
  readonly requests: number
  readonly requestCharge: number
}

export class CosmosProcess {
  readonly endpoint: string
  readonly key: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, { endpoint, key }: Ready) {
    this.#child = child
    this.endpoint = endpoint
    this.key = key
  }

  static async start(): Promise<CosmosProcess> {
    const [execPath, ...execArgv] = pinnedTo(1, ['--disable-warning=ExperimentalWarning'])
    const child = fork(import.meta.filename, { execPath, execArgv })
    const [ready] = (await once(child, 'message')) as [Ready]
    return new CosmosProcess(child, ready)
  }

  /** From now on every request for documents takes at least so long. */
  async setLatency(latencyMs: number): Promise<void> {
    await this.#order({ latencyMs })
  }

  async takeTraffic(): Promise<Traffic> {
    return (await this.#order({})) as Traffic
  }

  stop(): void {
    this.#child.disconnect()
  }

  async #order(order: Order): Promise<unknown> {
    this.#child.send(order)
    const [answer] = (await once(this.#child, 'message')) as [unknown]
    return answer
  }
}

const reading = new Set<LoggedRequest['operation']>(['read', 'query', 'plan'])

/** The container `quire` has leases and signals, which are read whether or not anyone asks. */
export function trafficOf(log: readonly LoggedRequest[]): Traffic {
  return { reads: totalsOf(log.filter(({ operation, container }) => reading.has(operation) && container !== 'quire')), all: totalsOf(log) }
}

function totalsOf(log: readonly LoggedRequest[]): Totals {
  return { requests: log.length, requestCharge: log.reduce((sum, { charge }) => sum + charge, 0) }
}

interface Ready {
  readonly endpoint: string
  readonly key: string
}

interface Order {
  readonly latencyMs?: number
}

if (process.argv[1] === import.meta.filename) {
  const server = await startCosmosEmulator()
  process.on('message', ({ latencyMs }: Order) => {
    server.faults.latencyMs = latencyMs ?? server.faults.latencyMs
    process.send!(trafficOf(server.log))
    server.clearLog()
  })
  process.once('disconnect', () => process.exit())
  process.send!({ endpoint: server.endpoint, key: server.key } satisfies Ready)
}
