// What each of the clients does with the library, so that they can be read side by side and are held to
// the same tests. An application would not need this file.

import type { CostReport } from './cost-report.ts'

export interface Library {
  /** Fetches the first page of books, and each time the next one. Answers with all pages so far, from the cache. */
  moreBooks(): Promise<Books>
  /** The same, without fetching anything. */
  keptBooks(): Books
  /** One document, fetched anew by its global id. */
  refetchBook(nodeId: string): Promise<Book>
  addReview(review: { bookId: string; rating: number; reviewer: string }): Promise<void>
  renameAuthor(author: { id: string; firstName: string }): Promise<void>
  /** Tells prices as they change, through broken connections, until the function that it returns is called. */
  watchPrices(symbols: string[], tell: (stock: Stock) => void): () => void
}

export interface LibraryOptions {
  /** Such as http://127.0.0.1:4000/graphql. */
  readonly url: string
  /** Told what each operation cost. */
  readonly onAccount?: (operation: string, account: CostReport) => void
  /** How long to wait before connecting again, after so many attempts; by default longer each time. */
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
