// Operations that send the same request again and again, or the same few pages.

import { byHand, nameOf } from './by-hand.ts'
import type { Operation } from './operation.ts'
import { pageRequests } from './pages.ts'

const selectionA = '{ books(first: 50) { nodes { id name authors { id name } } } }'
const queryB = '{ books(first: 50) { nodes { name authors { name books { name publisher { name } } } } } }'
const point = '{ book(id: "b1") { name } }'
const page = 'query Page($first: Int, $after: String) { books(first: $first, after: $after) { nodes { id name } pageInfo { hasNextPage endCursor } } }'

export const sameRequests: readonly Operation[] = [
  {
    name: 'A',
    title: 'Fifty books with their authors',
    query: selectionA,
    lookedUp: `query @read(from: REFERENCE) ${selectionA}`,
    requests: (documents) => {
      const { books, authorsOf } = byHand(documents)
      const nodes = books.slice(0, 50).map((book) => ({ id: book.id, name: book.name, authors: authorsOf(book).map((author) => ({ id: author.id, name: nameOf(author) })) }))
      return [{ query: selectionA, expected: { books: { nodes } } }]
    },
  },
  {
    name: 'B',
    title: 'Fifty books, their authors, all books of those, and their publishers',
    query: queryB,
    requests: (documents) => {
      const { books, authorsOf, booksOf, publisherOf } = byHand(documents)
      const nodes = books.slice(0, 50).map((book) => ({
        name: book.name,
        authors: authorsOf(book).map((author) => ({ name: nameOf(author), books: booksOf(author).map((each) => ({ name: each.name, publisher: publisherOf(each) })) })),
      }))
      return [{ query: queryB, expected: { books: { nodes } } }]
    },
  },
  {
    name: 'point',
    title: 'One book by its id',
    query: point,
    requests: (documents) => [{ query: point, expected: { book: { name: byHand(documents).book('b1').name } } }],
  },
  {
    name: 'page',
    title: 'One page after the other, with variables',
    query: page,
    requests: (documents) => pageRequests(page, documents, Array.from({ length: 8 }, () => 50)),
  },
]
