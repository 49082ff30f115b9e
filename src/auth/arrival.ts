// What is known of a request from the moment it arrives: its id, when that was, and who asks.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Viewer } from './viewer.ts'

/** As much of a request as there is to observe: that of fetch has it, and so has what `arrived` makes of one of node:http. */
export interface IncomingRequest {
  readonly method: string
  readonly url: string
  readonly headers: { get(name: string): string | null; keys(): Iterable<string> }
  /** What is known of it, where there is room for that on the request itself. */
  readonly arrival?: Arrival
}

export interface Arrival {
  readonly id: string
  /** On the clock of `performance.now()`. */
  readonly startMs: number
  /** Whether an operation of it has begun. */
  begun: boolean
  /** Who asks, once that is known; undefined for whoever does not say. */
  viewer?: Viewer | undefined
  /** What its operation can cost at most, in request units, once that is known; of a subscription, each event. */
  cost?: number
}

const arrivals = new WeakMap<IncomingRequest, Arrival>()

export function arrivalOf(request: IncomingRequest): Arrival {
  const known = request.arrival ?? arrivals.get(request)
  if (known) return known
  const arrival = arriving(request.headers.get('x-request-id'))
  arrivals.set(request, arrival)
  return arrival
}

function arriving(id: string | null): Arrival {
  return { id: idFrom(id), startMs: performance.now(), begun: false }
}

/** A request of node:http, which has just arrived. Whoever else answers it finds its id where a sender would have put it. */
export function arrived({ method = '', url = '', headers }: IncomingMessage): IncomingRequest {
  const get = (name: string): string | null => headers[name]?.toString() ?? null
  const arrival = arriving(get('x-request-id'))
  headers['x-request-id'] = arrival.id
  return { method, url: `http://node${url}`, headers: { get, keys: () => Object.keys(headers) }, arrival }
}

/** No two processes have the same one, and counting goes on within each: as unique as a random id, and far cheaper. */
const thisProcess = randomBytes(9).toString('base64url')
let requests = 0

/** An id that is sent along is kept when it can stand in any log and any header, and is no essay. */
function idFrom(sent: string | null): string {
  return sent !== null && /^[\w.:=+/-]{1,128}$/.test(sent) ? sent : `${thisProcess}-${(++requests).toString(36).padStart(8, '0')}`
}

/** Without the query, which may hold variables, and without what stands before an @, which may be a name and a password. */
export function pathOf({ url }: IncomingRequest): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const path = start < 0 ? '/' : url.slice(start).split(/[?#]/, 1)[0]!
  return path.includes('@') || path.includes('%40') ? path.replaceAll(/[^/]*(@|%40)/g, '[hidden]@') : path
}

/** Whether a text is a host with or without a port, and nothing besides. */
export function isHost(text: string): boolean {
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d{0,5})?$/i.test(text) && URL.canParse(`http://${text}`)
}
