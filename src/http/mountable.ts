// The gateway as servers mount it: a handler that takes requests of node:http as Node, Express and Fastify pass them on, and a
// `fetch` that returns the Response of the platform.

import type { ServerResponse } from 'node:http'
import { giveViewer } from '../auth/server-identity.ts'
import type { Identity } from '../auth/identity.ts'
import type { FetchRequest, Gateway, Given } from './gateway-server.ts'
import type { FrameworkRequest, Listener } from './listener.ts'
import { refuse, type Refusal } from './refuse.ts'

export interface MountableParts {
  /** Answers requests of node:http. */
  readonly listener: Listener
  /** Answers requests of fetch. */
  readonly yoga: Yoga
  readonly identity: Identity | undefined
  /** Waits for the operations that run. */
  readonly drain: () => Promise<void>
}

type YogaResponse = Pick<Response, 'status' | 'statusText' | 'headers' | 'body' | 'arrayBuffer'>

interface Yoga {
  fetch(request: Request | URL | string, init?: RequestInit): YogaResponse | Promise<YogaResponse>
  dispose(): Promise<void> | void
}

export function mountable({ listener, yoga, identity, drain }: MountableParts): Gateway {
  const handle: Listener & Gateway = ((...[request, response, given]: Parameters<Gateway>) => {
    const message = messageOf(request)
    const answer = responseOf(response)
    if (given && typeof given === 'object') giveViewer(message, given.viewer, identity)
    if (message.readableDidRead && message.body === undefined) refuse(answer, bodyIsGone, {})
    else listener(message, answer)
  }) as Gateway
  return Object.assign(handle, {
    async fetch(input: FetchRequest | URL | string, more?: RequestInit | Given): Promise<Response> {
      if (typeof input === 'string' || input instanceof URL) return ofPlatform(await yoga.fetch(input, more as RequestInit | undefined))
      const request = requestOf(input)
      giveViewer(request, (more as Given | undefined)?.viewer, identity)
      return ofPlatform(await yoga.fetch(request))
    },
    async dispose() {
      await drain()
      await yoga.dispose()
    },
  })
}

const bodyIsGone: Refusal = {
  status: 500,
  code: 'INTERNAL_SERVER_ERROR',
  message: 'The request body is gone: a middleware before Quire read it and did not leave it in request.body. Mount Quire before that middleware.',
}

function messageOf(request: Parameters<Gateway>[0]): FrameworkRequest {
  const message: FrameworkRequest = 'raw' in request ? request.raw : request
  if ('raw' in request && request.body !== undefined) message.body = request.body
  // Express cuts the path that a handler is mounted at. Clients, pages and logs know only the whole one.
  if (message.originalUrl !== undefined) message.url = message.originalUrl
  return message
}

function requestOf(request: FetchRequest): Request {
  if (request instanceof Request) return request
  const { method, url, headers, body } = request
  // `duplex` is required for a streamed body, and missing in the type.
  return new Request(url, { method, headers, body, duplex: 'half' } as RequestInit)
}

/** Fastify sends the headers of its reply itself, unless the reply is taken over. */
function responseOf(response: Parameters<Gateway>[1]): ServerResponse {
  if (!('raw' in response)) return response
  for (const [name, value] of Object.entries(response.getHeaders())) if (value !== undefined) response.raw.setHeader(name, value)
  response.hijack()
  return response.raw
}

/** Yoga's own class of responses is faster to send with node:http, but frameworks accept only instances of the global one. */
async function ofPlatform(response: YogaResponse): Promise<Response> {
  const { status, statusText, headers, body } = response
  const content = body && (headers.has('content-length') ? await response.arrayBuffer() : streamed(body.getReader()))
  return new Response(content, { status, statusText, headers: [...headers] })
}

/** The events of a subscription. Who stops reading them ends it. */
function streamed(reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
