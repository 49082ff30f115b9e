// The schema that every peer serves, and typical hand-written resolvers: references go through one DataLoader per type and
// request. Grafast and Mercurius with its loaders batch reads in their own way, in their own files.

import DataLoader from 'dataloader'
import type { AuthorDocument, BookDocument, HoldingDocument, PersonDocument, PortfolioDocument, PublisherDocument, StockDocument } from './documents.ts'
import type { ByIds, Library, Search } from './library.ts'
import { requireRole, viewerOf, type Viewer } from './viewer.ts'

export const typeDefs = `
  type Query {
    book(id: ID!): Book
    books(first: Int, after: String, filter: BookFilter, orderBy: BookOrder): BookConnection!
    author(id: ID!): Author
    authors(first: Int): AuthorConnection!
    publisher(id: ID!): Publisher
    publishers(first: Int): PublisherConnection!
    portfolios(first: Int): PortfolioConnection!
    stock(id: ID!): Stock
  }
  type Mutation {
    updateAuthor(input: UpdateAuthorInput!): UpdateAuthorPayload!
    updatePublisher(input: UpdatePublisherInput!): UpdatePublisherPayload!
  }
  type Book {
    id: ID!
    name: String!
    year: Int
    authors: [Author!]!
    publisher: Publisher
  }
  type Author {
    id: ID!
    name: String!
    books: [Book!]!
  }
  type Publisher {
    id: ID!
    name: String!
  }
  type Portfolio {
    id: ID!
    name: String!
    owner: Person!
    holdings: [Holding!]!
  }
  type Person {
    id: ID!
    name: String!
  }
  type Holding {
    numberHeld: Int!
    stock: Stock!
  }
  type Stock {
    id: ID!
    symbol: String!
    high: Float!
    low: Float!
  }
  type BookConnection {
    nodes: [Book!]!
    pageInfo: PageInfo!
  }
  type AuthorConnection {
    nodes: [Author!]!
  }
  type PublisherConnection {
    nodes: [Publisher!]!
  }
  type PortfolioConnection {
    nodes: [Portfolio!]!
  }
  type PageInfo {
    hasNextPage: Boolean!
    endCursor: String
  }
  input BookFilter {
    year: IntFilter
    publisherId: IDFilter
  }
  input IntFilter {
    gte: Int
    lte: Int
  }
  input IDFilter {
    eq: ID
  }
  input BookOrder {
    field: BookOrderField!
    direction: OrderDirection! = ASC
  }
  enum BookOrderField {
    ID
    NAME
    YEAR
  }
  enum OrderDirection {
    ASC
    DESC
  }
  input UpdateAuthorInput {
    id: ID!
    lastName: String
  }
  input UpdatePublisherInput {
    id: ID!
    name: String
  }
  type UpdateAuthorPayload {
    author: Author!
  }
  type UpdatePublisherPayload {
    publisher: Publisher!
  }
`

export interface Loaders {
  readonly books: DataLoader<string, BookDocument | undefined>
  readonly authors: DataLoader<string, AuthorDocument | undefined>
  readonly publishers: DataLoader<string, PublisherDocument | undefined>
  readonly people: DataLoader<string, PersonDocument | undefined>
  readonly stocks: DataLoader<string, StockDocument | undefined>
}

export interface PeerContext {
  readonly loaders: Loaders
  readonly viewer: Viewer | undefined
}

/** Called for every request, so that no request reads from the cache of another. */
export function createContext(library: Library, authorization: string | null | undefined): PeerContext | Promise<PeerContext> {
  const viewer = viewerOf(authorization)
  const loaders = createLoaders(library)
  return viewer instanceof Promise ? viewer.then((known) => ({ loaders, viewer: known })) : { loaders, viewer }
}

function createLoaders({ books, authors, publishers, people, stocks }: Library): Loaders {
  return { books: loader(books), authors: loader(authors), publishers: loader(publishers), people: loader(people), stocks: loader(stocks) }
}

function loader<D>(byIds: ByIds<D>): DataLoader<string, D | undefined> {
  // By default DataLoader dispatches after pending microtasks, which gives one batch per level. With queueMicrotask as
  // batchScheduleFn, operation B takes two calls for some levels and is no faster.
  return new DataLoader((ids: readonly string[]) => Promise.resolve(byIds(ids)))
}

export interface BookArguments {
  readonly first?: number | null
  readonly after?: string | null
  readonly filter?: { readonly year?: { readonly gte?: number | null; readonly lte?: number | null } | null; readonly publisherId?: { readonly eq?: string | null } | null } | null
  readonly orderBy?: { readonly field: Search['field']; readonly direction: 'ASC' | 'DESC' } | null
}

const defaultFirst = 20

export function readPage(library: Library, { first, after, filter, orderBy }: BookArguments) {
  const limit = first ?? defaultFirst
  const afterId = after ? Buffer.from(after, 'base64url').toString() : undefined
  const found = filter || orderBy
    ? library.search({ first: limit + 1, from: filter?.year?.gte, to: filter?.year?.lte, publisherId: filter?.publisherId?.eq, field: orderBy?.field ?? 'ID', descending: orderBy?.direction === 'DESC' })
    : library.page(limit + 1, afterId)
  const nodes = found.slice(0, limit)
  const last = nodes.at(-1)
  return { nodes, hasNextPage: found.length > limit, endCursor: last ? Buffer.from(last.id).toString('base64url') : null }
}

export interface FirstArguments {
  readonly first?: number | null
}

/** Everyone who may read all portfolios and their owners. */
export function readPortfolios(library: Library, { first }: FirstArguments, viewer: Viewer | undefined) {
  requireRole(viewer, 'support')
  return { nodes: library.firstPortfolios(first ?? defaultFirst) }
}

export function renameAuthor(library: Library, { id, lastName }: { readonly id: string; readonly lastName: string }, viewer: Viewer | undefined) {
  requireRole(viewer, 'librarian')
  return { author: library.renameAuthor(id, lastName) }
}

export function renamePublisher(library: Library, { id, name }: { readonly id: string; readonly name: string }, viewer: Viewer | undefined) {
  requireRole(viewer, 'librarian')
  return { publisher: library.renamePublisher(id, name) }
}

export function fullName({ firstName, lastName }: { readonly firstName: string; readonly lastName: string }): string {
  return `${firstName} ${lastName}`
}

interface ById {
  readonly id: string
}

interface Input<I> {
  readonly input: I
}

export function createResolvers(library: Library) {
  return {
    Query: {
      book: (_: unknown, { id }: ById, { loaders }: PeerContext) => loaders.books.load(id),
      books: (_: unknown, args: BookArguments) => readPage(library, args),
      author: (_: unknown, { id }: ById, { loaders }: PeerContext) => loaders.authors.load(id),
      authors: (_: unknown, { first }: FirstArguments) => ({ nodes: library.firstAuthors(first ?? defaultFirst) }),
      publisher: (_: unknown, { id }: ById, { loaders }: PeerContext) => loaders.publishers.load(id),
      publishers: (_: unknown, { first }: FirstArguments) => ({ nodes: library.firstPublishers(first ?? defaultFirst) }),
      portfolios: (_: unknown, args: FirstArguments, { viewer }: PeerContext) => readPortfolios(library, args, viewer),
      stock: (_: unknown, { id }: ById, { loaders }: PeerContext) => loaders.stocks.load(id),
    },
    Mutation: {
      updateAuthor: (_: unknown, { input }: Input<{ id: string; lastName: string }>, { viewer }: PeerContext) => renameAuthor(library, input, viewer),
      updatePublisher: (_: unknown, { input }: Input<{ id: string; name: string }>, { viewer }: PeerContext) => renamePublisher(library, input, viewer),
    },
    BookConnection: {
      pageInfo: (page: unknown) => page,
    },
    Book: {
      authors: ({ authors }: BookDocument, _: unknown, { loaders }: PeerContext) => loaders.authors.loadMany(authors.map(({ id }) => id)),
      publisher: (book: BookDocument, _: unknown, { loaders }: PeerContext) => (book['pub-id'] === undefined ? null : loaders.publishers.load(book['pub-id'])),
    },
    Author: {
      name: fullName,
      books: ({ books }: AuthorDocument, _: unknown, { loaders }: PeerContext) => loaders.books.loadMany(books),
    },
    Portfolio: {
      owner: ({ personId }: PortfolioDocument, _: unknown, { loaders }: PeerContext) => loaders.people.load(personId),
    },
    Person: {
      name: fullName,
    },
    Holding: {
      stock: ({ stockId }: HoldingDocument, _: unknown, { loaders }: PeerContext) => loaders.stocks.load(String(stockId)),
    },
  }
}
