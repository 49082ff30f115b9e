// A gateway over Cosmos DB as a team would write it: Yoga, one DataLoader per type and request, the SDK, and one log line per request.

import { createServer } from 'node:http'
import DataLoader from 'dataloader'
import { createSchema, createYoga } from 'graphql-yoga'
import { cosmosLibrary, type ReadByIds } from './cosmos-library.ts'
import type { AuthorDocument, BookDocument } from './documents.ts'
import { listen } from './listen.ts'
import { logRequests } from './request-log.ts'
import { fullName } from './schema.ts'

const typeDefs = `
  type Query {
    book(id: ID!): Book
    books(first: Int): BookConnection!
  }
  type BookConnection {
    nodes: [Book!]!
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
`

const library = cosmosLibrary(process.env)

/** Called for every request, so that no request reads from the cache of another. */
function createContext() {
  return { books: loader(library.books), authors: loader(library.authors), publishers: loader(library.publishers) }
}

type Context = ReturnType<typeof createContext>

function loader<D>(read: ReadByIds<D>): DataLoader<string, D | undefined> {
  return new DataLoader(read)
}

const resolvers = {
  Query: {
    book: (_: unknown, { id }: { readonly id: string }, { books }: Context) => books.load(id),
    books: async (_: unknown, { first }: { readonly first?: number | null }) => ({ nodes: await library.firstBooks(first ?? 20) }),
  },
  Book: {
    authors: (book: BookDocument, _: unknown, { authors }: Context) => authors.loadMany(book.authors.map(({ id }) => id)),
    publisher: (book: BookDocument, _: unknown, { publishers }: Context) => (book['pub-id'] === undefined ? null : publishers.load(book['pub-id'])),
  },
  Author: {
    name: fullName,
    books: (author: AuthorDocument, _: unknown, { books }: Context) => books.loadMany(author.books),
  },
}

const yoga = createYoga({
  schema: createSchema({ typeDefs, resolvers }),
  context: createContext,
  logging: false,
  graphiql: false,
  landingPage: false,
  cors: false,
  multipart: false,
})
const logRequest = logRequests()
listen(createServer((request, response) => {
  logRequest(request, response)
  void yoga(request, response)
}))
