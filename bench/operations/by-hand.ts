// The library as plain functions over its documents, to compute expected answers by hand.

import type { AuthorDocument, BookDocument, Documents } from '../peers/documents.ts'

export type ByHand = ReturnType<typeof byHand>

export function byHand({ books, authors, publishers, people, portfolios, stocks }: Documents) {
  const [bookById, authorById, publisherById, personById, stockById] = [keyed(books), keyed(authors), keyed(publishers), keyed(people), keyed(stocks)]
  return {
    books: sorted(books, ({ id }) => id),
    authors: sorted(authors, ({ id }) => id),
    publishers: sorted(publishers, ({ id }) => id),
    portfolios: sorted(portfolios, ({ id }) => id),
    book: (id: string): BookDocument => bookById.get(id)!,
    author: (id: string): AuthorDocument => authorById.get(id)!,
    publisher: (id: string) => publisherById.get(id)!,
    /** The name of a book's publisher, as an answer has it. */
    publisherOf: (book: BookDocument) => (book['pub-id'] === undefined ? null : { name: publisherById.get(book['pub-id'])!.name }),
    authorsOf: (book: BookDocument) => book.authors.map(({ id }) => authorById.get(id)!),
    booksOf: (author: AuthorDocument) => author.books.map((id) => bookById.get(id)!),
    person: (id: string) => personById.get(id)!,
    stock: (id: string | number) => stockById.get(String(id))!,
  }
}

export function nameOf({ firstName, lastName }: { readonly firstName: string; readonly lastName: string }): string {
  return `${firstName} ${lastName}`
}

/** Ordered by a value, and those with the same value by id. */
export function sorted<D extends { readonly id: string }>(documents: readonly D[], value: (document: D) => string | number): D[] {
  const before = (one: D, other: D): boolean => (value(one) === value(other) ? one.id < other.id : value(one) < value(other))
  return documents.toSorted((one, other) => (before(one, other) ? -1 : 1))
}

function keyed<D extends { readonly id: string }>(documents: readonly D[]): Map<string, D> {
  return new Map(documents.map((document) => [document.id, document]))
}
