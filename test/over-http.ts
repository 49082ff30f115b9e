// Ways to reach a gateway in a test: a request without a socket, a real server on a free port, and the events of a
// subscription. harness.ts opens gateways.

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Gateway } from '../src/http/gateway-server.ts'

export interface Operation {
  readonly query: string
  readonly variables?: object | undefined
  readonly operationName?: string | undefined
}

/** A POST to /graphql without a socket. */
export async function post(gateway: Pick<Gateway, 'fetch'>, operation: Operation, headers: Record<string, string> = {}): Promise<Response> {
  return gateway.fetch('http://quire/graphql', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(operation) })
}

/** Serves a gateway on a free port; `closeServer` breaks its connections and leaves the gateway open. */
export async function listenOn(gateway: Gateway): Promise<{ readonly server: Server; readonly port: number; readonly closeServer: () => void }> {
  const server = createServer(gateway).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    server,
    port: (server.address() as AddressInfo).port,
    closeServer: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export interface Events<Event> {
  /** The data of the next server-sent event; undefined at the end. */
  readonly next: () => Promise<Event | undefined>
  readonly end: () => Promise<void>
}

export async function subscribe<Event>(gateway: Pick<Gateway, 'fetch'>, operation: Operation, headers: Record<string, string> = {}): Promise<Events<Event>> {
  const response = await post(gateway, operation, { accept: 'text/event-stream', ...headers })
  const reader = response.body!.getReader()
  const events = dataOf(reader)
  return { next: async () => (await events.next()).value as Event | undefined, end: () => reader.cancel() }
}

async function* dataOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<unknown, undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return undefined
    text += decoder.decode(value, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
      text = text.slice(end + 2)
      if (data) yield JSON.parse(data) as unknown
    }
  }
}
