// A server that can be told to hold its requests and to say what it weighs: Quire over a store that
// does not answer, or node:http alone. It is started by suites/memory.ts with --expose-gc.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readConfig } from '../../src/config.ts'
import { openStore } from '../../src/store/open-store.ts'
import { Hold, heldStore } from '../stores/held-store.ts'
import { openSampleGateway } from './sample-gateway.ts'

export type Order = { readonly kind: 'hold'; readonly container: string } | { readonly kind: 'let go' | 'count' | 'weigh' }

export interface Weight {
  readonly heapBytes: number
  /** Everything the process has, in whatever memory. */
  readonly residentBytes: number
}

const hold = new Hold()
const bare = process.argv[2] === 'bare'
const server = bare ? bareServer() : await quireServer()
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))

process.on('message', (order: Order) => {
  if (order.kind === 'hold') hold.take(order.container)
  if (order.kind === 'let go') hold.letGo()
  process.send!(order.kind === 'weigh' ? weigh() : hold.held)
})
process.on('disconnect', () => process.exit())

function weigh(): Weight {
  // The second time takes what the first one's finalizers let go.
  globalThis.gc!()
  globalThis.gc!()
  const { heapUsed, rss } = process.memoryUsage()
  return { heapBytes: heapUsed, residentBytes: rss }
}

/** Reads the request, and answers when it may. */
function bareServer() {
  return createServer((request, response) => {
    request.on('data', () => {})
    request.on('end', () => void Promise.resolve(hold.pass('bare')).then(() => response.end('{"data":{}}')))
  })
}

async function quireServer() {
  const { store: setting } = readConfig(process.env)
  // As many as are to be weighed at once, and for as long as that takes.
  const load = { operations: 10_000, deadlineMs: 3_600_000 }
  const gateway = await openSampleGateway({ load, store: async (layout) => heldStore(await openStore(setting, layout), hold) })
  return createServer((request, response) => void gateway(request, response))
}
