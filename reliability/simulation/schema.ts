// The documents of the simulated world: authors whose fields are copied into books, lists and counts of them, and what readers ask.

import { parse } from 'graphql'
import type { ChangeEvent, ResolverContext, StoredDocument } from '../../src/index.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'

export const typeDefs = parse(`
  type Author @document(container: "authors") {
    id: ID!
    name: String!
    motto: String!
    note: String!
    books: [Book!]! @reference(at: "books", inverseOf: "Book.authors")
    countOfBooks: Int! @counted(relation: "books")
  }
  type Book @document(container: "books") {
    id: ID!
    title: String!
    authors: [Author!]! @snapshot(at: "authors", fields: ["name", "motto"])
  }
  type Subscription { authorChanged(after: String): Author! }
`)

export const declaration = readDeclaration(typeDefs)

export const resolvers = {
  Subscription: {
    authorChanged: {
      subscribe: (_: unknown, { after }: { after?: string | null }, { quire }: ResolverContext) => quire.changes.of('Author', after),
      resolve: ({ document }: ChangeEvent): StoredDocument => document,
    },
  },
}

export const authors = ['a1', 'a2', 'a3']
export const books = ['b1', 'b2']

/** The value of every register before the first write. */
export const first = 'first'
