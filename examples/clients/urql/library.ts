// The library through urql. In React, `useQuery` with the next `after`, `useMutation` and `useSubscription` do
// the same with the same documents.

import type { OperationResult } from '@urql/core'
import { AddReviewDocument, BookByNodeIdDocument, BooksDocument, PricesDocument, RenameAuthorDocument } from '../generated/graphql.ts'
import type { Books, Library, LibraryOptions } from '../library.ts'
import { createUrqlClient } from './client.ts'

export function openLibrary(options: LibraryOptions): Library {
  const client = createUrqlClient(options)
  const page = { first: 100 }
  const cached = () => client.readQuery(BooksDocument, page)?.data?.books

  function cachedBooks(): Books {
    const books = cached()
    return { books: books?.edges.map(({ node }) => node) ?? [], hasNextPage: books?.pageInfo.hasNextPage ?? true }
  }

  return {
    cachedBooks,
    async moreBooks() {
      const after = cached()?.pageInfo.endCursor
      succeeded(await client.query(BooksDocument, after ? { ...page, after } : page))
      return cachedBooks()
    },
    async refetchBook(nodeId) {
      const { node } = succeeded(await client.query(BookByNodeIdDocument, { nodeId }, { requestPolicy: 'network-only' }))
      if (!node || !('name' in node)) throw new Error(`There is no book ${nodeId}.`)
      return node
    },
    // The cache stores the answer of a mutation by its nodeId, so every list with the book shows the change.
    async addReview(input) {
      succeeded(await client.mutation(AddReviewDocument, { input }))
    },
    async renameAuthor(input) {
      succeeded(await client.mutation(RenameAuthorDocument, { input }))
    },
    watchPrices(symbols, onChange) {
      const prices = client.subscription(PricesDocument, { symbols })
      const subscription = prices.subscribe(({ data }) => data && onChange(data.stockPriceChanged))
      return () => subscription.unsubscribe()
    },
  }
}

/** urql returns errors instead of throwing them. */
function succeeded<T>({ data, error }: OperationResult<T>): T {
  if (error ?? !data) throw error ?? new Error('There was no answer.')
  return data
}
