// What is known of a request from the moment it arrives: its id, and when that was.

import { randomUUID } from 'node:crypto'

export interface Arrival {
  readonly id: string
  /** On the clock of `performance.now()`. */
  readonly startMs: number
  /** Whether an operation of it has begun. */
  begun: boolean
}

const arrivals = new WeakMap<Request, Arrival>()

export function arrivalOf(request: Request): Arrival {
  const known = arrivals.get(request)
  if (known) return known
  const arrival = { id: idFrom(request.headers.get('x-request-id')), startMs: performance.now(), begun: false }
  arrivals.set(request, arrival)
  return arrival
}

/** An id that is sent along is kept when it can stand in any log and any header, and is no essay. */
function idFrom(sent: string | null): string {
  return sent !== null && /^[\w.:=+/-]{1,128}$/.test(sent) ? sent : randomUUID()
}

/** Without the query, which may hold variables. */
export function pathOf({ url }: Request): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  return start < 0 ? '/' : url.slice(start).split(/[?#]/, 1)[0]!
}
