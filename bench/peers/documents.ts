// The documents of the comparison as they are stored, for peers and for the answers that are computed by hand.

export interface BookDocument {
  readonly id: string
  readonly name: string
  readonly year: number
  readonly authors: readonly { readonly id: string }[]
  readonly 'pub-id'?: string
}

export interface AuthorDocument {
  readonly id: string
  readonly firstName: string
  readonly lastName: string
  readonly books: readonly string[]
}

export interface PublisherDocument {
  readonly id: string
  readonly name: string
}

export interface PersonDocument {
  readonly id: string
  readonly firstName: string
  readonly lastName: string
}

export interface PortfolioDocument {
  readonly id: string
  readonly name: string
  readonly personId: string
  readonly holdings: readonly HoldingDocument[]
}

export interface HoldingDocument {
  readonly numberHeld: number
  /** Stored as a number; the id of the stock is text. */
  readonly stockId: number
}

export interface StockDocument {
  readonly id: string
  readonly symbol: string
  readonly high: number
  readonly low: number
}

/** The content of the file in `BENCH_DOCUMENTS`. */
export interface Documents {
  readonly books: readonly BookDocument[]
  readonly authors: readonly AuthorDocument[]
  readonly publishers: readonly PublisherDocument[]
  readonly people: readonly PersonDocument[]
  readonly portfolios: readonly PortfolioDocument[]
  readonly stocks: readonly StockDocument[]
}
