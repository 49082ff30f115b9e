// Operations whose variables differ from request to request, and one that needs a token.

import { byHand, nameOf, sorted } from './by-hand.ts'
import type { Operation } from './operation.ts'
import { pageRequests } from './pages.ts'

const pages = 'query Pages($first: Int, $after: String) { books(first: $first, after: $after) { nodes { id name } pageInfo { hasNextPage endCursor } } }'
const search = 'query Search($filter: BookFilter, $orderBy: [BookOrder!]) { books(first: 20, filter: $filter, orderBy: $orderBy) { nodes { id name year } } }'
const book = 'query Book($id: ID!) { book(id: $id) { name year } }'
const portfolios = '{ portfolios(first: 20) { nodes { name owner { name } holdings { numberHeld stock { symbol high low } } } } }'

/** From 10 to 50, in no simple rhythm, so that the second walk through the list has other pages than the first. */
const pageSizes = Array.from({ length: 60 }, (_, at) => 10 + ((7 * at * at) % 41))
const years = Array.from({ length: 30 }, (_, at) => 1990 + at)
const orders = [
  { field: 'NAME', direction: 'ASC' },
  { field: 'YEAR', direction: 'DESC' },
  { field: 'NAME', direction: 'DESC' },
  { field: 'YEAR', direction: 'ASC' },
] as const

export const varyingRequests: readonly Operation[] = [
  {
    name: 'pages',
    title: 'Pages of varying size, one after the other',
    query: pages,
    requests: (documents) => pageRequests(pages, documents, pageSizes),
  },
  {
    name: 'search',
    title: 'Twenty books by filter and order, with varying values',
    query: search,
    requests: (documents) => years.flatMap((from) => orders.map(({ field, direction }, at) => {
      const to = from + 2 + at
      const matching = sorted(documents.books.filter(({ year }) => year >= from && year <= to), ({ name, year }) => (field === 'NAME' ? name : year))
      const nodes = (direction === 'ASC' ? matching : matching.toReversed()).slice(0, 20).map(({ id, name, year }) => ({ id, name, year }))
      return { query: search, variables: { filter: { year: { gte: from, lte: to } }, orderBy: { field, direction } }, expected: { books: { nodes } } }
    })),
  },
  {
    name: 'ids',
    title: 'One book by a varying id',
    query: book,
    requests: ({ books }) => books.map(({ id, name, year }) => ({ query: book, variables: { id }, expected: { book: { name, year } } })),
  },
  {
    name: 'portfolios',
    title: 'Twenty portfolios, with a token',
    query: portfolios,
    signedIn: true,
    requests: (documents) => {
      const hand = byHand(documents)
      const nodes = hand.portfolios.slice(0, 20).map(({ name, personId, holdings }) => ({
        name,
        owner: { name: nameOf(hand.person(personId)) },
        holdings: holdings.map(({ numberHeld, stockId }) => {
          const { symbol, high, low } = hand.stock(stockId)
          return { numberHeld, stock: { symbol, high, low } }
        }),
      }))
      return [{ query: portfolios, expected: { portfolios: { nodes } } }]
    },
  },
]
