// What is known of a request from the moment it arrives: its id, and when that was.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** As much of a request as there is to observe: that of fetch has it, and so has what `arrived` makes of one of node:http. */
export interface AskedRequest {
  readonly method: string
  readonly url: string
  readonly headers: { get(name: string): string | null; keys(): Iterable<string> }
}

export interface Arrival {
  readonly id: string
  /** On the clock of `performance.now()`. */
  readonly startMs: number
  /** Whether an operation of it has begun. */
  begun: boolean
}

const arrivals = new WeakMap<AskedRequest, Arrival>()

export function arrivalOf(request: AskedRequest): Arrival {
  const known = arrivals.get(request)
  if (known) return known
  const arrival = { id: idFrom(request.headers.get('x-request-id')), startMs: performance.now(), begun: false }
  arrivals.set(request, arrival)
  return arrival
}

/** A request of node:http, which has just arrived. */
export function arrived({ method = '', url = '', headers }: IncomingMessage): AskedRequest {
  const request: AskedRequest = { method, url: `http://node${url}`, headers: { get: (name) => headers[name]?.toString() ?? null, keys: () => Object.keys(headers) } }
  arrivalOf(request)
  return request
}

/** An id that is sent along is kept when it can stand in any log and any header, and is no essay. */
function idFrom(sent: string | null): string {
  return sent !== null && /^[\w.:=+/-]{1,128}$/.test(sent) ? sent : randomUUID()
}

/** Without the query, which may hold variables. */
export function pathOf({ url }: AskedRequest): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  return start < 0 ? '/' : url.slice(start).split(/[?#]/, 1)[0]!
}
