// The operations of the throughput comparison with their expected answers. The expected answers are computed from the documents
// by hand, so that no GraphQL engine, Quire included, defines what is correct.

import type { AuthorDocument, BookDocument, Documents } from './peers/library.ts'

export interface Operation {
  readonly name: string
  readonly title: string
  readonly query: string
  /** For operations that Quire answers from snapshots: the same operation without snapshots, as the peers run it. */
  readonly lookedUp?: string
  /** For an operation sent once per page: each request after the first uses the `endCursor` of the previous answer. */
  readonly pages?: { readonly first: number; readonly count: number } | undefined
  /** The expected `data`, one for each request. */
  readonly expected: (documents: Documents) => unknown[]
}

const selectionA = '{ books(first: 50) { nodes { id name authors { id name } } } }'
const pageSize = 50
const pageCount = 8

export const operations: readonly Operation[] = [
  {
    name: 'A',
    title: 'Fifty books with their authors',
    query: selectionA,
    lookedUp: `query @read(from: REFERENCE) ${selectionA}`,
    expected: (documents) => {
      const { books, author } = indexed(documents)
      return [{ books: { nodes: books.slice(0, 50).map(({ id, name, authors }) => ({ id, name, authors: authors.map((each) => ({ id: each.id, name: author(each.id).name })) })) } }]
    },
  },
  {
    name: 'B',
    title: 'Fifty books, their authors, all books of those, and their publishers',
    query: '{ books(first: 50) { nodes { name authors { name books { name publisher { name } } } } } }',
    expected: (documents) => {
      const { books, author, book, publisher } = indexed(documents)
      const published = (id: string) => ({ name: book(id).name, publisher: publisher(book(id)) })
      const written = (id: string) => ({ name: author(id).name, books: author(id).books.map(published) })
      return [{ books: { nodes: books.slice(0, 50).map(({ name, authors }) => ({ name, authors: authors.map(({ id }) => written(id)) })) } }]
    },
  },
  {
    name: 'point',
    title: 'One book by its id',
    query: '{ book(id: "b1") { name } }',
    expected: (documents) => [{ book: { name: indexed(documents).book('b1').name } }],
  },
  {
    name: 'page',
    title: 'One page after the other, with variables',
    query: 'query Page($first: Int, $after: String) { books(first: $first, after: $after) { nodes { id name } pageInfo { hasNextPage endCursor } } }',
    pages: { first: pageSize, count: pageCount },
    expected: (documents) => {
      const { books } = indexed(documents)
      return Array.from({ length: pageCount }, (_, page) => {
        const [start, end] = [page * pageSize, (page + 1) * pageSize]
        const nodes = books.slice(start, end).map(({ id, name }) => ({ id, name }))
        return { books: { nodes, pageInfo: { hasNextPage: books.length > end, endCursor: Buffer.from(nodes.at(-1)!.id).toString('base64url') } } }
      })
    },
  },
]

export interface Answer {
  readonly data?: unknown
  readonly errors?: unknown
}

export type Ask = (body: string) => Promise<Answer>

/** The request bodies of an operation for one server, which needs its own cursors. */
export async function requestsFor(query: string, { pages }: Pick<Operation, 'pages'>, ask: Ask): Promise<string[]> {
  if (!pages) return [JSON.stringify({ query })]
  const bodies: string[] = []
  let after: string | undefined
  for (let page = 0; page < pages.count; page++) {
    const body = JSON.stringify({ query, variables: { first: pages.first, ...(after === undefined ? {} : { after }) } })
    bodies.push(body)
    after = ((await ask(body)).data as { books: { pageInfo: { endCursor: string } } } | undefined)?.books.pageInfo.endCursor
  }
  return bodies
}

/** Cursors differ from server to server, so only their presence is compared. */
export function comparable(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer, (key, value: unknown) => (key === 'endCursor' && typeof value === 'string' ? 'a cursor' : value)))
}

function named({ firstName, lastName, books }: AuthorDocument) {
  return { name: `${firstName} ${lastName}`, books }
}

function indexed({ books, authors, publishers }: Documents) {
  const bookById = new Map(books.map((book) => [book.id, book]))
  const authorById = new Map(authors.map((author) => [author.id, author]))
  const publisherById = new Map(publishers.map((publisher) => [publisher.id, publisher]))
  return {
    books: books.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    book: (id: string): BookDocument => bookById.get(id)!,
    author: (id: string) => named(authorById.get(id)!),
    publisher: (book: BookDocument) => (book['pub-id'] === undefined ? null : { name: publisherById.get(book['pub-id'])!.name }),
  }
}
