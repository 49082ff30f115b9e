// The library through Apollo Client. In React, `useQuery` with `fetchMore`, `useMutation` and `useSubscription`
// do the same with the same documents.

import { AddReviewDocument, BookByNodeIdDocument, BooksDocument, PricesDocument, RenameAuthorDocument } from '../generated/graphql.ts'
import type { Books, Library, LibraryOptions } from '../library.ts'
import { createApolloClient } from './client.ts'

export function openLibrary(options: LibraryOptions): Library {
  const client = createApolloClient(options)
  const page = { first: 100 }
  const cached = () => client.readQuery({ query: BooksDocument, variables: page })?.books

  function cachedBooks(): Books {
    const books = cached()
    return { books: books?.edges.map(({ node }) => node) ?? [], hasNextPage: books?.pageInfo.hasNextPage ?? true }
  }

  return {
    cachedBooks,
    async moreBooks() {
      const after = cached()?.pageInfo.endCursor
      await client.query({ query: BooksDocument, variables: { ...page, after }, fetchPolicy: 'network-only' })
      return cachedBooks()
    },
    async refetchBook(nodeId) {
      const { data } = await client.query({ query: BookByNodeIdDocument, variables: { nodeId }, fetchPolicy: 'network-only' })
      if (!data?.node || !('name' in data.node)) throw new Error(`There is no book ${nodeId}.`)
      return data.node
    },
    // The cache stores the answer of a mutation by its nodeId, so every list with the book shows the change.
    async addReview(input) {
      await client.mutate({ mutation: AddReviewDocument, variables: { input } })
    },
    async renameAuthor(input) {
      await client.mutate({ mutation: RenameAuthorDocument, variables: { input } })
    },
    watchPrices(symbols, onChange) {
      const prices = client.subscribe({ query: PricesDocument, variables: { symbols } })
      const subscription = prices.subscribe(({ data }) => data && onChange(data.stockPriceChanged))
      return () => subscription.unsubscribe()
    },
  }
}
