// urql for Quire: what documents are kept by, how pages grow together, and how events arrive.

import { Client, fetchExchange, mapExchange, subscriptionExchange } from '@urql/core'
import { cacheExchange, type Data } from '@urql/exchange-graphcache'
import { relayPagination } from '@urql/exchange-graphcache/extras'
import { getOperationAST } from 'graphql'
import { accountOf } from '../cost-report.ts'
import type { LibraryOptions } from '../library.ts'
import { createSubscribe } from '../resuming.ts'
import { createSessionFetch } from '../session-fetch.ts'

export function createUrqlClient(options: LibraryOptions): Client {
  const fetch = createSessionFetch()
  const subscribe = createSubscribe({ ...options, fetch })
  return new Client({
    url: options.url,
    fetch,
    // Answers depend on the session, which caches on the way do not look at.
    preferGetMethod: false,
    exchanges: [
      createCache(),
      accountExchange(options),
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
    // Pages of the same list become one list; another filter or order is another list.
    resolvers: { Query: { books: relayPagination() } },
  })
}

/** An id tells documents of one type apart, the global one all documents. */
function byNodeId(data: Data): string | null {
  return typeof data['nodeId'] === 'string' ? data['nodeId'] : null
}

/** Below the cache, so that only what was asked for is told. A result has its extensions too. */
function accountExchange({ onAccount }: LibraryOptions) {
  return mapExchange({
    onResult(result) {
      const account = accountOf(result)
      if (account) onAccount?.(getOperationAST(result.operation.query)?.name?.value ?? '', account)
    },
  })
}
