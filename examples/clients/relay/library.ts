// The library through Relay. In React, `usePaginationFragment`, `useFragment`, `useMutation` and
// `useSubscription` do the same with the same operations.

import { commitMutation, createOperationDescriptor, fetchQuery, getFragment, getRequest, getSingularSelector, graphql, requestSubscription } from 'relay-runtime'
import type { GraphQLTaggedNode, MutationParameters } from 'relay-runtime'
import type { Book, Books, Library, LibraryOptions } from '../library.ts'
import { createRelayEnvironment } from './environment.ts'
import refetchBookQuery, { type libraryBookRefetchQuery } from './__generated__/libraryBookRefetchQuery.graphql.ts'
import type { libraryAddReviewMutation } from './__generated__/libraryAddReviewMutation.graphql.ts'
import type { libraryBooksQuery } from './__generated__/libraryBooksQuery.graphql.ts'
import type { libraryPricesSubscription } from './__generated__/libraryPricesSubscription.graphql.ts'
import type { libraryRenameAuthorMutation } from './__generated__/libraryRenameAuthorMutation.graphql.ts'
import type { library_book$data, library_book$key } from './__generated__/library_book.graphql.ts'

const booksQuery = graphql`
  query libraryBooksQuery($first: Int!, $after: String) {
    books(first: $first, after: $after) @connection(key: "library_books") {
      edges {
        node {
          ...library_book
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`

const bookFragment = graphql`
  fragment library_book on Book @refetchable(queryName: "libraryBookRefetchQuery") {
    nodeId
    id
    name
    countOfReviews
    authors {
      name
    }
  }
`

const addReviewMutation = graphql`
  mutation libraryAddReviewMutation($input: AddReviewInput!) {
    addReview(input: $input) {
      book {
        countOfReviews
      }
    }
  }
`

const renameAuthorMutation = graphql`
  mutation libraryRenameAuthorMutation($input: UpdateAuthorInput!) {
    updateAuthor(input: $input) {
      author {
        name
      }
    }
  }
`

const pricesSubscription = graphql`
  subscription libraryPricesSubscription($symbols: [String!], $after: String) {
    stockPriceChanged(symbols: $symbols, after: $after) {
      nodeId
      symbol
      high
    }
  }
`

export function openLibrary(options: LibraryOptions): Library {
  const environment = createRelayEnvironment(options)
  const page = { first: 100 }
  const list = createOperationDescriptor(getRequest(booksQuery), page)
  // Relay discards data that is not retained.
  environment.retain(list)
  const cached = () => (environment.lookup(list.fragment).data as Partial<libraryBooksQuery['response']>).books

  /** A component sees only the fields of its fragment. */
  function read(book: library_book$key): Book {
    return environment.lookup(getSingularSelector(getFragment(bookFragment), book)).data as unknown as library_book$data
  }

  function cachedBooks(): Books {
    const books = cached()
    return { books: books?.edges.map(({ node }) => read(node)) ?? [], hasNextPage: books?.pageInfo.hasNextPage ?? true }
  }

  /** The store keeps the answer of a mutation by its nodeId, so every list with the document shows the change. */
  function commit<M extends MutationParameters>(mutation: GraphQLTaggedNode, variables: M['variables']): Promise<M['response']> {
    return new Promise((resolve, reject) => {
      commitMutation<M>(environment, { mutation, variables, onCompleted: resolve, onError: reject })
    })
  }

  return {
    cachedBooks,
    async moreBooks() {
      await fetchQuery<libraryBooksQuery>(environment, booksQuery, { ...page, after: cached()?.pageInfo.endCursor }).toPromise()
      return cachedBooks()
    },
    async refetchBook(nodeId) {
      const answer = await fetchQuery<libraryBookRefetchQuery>(environment, refetchBookQuery, { nodeId }).toPromise()
      if (!answer?.node) throw new Error(`There is no book ${nodeId}.`)
      return read(answer.node)
    },
    async addReview(input) {
      await commit<libraryAddReviewMutation>(addReviewMutation, { input })
    },
    async renameAuthor(input) {
      await commit<libraryRenameAuthorMutation>(renameAuthorMutation, { input })
    },
    watchPrices(symbols, onChange) {
      const subscription = requestSubscription<libraryPricesSubscription>(environment, {
        subscription: pricesSubscription, variables: { symbols }, onNext: (event) => event && onChange(event.stockPriceChanged),
      })
      return () => subscription.dispose()
    },
  }
}
