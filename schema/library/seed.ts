// Documents of the sample's shapes for `quire seed`, as many books as the user asks for. Which authors wrote which book is
// drawn first and kept as numbers, a few bytes per book; everything else about a document follows from its own number, so
// any batch can be generated without the others, and comes out the same in every run.

import type { DocumentsByType, DocumentTools, Seed } from '../../src/index.ts'
import { authorDocument, bookDocument, publisherDocument, reviewCount, somePictures, type Author } from './sample/books.ts'
import { bookTitle, personName, publisherNames } from './sample/names.ts'
import { createRandom, type Random } from './sample/random.ts'

export const seed: Seed = {
  singular: 'book',
  plural: 'books',
  // With authors, publishers and buckets a little more than a million documents.
  max: 500_000,
  batches,
  total: (books) => authorsFor(books) + publishersFor(books) + books,
}

function* batches(books: number, tools: DocumentTools): Generator<DocumentsByType> {
  const authors = authorsFor(books)
  const publishers = publishersFor(books)
  const links = drawLinks(books, authors, publishers)
  const authorOf = (index: number): Author => {
    const random = randomOf(1, index)
    const id = `${books}-a${index + 1}`
    return { id, ...personName(random), images: somePictures(random, id) }
  }
  const written = invert(links.authors, authors)
  for (let index = 0; index < authors; index++) {
    yield { Author: [authorDocument(authorOf(index), written.of(index).map((slot) => bookId(books, Math.floor(slot / maxAuthors))))] }
  }
  const published = invert(links.publishers, publishers)
  for (let index = 0; index < publishers; index++) {
    yield { Publisher: [publisherDocument({ id: publisherId(books, index), name: publisherName(index) }, published.of(index).length)] }
  }
  for (let index = 0; index < books; index++) {
    const random = randomOf(2, index)
    const ids = links.authors.subarray(index * maxAuthors, (index + 1) * maxAuthors).filter((author) => author >= 0)
    const publisher = links.publishers[index]!
    const { document, buckets } = bookDocument(tools, random, {
      id: bookId(books, index), name: bookTitle(random), year: random.between(1985, 2026), authors: [...ids].map(authorOf),
      ...(publisher < 0 ? {} : { publisherId: publisherId(books, publisher) }),
    }, reviewCount(random, index + 1))
    yield { Book: [document], books: buckets }
  }
}

/** As many authors and publishers per book as the sample has. */
function authorsFor(books: number): number {
  return Math.max(3, Math.ceil(books * 0.3))
}

function publishersFor(books: number): number {
  return Math.max(1, Math.ceil(books * 0.06))
}

const maxAuthors = 3

interface Links {
  /** Three slots per book; -1 is an empty slot. */
  readonly authors: Int32Array
  readonly publishers: Int32Array
}

function drawLinks(books: number, authors: number, publishers: number): Links {
  const links = { authors: new Int32Array(books * maxAuthors).fill(-1), publishers: new Int32Array(books).fill(-1) }
  for (let book = 0; book < books; book++) {
    const random = randomOf(3, book)
    const drawn = new Set<number>()
    // Most books have one author; some have two or three different ones.
    for (const wanted = 1 + random.skewedBelow(maxAuthors); drawn.size < wanted;) drawn.add(random.below(authors))
    links.authors.set([...drawn], book * maxAuthors)
    if (!random.oneIn(20)) links.publishers[book] = random.skewedBelow(publishers)
  }
  return links
}

/** From slots that hold numbers to the slots of each number, without an array per number. */
function invert(numbers: Int32Array, count: number): { of: (number: number) => number[] } {
  const starts = new Int32Array(count + 1)
  for (const number of numbers) if (number >= 0) starts[number + 1]!++
  for (let at = 1; at <= count; at++) starts[at]! += starts[at - 1]!
  const slots = new Int32Array(starts[count]!)
  const next = starts.slice()
  for (const [slot, number] of numbers.entries()) if (number >= 0) slots[next[number]!++] = slot
  return { of: (number) => [...slots.subarray(starts[number], starts[number + 1])] }
}

/** A random generator per document, whatever was generated before it. */
function randomOf(part: number, index: number): Random {
  return createRandom(Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(part, 0x85ebca6b))
}

function bookId(books: number, index: number): string {
  return `${books}-b${index + 1}`
}

function publisherId(books: number, index: number): string {
  return `${books}-p${index + 1}`
}

/** The sample's names first, then the same names with a number. */
function publisherName(index: number): string {
  const round = Math.floor(index / publisherNames.length)
  const name = publisherNames[index % publisherNames.length]!
  return round === 0 ? name : `${name} ${round + 1}`
}
