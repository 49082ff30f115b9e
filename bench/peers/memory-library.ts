// Documents in memory: a Map for ids, and books sorted once for each order, so that no request sorts.

import type { BookDocument, Documents } from './documents.ts'
import type { ByIds, Library, Search } from './library.ts'

export function memoryLibrary({ books, authors, publishers, people, portfolios, stocks }: Documents): Library {
  const sorted = { ID: byId(books), NAME: sortedBy(books, ({ name }) => name), YEAR: sortedBy(books, ({ year }) => year) }
  const reversed = { ID: sorted.ID.toReversed(), NAME: sorted.NAME.toReversed(), YEAR: sorted.YEAR.toReversed() }
  const positions = new Map(sorted.ID.map(({ id }, position) => [id, position]))
  const [authorsById, publishersById, portfoliosById] = [byId(authors), byId(publishers), byId(portfolios)]
  const [readAuthors, readPublishers] = [readerOf(authors), readerOf(publishers)]
  return {
    books: readerOf(books),
    authors: readAuthors,
    publishers: readPublishers,
    people: readerOf(people),
    stocks: readerOf(stocks),
    page(first, after) {
      const start = after === undefined ? 0 : positions.get(after)! + 1
      return sorted.ID.slice(start, start + first)
    },
    search: (search) => firstMatches((search.descending ? reversed : sorted)[search.field], search),
    firstAuthors: (first) => authorsById.slice(0, first),
    firstPublishers: (first) => publishersById.slice(0, first),
    firstPortfolios: (first) => portfoliosById.slice(0, first),
    renameAuthor: (id, lastName) => Object.assign(readAuthors([id])[0]!, { lastName }),
    renamePublisher: (id, name) => Object.assign(readPublishers([id])[0]!, { name }),
  }
}

function firstMatches(books: readonly BookDocument[], { first, from, to, publisherId }: Search): BookDocument[] {
  const found: BookDocument[] = []
  for (const book of books) {
    if (from != null && book.year < from) continue
    if (to != null && book.year > to) continue
    if (publisherId != null && book['pub-id'] !== publisherId) continue
    if (found.push(book) === first) break
  }
  return found
}

function byId<D extends { readonly id: string }>(documents: readonly D[]): D[] {
  return sortedBy(documents, ({ id }) => id)
}

function sortedBy<D extends { readonly id: string }>(documents: readonly D[], value: (document: D) => string | number): D[] {
  return documents.toSorted((one, other) => compare(value(one), value(other)) || compare(one.id, other.id))
}

function compare(one: string | number, other: string | number): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function readerOf<D extends { readonly id: string }>(documents: readonly D[]): ByIds<D> {
  const documentById = new Map(documents.map((document) => [document.id, document]))
  return (ids) => ids.map((id) => documentById.get(id))
}
