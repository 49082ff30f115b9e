// A library of any number of documents, the same every time: the words and the shapes of the sample,
// which itself has only so many names to give. Of a hundred documents about 77 are books, 22 authors
// and 1 a publisher. It is made in batches, since a million documents need not be there at once.

import type { Model } from '../../src/model/model.ts'
import { fullName } from '../../src/library/derive.ts'
import { bookTitle, personName, publisherNames } from '../../src/library/sample-names.ts'
import { put } from '../../src/library/sample-put.ts'
import { createRandom } from '../../src/library/sample-random.ts'
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
  const shelf = fillShelf(sizes)
  const names = authorNames(sizes.authors)
  yield* batches(sizes.publishers, (index) => put(model, 'Publisher', { id: `p${index + 1}`, name: publisherName(index), countOfBooks: shelf.booksOfPublisher[index]! }))
  yield* batches(sizes.authors, (index) => {
    // Ordered the way Quire keeps such a list.
    const books = shelf.booksOfAuthor[index]!.map((book) => `b${book + 1}`).toSorted(compareText)
    return put(model, 'Author', { id: `a${index + 1}`, ...names[index]!, countOfBooks: books.length, books, images: [] })
  })
  const random = createRandom(23)
  yield* batches(sizes.books, (index) => {
    const authors = shelf.authorsOfBook[index]!.map((author) => ({ id: `a${author + 1}`, name: fullName(names[author]!), thumbnailUrl: null }))
    return put(model, 'Book', {
      id: `b${index + 1}`, name: bookTitle(random), year: random.between(1985, 2026), authors,
      'pub-id': `p${shelf.publisherOfBook[index]! + 1}`, countOfReviews: 0, recentReviews: [],
    })
  })
}

interface LevelLoader {
  readonly authorsOfBook: readonly number[][]
  readonly booksOfAuthor: readonly number[][]
  readonly publisherOfBook: readonly number[]
  readonly booksOfPublisher: readonly number[]
}

/** Who wrote what and who brought it out, by number. */
function fillShelf({ books, authors, publishers }: Sizes): LevelLoader {
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

function* batches(count: number, make: (index: number) => Write): Generator<Write[]> {
  for (let start = 0; start < count; start += batchSize) yield Array.from({ length: Math.min(batchSize, count - start) }, (_, at) => make(start + at))
}
