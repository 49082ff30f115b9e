// Every peer listens on a free port and prints its address, which servers/start-server.ts waits for.

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => printReady((server.address() as AddressInfo).port))
}

export function printReady(port: number): void {
  console.log(`ready at http://127.0.0.1:${port}/graphql`)
}
