// The server that a gateway is, in types of our own: the types of the package do not depend on Yoga or on a framework.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GivenViewer } from '../auth/server-identity.ts'

/**
 * A handler for `node:http`, Express and Fastify, and `fetch` for everything that has `Request` and `Response`. It looks at the
 * end of the path, so it serves `/graphql` at the root as well as `/api/graphql`.
 *
 * @example
 * ```ts
 * createServer(gateway).listen(4000)                                          // node:http
 * app.use('/api', gateway)                                                    // Express
 * app.all('/api/*', (request, reply) => gateway(request, reply))              // Fastify
 * export const POST = (request: Request) => gateway.fetch(request)            // Next
 * await gateway.dispose()                                                     // answers what runs, and closes the store
 * ```
 */
export interface Gateway {
  (request: IncomingMessage | FastifyRequest, response: ServerResponse | FastifyReply, given?: Given | Next): void
  fetch(request: FetchRequest, given?: Given): Promise<Response>
  fetch(url: URL | string, init?: RequestInit): Promise<Response>
  /** Answers the operations that run, ends subscriptions, stops following the change feed and closes the store. */
  dispose(): Promise<void>
}

/**
 * What your server gives with a request.
 *
 * @example
 * ```ts
 * const given: Given = { viewer: { id: 'ada', roles: ['editor'] } }
 * ```
 */
export interface Given {
  /** Who asks, for a gateway with `identity: 'server'`; omit it for an anonymous request. */
  readonly viewer?: GivenViewer | null | undefined
}

/**
 * A Request, or what a platform has instead, such as the HttpRequest of Azure Functions.
 *
 * @example
 * ```ts
 * const handler = (request: FetchRequest) => gateway.fetch(request)
 * ```
 */
export type FetchRequest = Pick<Request, 'method' | 'url' | 'headers'> & { readonly body: unknown }

/** What Express passes as third argument. It is never called: the gateway answers every request. */
type Next = (error?: never) => void

interface FastifyRequest {
  readonly raw: IncomingMessage
  readonly body?: unknown
}

interface FastifyReply {
  readonly raw: ServerResponse
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>
  hijack(): unknown
}
