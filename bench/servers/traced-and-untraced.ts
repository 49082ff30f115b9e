// Two gateways in one process, with and without the tracing code, over equal stores. Requests alternate between them, so that
// the machine's state affects both alike; the header `bench-gateway` chooses one. The parent process asks for the time that
// each spent per request, and for the CPU time of the process. The first argument says which gateway is created first, since
// V8 may compile the first one differently.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Gateway } from '../../src/http/gateway-server.ts'
import type * as Memory from '../../src/store/memory/memory-store.ts'
import { trimmedMean } from '../statistics.ts'
import type * as SampleGateway from './sample-gateway.ts'
import { withoutTracing } from './without-tracing.ts'

export type Side = 'with' | 'without'
export type Question = 'CPU time' | 'handling times'
/** Microseconds per request. */
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
  process.send!(question === 'CPU time' ? user + system : handlingTimes())
})
process.on('disconnect', () => process.exit())

/** A gateway works on a request when it arrives and when its body is complete; by then it has answered. */
function handle(request: IncomingMessage, response: ServerResponse, side: Side): void {
  let thereMs = 0
  const cameMs = performance.now()
  request.once('end', () => (thereMs = performance.now()))
  gateways.get(side)!(request, response)
  const takenMs = performance.now() - cameMs
  request.once('end', () => {
    if (response.writableEnded) tookMs[side].push(takenMs + performance.now() - thereMs)
  })
}

/** Since the last question. The trimmed mean leaves out garbage collections, which hit either gateway by chance. */
function handlingTimes(): HandlingTimes {
  const times = { with: trimmedMean(tookMs.with) * 1000, without: trimmedMean(tookMs.without) * 1000 }
  tookMs.with = []
  tookMs.without = []
  return times
}

async function open(side: Side): Promise<Gateway> {
  const named = (file: string): string => (side === 'with' ? file : withoutTracing(file))
  const { openSampleGateway } = (await import(named('./sample-gateway.ts'))) as typeof SampleGateway
  // From the same copy of the modules: a gateway recognises its store by them.
  const { openMemoryStore } = (await import(named('../../src/store/memory/memory-store.ts'))) as typeof Memory
  return openSampleGateway({ store: openMemoryStore })
}
