// The authors, books and publishers of the sample: first the handful that everyone who knows the
// modelling patterns will recognise, then made-up ones around them. Reviews are in sample-reviews.ts.

import type { Model } from '../model/model.ts'
import { compareText } from '../model/keys/compare-scalars.ts'
import type { Write } from '../store/store.ts'
import { fullName, thumbnailUrl, type Named, type Picture, type Pictured } from './derive.ts'
import { bookTitle, personName, publisherNames } from './sample-names.ts'
import { put } from './sample-put.ts'
import { createRandom, distinct, type Random } from './sample-random.ts'
import { reviewed } from './sample-reviews.ts'

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

export function bookDocuments(model: Model): Write[] {
  const authors = sampleAuthors()
  const books = sampleBooks(authors)
  const random = createRandom(3)
  return [
    ...authors.map((author) => authorWrite(model, author, books)),
    ...publishers.map((publisher) => publisherWrite(model, publisher, books)),
    ...books.flatMap((book, index) => bookWrites(model, random, book, reviewCount(random, index + 1))),
  ]
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

function sampleAuthors(): Author[] {
  const random = createRandom(1)
  const nextName = distinct(() => personName(random), fullName, [thomas, william].map(fullName))
  const others = Array.from({ length: authorCount - 2 }, (_, index) => {
    const id = `a${index + 3}`
    return { id, ...nextName(), images: somePictures(random, id) }
  })
  return [thomas, william, ...others]
}

function sampleBooks([, ...others]: readonly Author[]): Book[] {
  const random = createRandom(2)
  const nextTitle = distinct(() => bookTitle(random), String, patternBooks.map(({ name }) => name))
  const rest = Array.from({ length: bookCount - patternBooks.length }, (_, index) => ({
    id: `b${index + patternBooks.length + 1}`,
    name: nextTitle(),
    year: random.between(1985, 2026),
    // Never Thomas, who has exactly the three books of the patterns.
    authors: random.pickSome(others, 1 + random.skewedBelow(3)),
    ...somePublisher(random),
  }))
  return [...patternBooks, ...rest]
}

/** Microsoft Press has so many books that they fill several pages; now and then a book has no publisher. */
function somePublisher(random: Random): Pick<Book, 'publisherId'> {
  if (random.oneIn(20)) return {}
  return { publisherId: random.oneIn(5) ? 'mspress' : publishers[random.skewedBelow(publishers.length)]!.id }
}

/** The first four show every way a list can lie across the book and its buckets. */
export function reviewCount(random: Random, book: number): number {
  const fixed = [230, 103, 3, 0][book - 1]
  return fixed ?? (book % 50 === 0 ? random.between(20, 60) : random.between(0, 12))
}

function authorWrite(model: Model, author: Author, all: readonly Book[]): Write {
  return authorPut(model, author, all.filter(({ authors }) => authors.some(({ id }) => id === author.id)).map((book) => book.id))
}

export function authorPut(model: Model, { id, firstName, lastName, images = [] }: Author, bookIds: readonly string[]): Write {
  // Ordered the way Quire keeps such a list: b10 comes before b2.
  const books = bookIds.toSorted(compareText)
  return put(model, 'Author', { id, firstName, lastName, countOfBooks: books.length, books, images })
}

function publisherWrite(model: Model, publisher: Publisher, all: readonly Book[]): Write {
  return publisherPut(model, publisher, all.filter(({ publisherId }) => publisherId === publisher.id).length)
}

export function publisherPut(model: Model, { id, name }: Publisher, countOfBooks: number): Write {
  return put(model, 'Publisher', { id, name, countOfBooks })
}

export function bookWrites(model: Model, random: Random, { id, name, year, authors, publisherId }: Book, countOfReviews: number): Write[] {
  const { recent, buckets } = reviewed(model, random, id, countOfReviews)
  const snapshots = authors.map((author) => ({ id: author.id, name: fullName(author), thumbnailUrl: thumbnailUrl(author) }))
  // A book without a publisher lacks the property altogether: null would be a value to index.
  const publisher = publisherId === undefined ? {} : { 'pub-id': publisherId }
  const body = { id, name, year, authors: snapshots, ...publisher, countOfReviews, recentReviews: recent }
  return [put(model, 'Book', body), ...buckets]
}

function pictures(id: string): Picture[] {
  return (['thumbnail', 'profile', 'large'] as const).map((size) => ({ [size]: `https://images.example/${id}/${size}.png` }))
}

/** Some have no picture, and some none that is small enough for a list. */
export function somePictures(random: Random, id: string): Picture[] {
  if (random.oneIn(8)) return []
  return random.oneIn(10) ? pictures(id).slice(1) : pictures(id)
}
