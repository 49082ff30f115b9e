// The shipped library behind a real HTTP server, which can be cut off and come back.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readConfig } from '../../src/config/config.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'

export interface Served {
  readonly url: string
  /** Asks the gateway itself, whether or not it can be reached. */
  ask(query: string, variables?: object): Promise<Record<string, unknown>>
  /** Breaks every connection, and each that is tried until it is mended. */
  cutOff(): void
  mend(): void
  close(): Promise<void>
}

export async function serveLibrary(options: Partial<GatewayOptions> = {}): Promise<Served> {
  const domain = await readSchemaFolder(readConfig({}).schemaFolder)
  const gateway = await createGateway({ ...domain, store: openMemoryStore, development: true, followEveryMs: 1, cursorSecret: 'tests', ...options })
  let reachable = true
  const server = createServer((request, response) => {
    if (reachable) void gateway(request, response)
    else request.socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    async ask(query, variables) {
      const response = await gateway.fetch('http://quire/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query, variables }) })
      const { data, errors } = (await response.json()) as { data?: Record<string, unknown>; errors?: readonly { message: string }[] }
      if (!data || errors) throw new Error(errors?.[0]?.message)
      return data
    },
    cutOff() {
      reachable = false
      server.closeAllConnections()
    },
    mend() {
      reachable = true
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
      await gateway.dispose()
    },
  }
}
