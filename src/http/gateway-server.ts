// The server that a gateway is: a Yoga server, in types of our own.

import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * A Yoga server: a listener for `node:http` and frameworks on top of it, and `fetch` for everything else. Written out here,
 * so that the types of the package do not depend on Yoga's.
 *
 * @example
 * ```ts
 * createServer(gateway).listen(4000)                       // node:http
 * app.use(gateway.graphqlEndpoint, gateway)                // Express
 * const response = await gateway.fetch('http://localhost/graphql?query={__typename}')
 * await gateway.dispose()                                  // closes the store
 * ```
 */
export interface Gateway {
  (request: IncomingMessage, response: ServerResponse): unknown
  /** For frameworks that wrap what node:http gives them, such as Fastify. */
  handleNodeRequestAndResponse(request: IncomingMessage | Wrapped<IncomingMessage>, response: ServerResponse | Wrapped<ServerResponse>): Response | Promise<Response>
  fetch(request: Request | URL | string, init?: RequestInit): Response | Promise<Response>
  /** Ends subscriptions, stops following the change feed and closes the store. */
  dispose(): Promise<void> | void
  /** `/graphql`. */
  readonly graphqlEndpoint: string
}

interface Wrapped<T> {
  readonly raw: T
}
