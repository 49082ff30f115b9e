// A subscription over server-sent events that resumes: when the connection breaks, graphql-sse connects again and
// continues after the last event that arrived.

import { createClient, type RequestParams, type Sink } from 'graphql-sse'
import { costReportOf } from './cost-report.ts'
import type { LibraryOptions } from './library.ts'

/** Each client passes its subscriptions to this function. */
export type Subscribe = (request: RequestParams, sink: Sink) => () => void

/** `request` must declare the variable `$after` and pass it to the subscription's field. */
export function createSubscribe({ url, retry, fetch }: LibraryOptions & { readonly fetch: typeof globalThis.fetch }): Subscribe {
  const events = createClient({ url, fetchFn: fetch, retryAttempts: Infinity, ...(retry && { retry }) })
  return (request, sink) => {
    // graphql-sse sends this object with its present values at each attempt.
    const variables: Record<string, unknown> = { ...request.variables }
    return events.subscribe({ ...request, variables }, {
      ...sink,
      next(event) {
        variables['after'] = costReportOf(event)?.cursor ?? variables['after']
        sink.next(event)
      },
    })
  }
}
