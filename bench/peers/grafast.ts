// Grafast with grafserv on node:http, with loadOne and loadMany steps. By default it caches parsed documents and operation
// plans, and builds the JSON string during execution.

import { createServer } from 'node:http'
import { access, context, lambda, loadMany, loadOne, makeGrafastSchema, object, sideEffect, type FieldArgs, type Step } from 'grafast'
import { grafserv } from 'grafserv/node'
import type { AuthorDocument, BookDocument, HoldingDocument, PersonDocument, PortfolioDocument } from './documents.ts'
import { listsByIds, openLibrary } from './library.ts'
import { listen } from './listen.ts'
import { fullName, readPage, readPortfolios, renameAuthor, renamePublisher, typeDefs, type BookArguments } from './schema.ts'
import { viewerOf, type Viewer } from './viewer.ts'

const library = openLibrary(process.env)
const booksByIds = (ids: readonly string[]) => library.books(ids)
const authorsByIds = (ids: readonly string[]) => library.authors(ids)
const publishersByIds = (ids: readonly (string | undefined)[]) => library.publishers(ids.map((id) => id ?? ''))
const peopleByIds = (ids: readonly string[]) => library.people(ids)
const stocksByIds = (ids: readonly (string | number)[]) => library.stocks(ids.map(String))
const booksByLists = (lists: readonly (readonly string[])[]) => listsByIds(library.books, lists)
const authorsByLists = (lists: readonly BookDocument['authors'][]) => listsByIds(library.authors, lists.map((list) => list.map(({ id }) => id)))

interface Asked<I> {
  readonly given: I
  readonly viewer: Viewer | undefined
}

/** The argument and the viewer as one step. */
const asked = (given: Step) => object({ given, viewer: access(context(), 'viewer') })

const schema = makeGrafastSchema({
  typeDefs,
  objects: {
    Query: {
      plans: {
        book: (_: Step, args: FieldArgs) => loadOne(args.getRaw('id'), booksByIds),
        books: (_: Step, args: FieldArgs) => {
          const given = object({ first: args.getRaw('first'), after: args.getRaw('after'), filter: args.getRaw('filter'), orderBy: args.getRaw('orderBy') })
          return lambda(given, (known) => readPage(library, known as BookArguments), true)
        },
        author: (_: Step, args: FieldArgs) => loadOne(args.getRaw('id'), authorsByIds),
        authors: (_: Step, args: FieldArgs) => lambda(args.getRaw('first'), (first) => ({ nodes: library.firstAuthors(first as number) }), true),
        publisher: (_: Step, args: FieldArgs) => loadOne(args.getRaw('id'), publishersByIds),
        publishers: (_: Step, args: FieldArgs) => lambda(args.getRaw('first'), (first) => ({ nodes: library.firstPublishers(first as number) }), true),
        portfolios: (_: Step, args: FieldArgs) => lambda(asked(args.getRaw('first')), (known) => {
          const { given, viewer } = known as Asked<number>
          return readPortfolios(library, { first: given }, viewer)
        }, true),
        stock: (_: Step, args: FieldArgs) => loadOne(args.getRaw('id'), stocksByIds),
      },
    },
    Mutation: {
      plans: {
        updateAuthor: (_: Step, args: FieldArgs) => sideEffect(asked(args.getRaw('input')), (known) => {
          const { given, viewer } = known as Asked<{ id: string; lastName: string }>
          return renameAuthor(library, given, viewer)
        }),
        updatePublisher: (_: Step, args: FieldArgs) => sideEffect(asked(args.getRaw('input')), (known) => {
          const { given, viewer } = known as Asked<{ id: string; name: string }>
          return renamePublisher(library, given, viewer)
        }),
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
    Portfolio: { plans: { owner: ($portfolio: Step<PortfolioDocument>) => loadOne(access($portfolio, 'personId'), peopleByIds) } },
    Person: { plans: { name: ($person: Step<PersonDocument>) => lambda($person, fullName, true) } },
    Holding: { plans: { stock: ($holding: Step<HoldingDocument>) => loadOne(access($holding, 'stockId'), stocksByIds) } },
  },
})

const server = createServer()
await grafserv({
  schema,
  preset: {
    grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false },
    grafast: { explain: false, context: async ({ node }) => ({ viewer: await viewerOf(node?.req.headers.authorization) }) },
  },
}).addTo(server)
listen(server)
