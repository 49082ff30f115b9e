// The sample library behind a real HTTP server that can be disconnected and reconnected.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readConfig } from '../../src/config/config.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { post } from '../over-http.ts'

export interface Served {
  readonly url: string
  /** Sends an operation to the gateway directly, also while it is disconnected. */
  ask(query: string, variables?: object): Promise<Record<string, unknown>>
  /** Breaks every connection, and each new one until `reconnect`. */
  disconnect(): void
  reconnect(): void
  close(): Promise<void>
}

export async function serveLibrary(options: Partial<GatewayOptions> = {}): Promise<Served> {
  const schema = await readSchemaFolder(readConfig({}).schemaFolder)
  const gateway = await createGateway({ ...schema, store: openMemoryStore, development: true, followEveryMs: 1, cursorSecret: 'tests', ...options })
  let reachable = true
  const server = createServer((request, response) => {
    if (reachable) gateway(request, response)
    else request.socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    async ask(query, variables) {
      const response = await post(gateway, { query, variables })
      const { data, errors } = (await response.json()) as { data?: Record<string, unknown>; errors?: readonly { message: string }[] }
      if (!data || errors) throw new Error(errors?.[0]?.message)
      return data
    },
    disconnect() {
      reachable = false
      server.closeAllConnections()
    },
    reconnect() {
      reachable = true
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
      await gateway.dispose()
    },
  }
}
