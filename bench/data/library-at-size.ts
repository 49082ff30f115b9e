// A library of any number of documents, the same every time, with the names and shapes of the sample. About 77 % are books,
// 22 % authors and 1 % publishers. A generator makes it in batches, so that a million documents need not fit in memory.

import type { Body } from '../../src/model/json/json.ts'
import type { Model } from '../../src/model/model.ts'
import { fullName } from '../../schema/library/derive.ts'
import { bookTitle, personName, publisherNames } from '../../schema/library/sample/names.ts'
import { createRandom } from '../../schema/library/sample/random.ts'
import { placeDocuments } from '../../src/serve/schema-folder/place-documents.ts'
import { compareText } from '../../src/model/keys/compare-scalars.ts'
import type { Write } from '../../src/store/store.ts'

const batchSize = 1000

export interface Sizes {
  readonly books: number
  readonly authors: number
  readonly publishers: number
}

export function sizesFor(documents: number): Sizes {
  const publishers = Math.round(documents * 0.01)
  const authors = Math.round(documents * 0.22)
  return { books: documents - authors - publishers, authors, publishers }
}

export function* libraryOfSize(model: Model, documents: number): Generator<Write[]> {
  const sizes = sizesFor(documents)
  const shelf = linkBooks(sizes)
  const names = authorNames(sizes.authors)
  yield* batches(model, 'Publisher', sizes.publishers, (index) => ({ id: `p${index + 1}`, name: publisherName(index), countOfBooks: shelf.booksOfPublisher[index]! }))
  yield* batches(model, 'Author', sizes.authors, (index) => {
    // In the order in which Quire stores such a list.
    const books = shelf.booksOfAuthor[index]!.map((book) => `b${book + 1}`).toSorted(compareText)
    return { id: `a${index + 1}`, ...names[index]!, countOfBooks: books.length, books, images: [] }
  })
  const random = createRandom(23)
  yield* batches(model, 'Book', sizes.books, (index) => {
    const authors = shelf.authorsOfBook[index]!.map((author) => ({ id: `a${author + 1}`, name: fullName(names[author]!), thumbnailUrl: null }))
    return {
      id: `b${index + 1}`, name: bookTitle(random), year: random.between(1985, 2026), authors,
      'pub-id': `p${shelf.publisherOfBook[index]! + 1}`, countOfReviews: 0, recentReviews: [],
    }
  })
}

interface Shelf {
  readonly authorsOfBook: readonly number[][]
  readonly booksOfAuthor: readonly number[][]
  readonly publisherOfBook: readonly number[]
  readonly booksOfPublisher: readonly number[]
}

/** Authors and publishers of books, by number. */
function linkBooks({ books, authors, publishers }: Sizes): Shelf {
  const random = createRandom(21)
  const shelf = {
    authorsOfBook: Array.from({ length: books }, (): number[] => []),
    booksOfAuthor: Array.from({ length: authors }, (): number[] => []),
    publisherOfBook: Array.from({ length: books }, () => random.below(publishers)),
    booksOfPublisher: Array.from({ length: publishers }, () => 0),
  }
  for (const [book, written] of shelf.authorsOfBook.entries()) {
    const wanted = 1 + random.skewedBelow(3)
    while (written.length < wanted) {
      const author = random.below(authors)
      if (!written.includes(author)) written.push(author)
    }
    for (const author of written) shelf.booksOfAuthor[author]!.push(book)
    shelf.booksOfPublisher[shelf.publisherOfBook[book]!]!++
  }
  return shelf
}

function authorNames(count: number) {
  const random = createRandom(22)
  return Array.from({ length: count }, () => personName(random))
}

function publisherName(index: number): string {
  return `${publisherNames[index % publisherNames.length]!} ${Math.floor(index / publisherNames.length) + 1}`
}

function* batches(model: Model, type: string, count: number, make: (index: number) => Body): Generator<Write[]> {
  for (let start = 0; start < count; start += batchSize) {
    const bodies = Array.from({ length: Math.min(batchSize, count - start) }, (_, at) => make(start + at))
    yield placeDocuments(model, { [type]: bodies }, 'library-at-size.ts')
  }
}
