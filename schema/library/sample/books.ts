// The authors, books and publishers of the sample: first those of the modelling patterns, then generated ones.
// seed.ts makes its documents with the same functions.

import type { Body, DocumentsByType, DocumentTools, DocumentWithBuckets } from '../../../src/index.ts'
import { fullName, thumbnailUrl, type Named, type Picture, type Pictured } from '../derive.ts'
import { bookTitle, personName, publisherNames } from './names.ts'
import { createRandom, distinct, type Random } from './random.ts'
import { reviewsOf } from './reviews.ts'

const authorCount = 120
const bookCount = 400

export type Author = Named & Pictured & { readonly id: string }
export type Book = {
  readonly id: string
  readonly name: string
  readonly year: number
  readonly authors: readonly Author[]
  readonly publisherId?: string
}

export type Publisher = { readonly id: string; readonly name: string }

export function sampleBooks(tools: DocumentTools): DocumentsByType {
  const authors = drawAuthors()
  const books = drawBooks(authors)
  const random = createRandom(3)
  const written = books.map((book, index) => bookDocument(tools, random, book, reviewCount(random, index + 1)))
  return {
    Author: authors.map((author) => authorDocument(author, booksBy(author, books))),
    Publisher: publishers.map((publisher) => publisherDocument(publisher, books.filter(({ publisherId }) => publisherId === publisher.id).length)),
    Book: written.map(({ document }) => document),
    books: written.flatMap(({ buckets }) => buckets),
  }
}

const thomas: Author = { id: 'a1', firstName: 'Thomas', lastName: 'Andersen', images: pictures('a1') }
const william: Author = { id: 'a2', firstName: 'William', lastName: 'Wakefield', images: pictures('a2') }

const patternBooks: readonly Book[] = [
  { id: 'b1', name: 'Azure Cosmos DB 101', year: 2018, authors: [thomas, william], publisherId: 'mspress' },
  { id: 'b2', name: 'Modelling Without Joins', year: 2020, authors: [thomas], publisherId: 'p2' },
  { id: 'b3', name: 'Notes from a Small Partition', year: 2023, authors: [thomas] },
]

const publishers = [
  { id: 'mspress', name: 'Microsoft Press' },
  ...publisherNames.map((name, index) => ({ id: `p${index + 1}`, name })),
]

function drawAuthors(): Author[] {
  const random = createRandom(1)
  const nextName = distinct(() => personName(random), fullName, [thomas, william].map(fullName))
  const others = Array.from({ length: authorCount - 2 }, (_, index) => {
    const id = `a${index + 3}`
    return { id, ...nextName(), images: somePictures(random, id) }
  })
  return [thomas, william, ...others]
}

function drawBooks([, ...others]: readonly Author[]): Book[] {
  const random = createRandom(2)
  const nextTitle = distinct(() => bookTitle(random), String, patternBooks.map(({ name }) => name))
  const rest = Array.from({ length: bookCount - patternBooks.length }, (_, index) => ({
    id: `b${index + patternBooks.length + 1}`,
    name: nextTitle(),
    year: random.between(1985, 2026),
    // Never Thomas, who wrote exactly the three books of the modelling patterns.
    authors: random.pickSome(others, 1 + random.skewedBelow(3)),
    ...somePublisher(random),
  }))
  return [...patternBooks, ...rest]
}

/** Microsoft Press has enough books for several pages; some books have no publisher. */
function somePublisher(random: Random): Pick<Book, 'publisherId'> {
  if (random.oneIn(20)) return {}
  return { publisherId: random.oneIn(5) ? 'mspress' : publishers[random.skewedBelow(publishers.length)]!.id }
}

/** The first four books show every way in which a list can spread over the document and its buckets. */
export function reviewCount(random: Random, book: number): number {
  const fixed = [230, 103, 3, 0][book - 1]
  return fixed ?? (book % 50 === 0 ? random.between(20, 60) : random.between(0, 12))
}

function booksBy({ id }: Author, books: readonly Book[]): string[] {
  return books.filter(({ authors }) => authors.some((author) => author.id === id)).map((book) => book.id)
}

export function authorDocument({ id, firstName, lastName, images = [] }: Author, bookIds: readonly string[]): Body {
  // Quire keeps such a list in the order of its ids as text: b10 comes before b2.
  const books = bookIds.toSorted()
  return { id, firstName, lastName, countOfBooks: books.length, books, images }
}

export function publisherDocument({ id, name }: Publisher, countOfBooks: number): Body {
  return { id, name, countOfBooks }
}

export function bookDocument({ withEntries }: DocumentTools, random: Random, { id, name, year, authors, publisherId }: Book, countOfReviews: number): DocumentWithBuckets {
  const snapshots = authors.map((author) => ({ id: author.id, name: fullName(author), thumbnailUrl: thumbnailUrl(author) }))
  // A book without a publisher lacks the property: a null would be indexed.
  const publisher = publisherId === undefined ? {} : { 'pub-id': publisherId }
  return withEntries('Book.reviews', { id, name, year, authors: snapshots, ...publisher }, reviewsOf(random, id, countOfReviews))
}

function pictures(id: string): Picture[] {
  return (['thumbnail', 'profile', 'large'] as const).map((size) => ({ [size]: `https://images.example/${id}/${size}.png` }))
}

/** Some authors have no picture, and some no thumbnail. */
export function somePictures(random: Random, id: string): Picture[] {
  if (random.oneIn(8)) return []
  return random.oneIn(10) ? pictures(id).slice(1) : pictures(id)
}
