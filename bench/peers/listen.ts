// How every peer begins: it listens on a port of its own choosing and says which, in one line.

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => say((server.address() as AddressInfo).port))
}

export function say(port: number): void {
  console.log(`ready at http://127.0.0.1:${port}/graphql`)
}
