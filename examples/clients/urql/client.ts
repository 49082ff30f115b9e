// urql for Quire: cache keys, pagination, and subscriptions.

import { Client, fetchExchange, mapExchange, subscriptionExchange } from '@urql/core'
import { cacheExchange, type Data } from '@urql/exchange-graphcache'
import { relayPagination } from '@urql/exchange-graphcache/extras'
import { getOperationAST } from 'graphql'
import { costReportOf } from '../cost-report.ts'
import type { LibraryOptions } from '../library.ts'
import { createSubscribe } from '../resuming.ts'
import { createSessionFetch } from '../session-fetch.ts'

export function createUrqlClient(options: LibraryOptions): Client {
  const fetch = createSessionFetch()
  const subscribe = createSubscribe({ ...options, fetch })
  return new Client({
    url: options.url,
    fetch,
    // Answers depend on the session header, which HTTP caches ignore.
    preferGetMethod: false,
    exchanges: [
      createCache(),
      costReportExchange(options),
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => ({ unsubscribe: subscribe({ query, variables: variables as Record<string, unknown> }, sink) }),
        }),
      }),
    ],
  })
}

function createCache() {
  return cacheExchange({
    keys: { Author: byNodeId, Book: byNodeId, Stock: byNodeId },
    // Pages of the same list are merged; another filter or order is another list.
    resolvers: { Query: { books: relayPagination() } },
  })
}

/** `id` is unique within a type, `nodeId` among all documents. */
function byNodeId(data: Data): string | null {
  return typeof data['nodeId'] === 'string' ? data['nodeId'] : null
}

/** Below the cache, so that it sees only results from the server. */
function costReportExchange({ onCostReport }: LibraryOptions) {
  return mapExchange({
    onResult(result) {
      const report = costReportOf(result)
      if (report) onCostReport?.(getOperationAST(result.operation.query)?.name?.value ?? '', report)
    },
  })
}
