// Two gateways in one process, one as it is and one from which the account was taken out, over stores of their own
// with the same documents. They take requests in turn, one by one, so that whatever the machine does meets both, and it is
// noted how long each took over its own; the header `bench-gateway` says which one is asked where only one is to be.
// Whoever started it may ask for these times, and for the processor time of the process so far. The first argument says
// which of the two is made first: what is compiled first may be compiled differently.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Gateway } from '../../src/gateway.ts'
import type * as Memory from '../../src/store/memory/memory-store.ts'
import { trimmedMean } from '../statistics.ts'
import type * as SampleGateway from './sample-gateway.ts'
import { withoutTracing } from './without-tracing.ts'

export type Side = 'with' | 'without'
export type Question = 'processor time' | 'handling times'
/** In microseconds, of one request. */
export type HandlingTimes = Record<Side, number>

const sides: readonly Side[] = process.argv[2] === 'without' ? ['without', 'with'] : ['with', 'without']
const gateways = new Map<Side, Gateway>()
for (const side of sides) gateways.set(side, await open(side))
const tookMs: Record<Side, number[]> = { with: [], without: [] }
let requests = 0

const server = createServer((request, response) => handle(request, response, (request.headers['bench-gateway'] as Side | undefined) ?? sides[requests++ % 2]!))
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))

process.on('message', (question: Question) => {
  const { user, system } = process.cpuUsage()
  process.send!(question === 'processor time' ? user + system : handlingTimes())
})
process.on('disconnect', () => process.exit())

/** What a gateway does with a request, it does when the request comes and when all of it is there, and then it has answered. */
function handle(request: IncomingMessage, response: ServerResponse, side: Side): void {
  let thereMs = 0
  const cameMs = performance.now()
  request.once('end', () => (thereMs = performance.now()))
  void gateways.get(side)!(request, response)
  const takenMs = performance.now() - cameMs
  request.once('end', () => {
    if (response.writableEnded) tookMs[side].push(takenMs + performance.now() - thereMs)
  })
}

/** Since this was asked the last time. Collections of garbage fall to whoever happens to be at work, and are left out with other rarities. */
function handlingTimes(): HandlingTimes {
  const times = { with: trimmedMean(tookMs.with) * 1000, without: trimmedMean(tookMs.without) * 1000 }
  tookMs.with = []
  tookMs.without = []
  return times
}

async function open(side: Side): Promise<Gateway> {
  const named = (file: string): string => (side === 'with' ? file : withoutTracing(file))
  const { openSampleGateway } = (await import(named('./sample-gateway.ts'))) as typeof SampleGateway
  // The store of the same kind: a gateway and its store know each other by their modules.
  const { openMemoryStore } = (await import(named('../../src/store/memory/memory-store.ts'))) as typeof Memory
  return openSampleGateway({ store: openMemoryStore })
}
