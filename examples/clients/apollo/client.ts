// Apollo Client for Quire: what documents are kept by, how pages grow together, and how events arrive.

import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, Observable } from '@apollo/client'
import { relayStylePagination } from '@apollo/client/utilities'
import { OperationTypeNode, print } from 'graphql'
import { tap } from 'rxjs'
import { accountOf } from '../cost-report.ts'
import type { LibraryOptions } from '../library.ts'
import { createSubscribe, type Subscribe } from '../resuming.ts'
import { createSessionFetch } from '../session-fetch.ts'

export function createApolloClient(options: LibraryOptions): ApolloClient {
  const fetch = createSessionFetch()
  return new ApolloClient({
    cache: createCache(),
    link: ApolloLink.from([
      accountLink(options),
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
    // An id tells documents of one type apart, the global one all documents. Apollo complains when it was not asked for.
    possibleTypes: { Node: ['Author', 'Book', 'Stock'] },
    typePolicies: {
      Node: { keyFields: ['nodeId'] },
      // Pages of the same list become one list; another filter or order is another list.
      Query: { fields: { books: relayStylePagination(['filter', 'orderBy']) } },
    },
  })
}

/** Apollo hands extensions on to links only. */
function accountLink({ onAccount }: LibraryOptions): ApolloLink {
  return new ApolloLink((operation, forward) => forward(operation).pipe(tap((answer) => {
    const account = accountOf(answer)
    if (account) onAccount?.(operation.operationName ?? '', account)
  })))
}

function eventLink(subscribe: Subscribe): ApolloLink {
  return new ApolloLink(({ query, variables }) => new Observable((observer) => subscribe({ query: print(query), variables }, {
    next: (event) => observer.next(event as ApolloLink.Result),
    error: (error) => observer.error(error),
    complete: () => observer.complete(),
  })))
}
