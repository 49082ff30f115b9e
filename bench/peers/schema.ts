// The schema that every peer serves, and typical hand-written resolvers: references go through one DataLoader per type and
// request. Grafast and Mercurius with its loaders batch reads in their own way, in their own files.

import DataLoader from 'dataloader'
import type { AuthorDocument, BookDocument, ByIds, Library, PublisherDocument } from './library.ts'

export const typeDefs = `
  type Query {
    book(id: ID!): Book
    books(first: Int, after: String): BookConnection!
  }
  type Book {
    id: ID!
    name: String!
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
  type BookConnection {
    nodes: [Book!]!
    pageInfo: PageInfo!
  }
  type PageInfo {
    hasNextPage: Boolean!
    endCursor: String
  }
`

export interface Loaders {
  readonly books: DataLoader<string, BookDocument | undefined>
  readonly authors: DataLoader<string, AuthorDocument | undefined>
  readonly publishers: DataLoader<string, PublisherDocument | undefined>
}

export interface PeerContext {
  readonly loaders: Loaders
}

/** Called for every request, so that no request reads from the cache of another. */
export function createLoaders(library: Library): Loaders {
  return { books: loader(library.books), authors: loader(library.authors), publishers: loader(library.publishers) }
}

function loader<D>(byIds: ByIds<D>): DataLoader<string, D | undefined> {
  // By default DataLoader dispatches after pending microtasks, which gives one batch per level. With queueMicrotask as
  // batchScheduleFn, operation B takes two calls for some levels and is no faster.
  return new DataLoader((ids: readonly string[]) => Promise.resolve(byIds(ids)))
}

export interface PageArguments {
  readonly first?: number | null
  readonly after?: string | null
}

export function readPage(library: Library, { first, after }: PageArguments) {
  const limit = first ?? 20
  const afterId = after ? Buffer.from(after, 'base64url').toString() : undefined
  const found = library.page(limit + 1, afterId)
  const nodes = found.slice(0, limit)
  const last = nodes.at(-1)
  return { nodes, hasNextPage: found.length > limit, endCursor: last ? Buffer.from(last.id).toString('base64url') : null }
}

export function fullName({ firstName, lastName }: AuthorDocument): string {
  return `${firstName} ${lastName}`
}

export function createResolvers(library: Library) {
  return {
    Query: {
      book: (_: unknown, { id }: { id: string }, { loaders }: PeerContext) => loaders.books.load(id),
      books: (_: unknown, args: PageArguments) => readPage(library, args),
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
  }
}
