// Mercurius with its JIT and its own loaders, which gather what one level asks for.

import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import mercurius, { type MercuriusLoaders } from 'mercurius'
import { listsByIds, openLibrary, type AuthorDocument, type BookDocument } from './library.ts'
import { say } from './listen.ts'
import { createResolvers, typeDefs } from './schema.ts'

const library = openLibrary(process.env)
const { Query, BookConnection, Author } = createResolvers(library)
nameParents()

// Within a level equal parents are one even without the cache, and no parent is met on two levels.
const opts = { cache: false }
const loaders = {
  Book: {
    authors: { opts, loader: async (queries: Queries<BookDocument>) => listsByIds(library.authors, queries.map(({ obj }) => obj.authors.map(({ id }) => id))) },
    publisher: { opts, loader: async (queries: Queries<BookDocument>) => library.publishers(queries.map(({ obj }) => obj['pub-id'] ?? '')).map((found) => found ?? null) },
  },
  Author: {
    books: { opts, loader: async (queries: Queries<AuthorDocument>) => listsByIds(library.books, queries.map(({ obj }) => obj.books)) },
  },
}
type Queries<D> = readonly { readonly obj: D }[]

const app = Fastify({ logger: false })
await app.register(mercurius, {
  schema: typeDefs,
  resolvers: { Query: { ...Query, book: (_: unknown, { id }: { id: string }) => library.books([id])[0] }, BookConnection, Author: { name: Author.name } },
  loaders: loaders as unknown as MercuriusLoaders,
  jit: 1,
  graphiql: false,
})
await app.listen({ port: 0, host: '127.0.0.1' })
say((app.server.address() as AddressInfo).port)

/**
 * The loaders' key is the whole parent as JSON. Documents that give their id instead make them
 * three times as fast, which is what someone who needs the speed would do.
 */
function nameParents(): void {
  const books = library.page(Infinity, undefined)
  const authors = library.authors([...new Set(books.flatMap((book) => book.authors.map(({ id }) => id)))])
  for (const document of [...books, ...authors]) if (document) Object.defineProperty(document, 'toJSON', { value: () => document.id })
}
