// Grafast with grafserv on node:http, with loadOne and loadMany steps. By default it caches parsed documents and operation
// plans, and builds the JSON string during execution.

import { createServer } from 'node:http'
import { access, lambda, loadMany, loadOne, makeGrafastSchema, object, type FieldArgs, type Step } from 'grafast'
import { grafserv } from 'grafserv/node'
import { listsByIds, openLibrary, type AuthorDocument, type BookDocument } from './library.ts'
import { listen } from './listen.ts'
import { fullName, readPage, typeDefs, type PageArguments } from './schema.ts'

const library = openLibrary(process.env)
const booksByIds = (ids: readonly string[]) => library.books(ids)
const publishersByIds = (ids: readonly (string | undefined)[]) => library.publishers(ids.map((id) => id ?? ''))
const booksByLists = (lists: readonly (readonly string[])[]) => listsByIds(library.books, lists)
const authorsByLists = (lists: readonly BookDocument['authors'][]) => listsByIds(library.authors, lists.map((list) => list.map(({ id }) => id)))

const schema = makeGrafastSchema({
  typeDefs,
  objects: {
    Query: {
      plans: {
        book: (_: Step, args: FieldArgs) => loadOne(args.getRaw('id'), booksByIds),
        books: (_: Step, args: FieldArgs) =>
          lambda(object({ first: args.getRaw('first'), after: args.getRaw('after') }), (given) => readPage(library, given as PageArguments), true),
      },
    },
    BookConnection: { plans: { pageInfo: ($page: Step) => $page } },
    Book: {
      plans: {
        authors: ($book: Step<BookDocument>) => loadMany(access($book, 'authors'), authorsByLists),
        publisher: ($book: Step<BookDocument>) => loadOne(access($book, 'pub-id'), publishersByIds),
      },
    },
    Author: {
      plans: {
        name: ($author: Step<AuthorDocument>) => lambda($author, fullName, true),
        books: ($author: Step<AuthorDocument>) => loadMany(access($author, 'books'), booksByLists),
      },
    },
  },
})

const server = createServer()
await grafserv({ schema, preset: { grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false }, grafast: { explain: false } } }).addTo(server)
listen(server)
