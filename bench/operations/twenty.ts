// The twenty operations of the mix, as an application would send them. Each takes the number of its request, from which its
// variables follow.

import type { Documents } from '../peers/documents.ts'
import { byHand, nameOf, sorted, type ByHand } from './by-hand.ts'
import type { Request } from './operation.ts'

type Make = (documents: Documents, at: number) => Request

export const twentyOperations: readonly Make[] = [
  list('{ books(first: 20) { nodes { id name } } }', ({ books }) => ({ books: { nodes: books.slice(0, 20).map(({ id, name }) => ({ id, name })) } })),
  list('{ books(first: 20) { nodes { name authors { name } } } }', (hand) => ({ books: { nodes: hand.books.slice(0, 20).map((book) => ({ name: book.name, authors: authorNames(hand, book.id) })) } })),
  list('{ books(first: 20) { nodes { name publisher { name } } } }', ({ books, publisherOf }) => ({ books: { nodes: books.slice(0, 20).map((book) => ({ name: book.name, publisher: publisherOf(book) })) } })),
  list('{ books(first: 10) { nodes { name authors { name books { name publisher { name } } } } } }', (hand) => ({
    books: { nodes: hand.books.slice(0, 10).map((book) => ({ name: book.name, authors: hand.authorsOf(book).map((author) => ({ name: nameOf(author), books: withPublishers(hand, author.id) })) })) },
  })),
  ofBook('query ($id: ID!) { book(id: $id) { name year } }', (_, { name, year }) => ({ name, year })),
  ofBook('query ($id: ID!) { book(id: $id) { id name authors { id name } } }', ({ authorsOf }, book) => ({ id: book.id, name: book.name, authors: authorsOf(book).map((author) => ({ id: author.id, name: nameOf(author) })) })),
  ofBook('query ($id: ID!) { book(id: $id) { name publisher { name } } }', ({ publisherOf }, book) => ({ name: book.name, publisher: publisherOf(book) })),
  ofBook('query ($id: ID!) { book(id: $id) { name authors { books { name } } } }', (hand, book) => ({ name: book.name, authors: hand.authorsOf(book).map((author) => ({ books: hand.booksOf(author).map(({ name }) => ({ name })) })) })),
  ofAuthor('query ($id: ID!) { author(id: $id) { id name } }', (_, author) => ({ id: author.id, name: nameOf(author) })),
  ofAuthor('query ($id: ID!) { author(id: $id) { name books { id name year } } }', ({ booksOf }, author) => ({ name: nameOf(author), books: booksOf(author).map(({ id, name, year }) => ({ id, name, year })) })),
  ofAuthor('query ($id: ID!) { author(id: $id) { books { name publisher { name } } } }', (hand, author) => ({ books: withPublishers(hand, author.id) })),
  ofPublisher('query ($id: ID!) { publisher(id: $id) { id name } }', ({ id, name }) => ({ id, name })),
  list('{ publishers(first: 10) { nodes { id name } } }', ({ publishers }) => ({ publishers: { nodes: publishers.slice(0, 10).map(({ id, name }) => ({ id, name })) } })),
  list('{ authors(first: 20) { nodes { id name } } }', ({ authors }) => ({ authors: { nodes: authors.slice(0, 20).map((author) => ({ id: author.id, name: nameOf(author) })) } })),
  list('{ authors(first: 10) { nodes { name books { name } } } }', (hand) => ({ authors: { nodes: hand.authors.slice(0, 10).map((author) => ({ name: nameOf(author), books: hand.booksOf(author).map(({ name }) => ({ name })) })) } })),
  list('{ books(first: 10, orderBy: { field: YEAR, direction: DESC }) { nodes { name year } } }', ({ books }) => ({ books: { nodes: sorted(books, ({ year }) => year).toReversed().slice(0, 10).map(({ name, year }) => ({ name, year })) } })),
  (documents, at) => {
    const query = 'query ($filter: BookFilter) { books(first: 10, filter: $filter, orderBy: { field: NAME, direction: ASC }) { nodes { name year } } }'
    const from = 1990 + (at % 30)
    const matching = sorted(documents.books.filter(({ year }) => year >= from && year <= from + 3), ({ name }) => name)
    return { query, variables: { filter: { year: { gte: from, lte: from + 3 } } }, expected: { books: { nodes: matching.slice(0, 10).map(({ name, year }) => ({ name, year })) } } }
  },
  (documents, at) => {
    const query = 'query ($filter: BookFilter) { books(first: 10, filter: $filter) { nodes { id name } } }'
    const { id: publisherId } = turn(documents.publishers, at)
    const matching = byHand(documents).books.filter((book) => book['pub-id'] === publisherId)
    return { query, variables: { filter: { publisherId: { eq: publisherId } } }, expected: { books: { nodes: matching.slice(0, 10).map(({ id, name }) => ({ id, name })) } } }
  },
  list('{ portfolios(first: 5) { nodes { name holdings { numberHeld stock { symbol } } } } }', (hand) => ({
    portfolios: { nodes: hand.portfolios.slice(0, 5).map(({ name, holdings }) => ({ name, holdings: holdings.map(({ numberHeld, stockId }) => ({ numberHeld, stock: { symbol: hand.stock(stockId).symbol } })) })) },
  })),
  (documents, at) => {
    const { id, symbol, high, low } = turn(documents.stocks, at)
    return { query: 'query ($id: ID!) { stock(id: $id) { symbol high low } }', variables: { id }, expected: { stock: { symbol, high, low } } }
  },
]

function list(query: string, expected: (hand: ByHand) => unknown): Make {
  return (documents) => ({ query, expected: expected(byHand(documents)) })
}

function ofBook(query: string, expected: (hand: ByHand, book: Documents['books'][number]) => unknown): Make {
  return (documents, at) => {
    const book = turn(documents.books, at)
    return { query, variables: { id: book.id }, expected: { book: expected(byHand(documents), book) } }
  }
}

function ofAuthor(query: string, expected: (hand: ByHand, author: Documents['authors'][number]) => unknown): Make {
  return (documents, at) => {
    const author = turn(documents.authors, at)
    return { query, variables: { id: author.id }, expected: { author: expected(byHand(documents), author) } }
  }
}

function ofPublisher(query: string, expected: (publisher: Documents['publishers'][number]) => unknown): Make {
  return (documents, at) => {
    const publisher = turn(documents.publishers, at)
    return { query, variables: { id: publisher.id }, expected: { publisher: expected(publisher) } }
  }
}

function authorNames(hand: ByHand, bookId: string) {
  return hand.authorsOf(hand.book(bookId)).map((author) => ({ name: nameOf(author) }))
}

function withPublishers(hand: ByHand, authorId: string) {
  return hand.booksOf(hand.author(authorId)).map((book) => ({ name: book.name, publisher: hand.publisherOf(book) }))
}

/** A prime step, so that neighbouring requests are about documents far apart. */
function turn<D>(documents: readonly D[], at: number): D {
  return documents[(at * 7) % documents.length]!
}
