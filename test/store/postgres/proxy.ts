// A proxy in front of a PostgreSQL server that loses what a test wants lost.

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Proxy {
  readonly port: number
  /** Ends the connection of the next commit: before the server gets it, or after it has been carried out and before the answer arrives. */
  loseCommit(when: 'before' | 'after'): void
  /** Ends that many new connections, each when the client sends for the nth time: first come its name and database, then what it asks. */
  cutEarly(connections: number, nth: number): void
  /** Lets new connections wait, until the returned function is called. */
  hold(): () => void
  /** Refuses new connections and keeps those that are open. */
  refuse(): void
  /** Ends all connections. */
  cut(): void
  close(): Promise<void>
}

export async function startProxy(to: { readonly host: string; readonly port: number }): Promise<Proxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let losing: 'before' | 'after' | undefined
  let early = { connections: 0, nth: 0 }
  let held: Promise<void> | undefined
  const accept = (client: Socket): void => {
    const upstream = connect(to)
    const pair = [client, upstream] as const
    pairs.add(pair)
    const end = (): void => {
      pairs.delete(pair)
      for (const socket of pair) socket.destroy()
    }
    let isLost = false
    let sent = 0
    const endsAt = early.connections-- > 0 ? early.nth : Infinity
    client.on('data', (bytes) => {
      if (++sent === endsAt) return end()
      if (losing && bytes.includes('COMMIT')) {
        isLost = true
        if (losing === 'before') {
          losing = undefined
          return end()
        }
        losing = undefined
      }
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      // The answer to a commit names it.
      if (isLost && bytes.includes('COMMIT')) end()
      else if (!isLost) client.write(bytes)
    })
    for (const socket of pair) socket.on('error', end).on('close', end)
  }
  const server = createServer((client) => {
    if (held) void held.then(() => accept(client))
    else accept(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const closed = once(server, 'close')
  const cut = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  return {
    cut,
    port: (server.address() as AddressInfo).port,
    loseCommit: (when) => void (losing = when),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    refuse: () => void server.close(),
    cutEarly: (connections, nth) => void (early = { connections, nth }),
    async close() {
      if (server.listening) server.close()
      cut()
      await closed
    },
  }
}
