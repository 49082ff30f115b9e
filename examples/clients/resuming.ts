// A subscription over server-sent events that misses nothing: when the connection breaks, graphql-sse connects
// again, and what it then asks for starts behind the last event that has arrived.

import { createClient, type RequestParams, type Sink } from 'graphql-sse'
import { accountOf } from './cost-report.ts'
import type { LibraryOptions } from './library.ts'

/** What each client hands its subscriptions to. */
export type Subscribe = (request: RequestParams, sink: Sink) => () => void

/** `request` declares the variable `$after` and gives it to the subscription's field. */
export function createSubscribe({ url, retry, fetch }: LibraryOptions & { readonly fetch: typeof globalThis.fetch }): Subscribe {
  const events = createClient({ url, fetchFn: fetch, retryAttempts: Infinity, ...(retry && { retry }) })
  return (request, sink) => {
    // Sent as it is at the time of each attempt.
    const variables: Record<string, unknown> = { ...request.variables }
    return events.subscribe({ ...request, variables }, {
      ...sink,
      next(event) {
        variables['after'] = accountOf(event)?.cursor ?? variables['after']
        sink.next(event)
      },
    })
  }
}
