// The common interface of the example clients, so that you can compare them and the same tests run on all. An
// application does not need this file.

import type { CostReport } from './cost-report.ts'

export interface Library {
  /** Fetches the next page of books, and returns all pages so far from the cache. */
  moreBooks(): Promise<Books>
  /** All pages so far, without a request. */
  cachedBooks(): Books
  /** Refetches one document by its global id. */
  refetchBook(nodeId: string): Promise<Book>
  addReview(review: { bookId: string; rating: number; reviewer: string }): Promise<void>
  renameAuthor(author: { id: string; firstName: string }): Promise<void>
  /** Calls `onChange` for each new price, also after a broken connection, until the returned function is called. */
  watchPrices(symbols: string[], onChange: (stock: Stock) => void): () => void
}

export interface LibraryOptions {
  /** Such as http://127.0.0.1:4000/graphql. */
  readonly url: string
  /** Called with the cost report of each operation. */
  readonly onCostReport?: (operation: string, report: CostReport) => void
  /** Waits before the next attempt to connect; by default longer each time. */
  readonly retry?: (attempts: number) => Promise<void>
}

export interface Books {
  readonly books: readonly Book[]
  readonly hasNextPage: boolean
}

export interface Book {
  readonly nodeId: string
  readonly id: string
  readonly name: string
  readonly countOfReviews: number
  readonly authors: readonly { readonly name: string }[]
}

export interface Stock {
  readonly nodeId: string
  readonly symbol: string
  readonly high: number
}
