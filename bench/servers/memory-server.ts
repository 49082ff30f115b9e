// A server whose requests can be paused and whose memory can be measured: Quire over a paused store, or node:http alone.
// suites/memory.ts starts it with --expose-gc.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readConfig } from '../../src/config/config.ts'
import { openStore } from '../../src/store/open-store.ts'
import { Pause, pausedStore } from '../stores/paused-store.ts'
import { openSampleGateway } from './sample-gateway.ts'

export type Order = { readonly kind: 'pause'; readonly container: string } | { readonly kind: 'release' | 'count' | 'measure' }

export interface MemoryUse {
  readonly heapBytes: number
  /** Everything that the system has given to the process. */
  readonly residentBytes: number
}

const pause = new Pause()
const bare = process.argv[2] === 'bare'
const server = bare ? bareServer() : await quireServer()
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))

process.on('message', (order: Order) => {
  if (order.kind === 'pause') pause.begin(order.container)
  if (order.kind === 'release') pause.release()
  process.send!(order.kind === 'measure' ? measure() : pause.waiting)
})
process.on('disconnect', () => process.exit())

function measure(): MemoryUse {
  // The second run collects what the finalizers of the first released.
  globalThis.gc!()
  globalThis.gc!()
  const { heapUsed, rss } = process.memoryUsage()
  return { heapBytes: heapUsed, residentBytes: rss }
}

/** Reads the request, and answers when it is released. */
function bareServer() {
  return createServer((request, response) => {
    request.on('data', () => {})
    request.on('end', () => void Promise.resolve(pause.pass('bare')).then(() => response.end('{"data":{}}')))
  })
}

async function quireServer() {
  const { store: setting } = readConfig(process.env)
  // The suite has up to this many requests waiting, for as long as measuring takes.
  const load = { operations: 10_000, deadlineMs: 3_600_000 }
  const gateway = await openSampleGateway({ load, store: async (layout) => pausedStore(await openStore(setting, layout), pause) })
  return createServer(gateway)
}
