// Mercurius with its JIT and its own loaders, which batch the reads of one level.

import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import mercurius, { type MercuriusLoaders } from 'mercurius'
import type { AuthorDocument, BookDocument, HoldingDocument, PortfolioDocument } from './documents.ts'
import { listsByIds, openLibrary } from './library.ts'
import { printReady } from './listen.ts'
import { fastifyOptions } from './request-log.ts'
import { createResolvers, typeDefs } from './schema.ts'
import { viewerOf } from './viewer.ts'

const library = openLibrary(process.env)
const { Query, Mutation, BookConnection, Author, Person } = createResolvers(library)
const read = <D>(documents: (ids: readonly string[]) => (D | undefined)[]) => (_: unknown, { id }: { id: string }) => documents([id])[0]
keyParentsById()

// The loaders deduplicate parents within a level even without the cache, and no parent occurs on two levels.
const opts = { cache: false }
const loaders = {
  Book: {
    authors: { opts, loader: async (queries: Queries<BookDocument>) => listsByIds(library.authors, queries.map(({ obj }) => obj.authors.map(({ id }) => id))) },
    publisher: { opts, loader: async (queries: Queries<BookDocument>) => library.publishers(queries.map(({ obj }) => obj['pub-id'] ?? '')).map((found) => found ?? null) },
  },
  Author: {
    books: { opts, loader: async (queries: Queries<AuthorDocument>) => listsByIds(library.books, queries.map(({ obj }) => obj.books)) },
  },
  Portfolio: {
    owner: { opts, loader: async (queries: Queries<PortfolioDocument>) => library.people(queries.map(({ obj }) => obj.personId)) },
  },
  Holding: {
    stock: { opts, loader: async (queries: Queries<HoldingDocument>) => library.stocks(queries.map(({ obj }) => String(obj.stockId))) },
  },
}
type Queries<D> = readonly { readonly obj: D }[]

const app = Fastify(fastifyOptions)
await app.register(mercurius, {
  schema: typeDefs,
  resolvers: {
    Query: { ...Query, book: read(library.books), author: read(library.authors), publisher: read(library.publishers), stock: read(library.stocks) },
    Mutation, BookConnection, Author: { name: Author.name }, Person,
  } as never,
  context: async ({ headers }) => ({ viewer: await viewerOf(headers.authorization) }),
  loaders: loaders as unknown as MercuriusLoaders,
  jit: 1,
  graphiql: false,
})
await app.listen({ port: 0, host: '127.0.0.1' })
printReady((app.server.address() as AddressInfo).port)

/**
 * Mercurius serializes the whole parent to JSON as the key of a load. With a `toJSON` that returns the id, loaders are three
 * times as fast, so a user who needs the speed would do the same.
 */
function keyParentsById(): void {
  const books = library.page(Infinity, undefined)
  const authors = library.authors([...new Set(books.flatMap((book) => book.authors.map(({ id }) => id)))])
  for (const document of [...books, ...authors]) if (document) Object.defineProperty(document, 'toJSON', { value: () => document.id })
}
