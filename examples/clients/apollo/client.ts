// Apollo Client for Quire: cache keys, pagination, and subscriptions.

import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, Observable } from '@apollo/client'
import { relayStylePagination } from '@apollo/client/utilities'
import { OperationTypeNode, print } from 'graphql'
import { tap } from 'rxjs'
import { costReportOf } from '../cost-report.ts'
import type { LibraryOptions } from '../library.ts'
import { createSubscribe, type Subscribe } from '../resuming.ts'
import { createSessionFetch } from '../session-fetch.ts'

export function createApolloClient(options: LibraryOptions): ApolloClient {
  const fetch = createSessionFetch()
  return new ApolloClient({
    cache: createCache(),
    link: ApolloLink.from([
      costReportLink(options),
      ApolloLink.split(
        ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
        eventLink(createSubscribe({ ...options, fetch })),
        new HttpLink({ uri: options.url, fetch }),
      ),
    ]),
  })
}

function createCache(): InMemoryCache {
  return new InMemoryCache({
    // `id` is unique within a type, `nodeId` among all documents. Apollo reports an error if a selection lacks it.
    possibleTypes: { Node: ['Author', 'Book', 'Stock'] },
    typePolicies: {
      Node: { keyFields: ['nodeId'] },
      // Pages of the same list are merged; another filter or order is another list.
      Query: { fields: { books: relayStylePagination(['filter', 'orderBy']) } },
    },
  })
}

/** Only links can read extensions in Apollo. */
function costReportLink({ onCostReport }: LibraryOptions): ApolloLink {
  return new ApolloLink((operation, forward) => forward(operation).pipe(tap((answer) => {
    const report = costReportOf(answer)
    if (report) onCostReport?.(operation.operationName ?? '', report)
  })))
}

function eventLink(subscribe: Subscribe): ApolloLink {
  return new ApolloLink(({ query, variables }) => new Observable((observer) => subscribe({ query: print(query), variables }, {
    next: (event) => observer.next(event as ApolloLink.Result),
    error: (error) => observer.error(error),
    complete: () => observer.complete(),
  })))
}
