// Documents of the sample's shapes, as many as anyone likes. Who wrote which book is decided first and
// kept as numbers, a few bytes for each book; everything else about a document follows from its number
// alone, so that documents can be made one batch after the other, in any run, and come out the same.

import type { Model } from '../model/model.ts'
import type { Write } from '../store/store.ts'
import { authorPut, bookWrites, publisherPut, reviewCount, somePictures, type Author } from './sample-books.ts'
import { bookTitle, personName, publisherNames } from './sample-names.ts'
import { createRandom, type Random } from './sample-random.ts'

/** As many authors and publishers for each book as the sample has. */
const authorsPerBook = 0.3
const publishersPerBook = 0.06

export interface Seed {
  /** How many documents there are beside buckets. */
  readonly documents: number
  /** All of them, some at a time, with how many that is. Whatever is pointed at comes before what points at it. */
  batches(size: number): Generator<{ writes: readonly Write[]; documents: number }>
}

export function createSeed(model: Model, books: number): Seed {
  const authors = Math.max(3, Math.ceil(books * authorsPerBook))
  const publishers = Math.max(1, Math.ceil(books * publishersPerBook))
  const links = drawLinks(books, authors, publishers)
  const authorOf = (index: number): Author => {
    const random = randomOf(1, index)
    const id = `${books}-a${index + 1}`
    return { id, ...personName(random), images: somePictures(random, id) }
  }
  function* documents(): Generator<Write[]> {
    const written = invert(links.authors, authors)
    for (let index = 0; index < authors; index++) {
      yield [authorPut(model, authorOf(index), written.of(index).map((slot) => bookId(books, Math.floor(slot / mostAuthors))))]
    }
    const broughtOut = invert(links.publishers, publishers)
    for (let index = 0; index < publishers; index++) {
      yield [publisherPut(model, { id: publisherId(books, index), name: publisherName(index) }, broughtOut.of(index).length)]
    }
    for (let index = 0; index < books; index++) {
      const random = randomOf(2, index)
      const ids = links.authors.subarray(index * mostAuthors, (index + 1) * mostAuthors).filter((author) => author >= 0)
      const publisher = links.publishers[index]!
      yield bookWrites(model, random, {
        id: bookId(books, index), name: bookTitle(random), year: random.between(1985, 2026), authors: [...ids].map(authorOf),
        ...(publisher < 0 ? {} : { publisherId: publisherId(books, publisher) }),
      }, reviewCount(random, index + 1))
    }
  }
  return {
    documents: authors + publishers + books,
    *batches(size) {
      let batch = { writes: [] as Write[], documents: 0 }
      for (const writes of documents()) {
        batch.writes.push(...writes)
        batch.documents++
        if (batch.writes.length < size) continue
        yield batch
        batch = { writes: [], documents: 0 }
      }
      if (batch.documents > 0) yield batch
    },
  }
}

const mostAuthors = 3

interface Links {
  /** For each book three places, -1 where nobody is. */
  readonly authors: Int32Array
  readonly publishers: Int32Array
}

function drawLinks(books: number, authors: number, publishers: number): Links {
  const links = { authors: new Int32Array(books * mostAuthors).fill(-1), publishers: new Int32Array(books).fill(-1) }
  for (let book = 0; book < books; book++) {
    const random = randomOf(3, book)
    const drawn = new Set<number>()
    // One, as a rule, and now and then two or three, who are never the same.
    for (const wanted = 1 + random.skewedBelow(mostAuthors); drawn.size < wanted;) drawn.add(random.below(authors))
    links.authors.set([...drawn], book * mostAuthors)
    if (!random.oneIn(20)) links.publishers[book] = random.skewedBelow(publishers)
  }
  return links
}

/** From places that hold numbers to the places of each number. */
function invert(numbers: Int32Array, count: number): { of: (number: number) => number[] } {
  const starts = new Int32Array(count + 1)
  for (const number of numbers) if (number >= 0) starts[number + 1]!++
  for (let at = 1; at <= count; at++) starts[at]! += starts[at - 1]!
  const places = new Int32Array(starts[count]!)
  const next = starts.slice()
  for (const [place, number] of numbers.entries()) if (number >= 0) places[next[number]!++] = place
  return { of: (number) => [...places.subarray(starts[number], starts[number + 1])] }
}

/** Chance of its own for each document of each part. */
function randomOf(part: number, index: number): Random {
  return createRandom(Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(part, 0x85ebca6b))
}

function bookId(books: number, index: number): string {
  return `${books}-b${index + 1}`
}

function publisherId(books: number, index: number): string {
  return `${books}-p${index + 1}`
}

/** The sample's names first, and then the same with a number. */
function publisherName(index: number): string {
  const round = Math.floor(index / publisherNames.length)
  const name = publisherNames[index % publisherNames.length]!
  return round === 0 ? name : `${name} ${round + 1}`
}
