// Random ways of storing the same books, authors and reviews, and random data of theirs: whatever the way is, clients get the same answers.

import { expect } from 'vitest'
import type { Ask, Documents } from '../../harness.ts'

const authorsIn = {
  ids: { authors: '[Author!]! @reference(at: "authorIds")', books: 'BookConnection! @reverse(of: "Book.authors")', more: '' },
  numberedIds: { authors: '[Author!]! @reference(at: "byIds")', books: '[Book!]! @reference(at: "bookIds", inverseOf: "Book.authors")', more: '' },
  otherSide: { authors: 'AuthorConnection! @reverse(of: "Author.books")', books: '[Book!]! @reference(at: "wrote")', more: '' },
  snapshots: { authors: '[Author!]! @snapshot(at: "authors", fields: ["name"])', books: 'BookConnection! @reverse(of: "Book.authors")', more: '' },
  joining: { authors: 'AuthorConnection! @joined(through: "Writing")', books: 'BookConnection! @joined(through: "Writing")', more: 'type Writing @document(container: "writings") { id: ID! book: Book! @reference(at: "bookId") author: Author! @reference(at: "authorId") }' },
}
const reviewsIn = {
  list: { reviews: '[Review!]! @contained(max: 50)', review: 'type Review { id: ID! text: String! }' },
  ids: { reviews: '[Review!]! @reference(at: "reviewIds")', review: 'type Review @document(container: "reviews") { id: ID! text: String! }' },
  pointing: { reviews: 'ReviewConnection! @reverse(of: "Review.of")', review: 'type Review @document(container: "opinions") { id: ID! text: String! of: Book @reference(at: "ofId") }' },
  buckets: { reviews: 'ReviewConnection! @bucketed(at: "newest", recent: 1, size: 2, key: "bookId", type: "reviews")', review: 'type Review { id: ID! text: String! }' },
}

export type Random = (below: number) => number

export interface Declared {
  readonly sdl: string
  readonly ask: string
}

/** More than a page of twenty: a writer beside a slow migration makes more books than that. */
const whole = '(first: 100)'
const nodes = (field: string, inner: string): string => (field.includes('Connection') ? `${whole} { nodes { ${inner} } }` : `{ ${inner} }`)

export function declared(random: Random, isFirst: boolean): Declared {
  const authors = isFirst ? authorsIn.ids : pick(random, Object.values(authorsIn))
  const reviews = isFirst ? reviewsIn.list : pick(random, Object.values(reviewsIn))
  // A container has one partition key for ever, on some stores.
  const book = reviews === reviewsIn.buckets ? 'container: "shelf", partitionKey: "/bookId", type: "book"' : isFirst ? 'container: "books"' : pick(random, ['container: "books"', 'container: "volumes"', 'container: "print", type: "book"', 'container: "byYear", partitionKey: "/edition"'])
  const author = isFirst ? 'container: "authors"' : pick(random, ['container: "authors"', 'container: "writers"', 'container: "people", type: "author"'])
  const title = isFirst ? '' : pick(random, ['', '@stored(at: "heading")'])
  const year = isFirst ? 'Int' : pick(random, ['Int', 'String', 'Int @stored(at: "published")', 'String @stored(at: "since")'])
  const count = pick(random, ['', 'count: Int! @counted(relation: "books")'])
  return {
    sdl: `type Book @document(${book}) { id: ID! title: String! ${title} edition: String! year: ${year} authors: ${authors.authors} reviews: ${reviews.reviews} }
      type Author @document(${author}) { id: ID! name: String! books: ${authors.books} ${count} } ${authors.more} ${reviews.review}`,
    ask: `{ books${whole} { nodes { id title year edition authors ${nodes(authors.authors, 'id name')} reviews ${nodes(reviews.reviews, 'id text')} } } authors${whole} { nodes { id name books ${nodes(authors.books, 'id')} } } }`,
  }
}

/** Without a number, a few books. Of many, the later ones alone have a year: what a field is cannot be told from the first ones. */
export function documentsFrom(random: Random, many?: number): Documents {
  const authors = Array.from({ length: 1 + random(5) }, (_, index) => ({ id: `a${index}`, name: `Name ${random(100)}`, secret: random(9) }))
  let reviews = 0
  const books = Array.from({ length: many ?? 1 + random(8) }, (_, index) => ({
    id: many === undefined ? `b${index}` : `b${String(index).padStart(4, '0')}`, title: `Title ${random(100)}`, edition: `e${random(3)}`, ...((many === undefined ? random(3) > 0 : index >= (many * 4) / 5) ? { year: 1900 + random(100) } : {}), unknown: { deep: [random(9)] },
    authorIds: authors.filter(() => random(2) === 0).map(({ id }) => id),
    reviews: Array.from({ length: random(6) }, () => ({ id: `r${reviews++}`, text: `Text ${random(100)}`, mood: random(9) })),
  }))
  return { Author: authors, Book: books }
}

/** Years are numbers or text, lists pages or not, and links have no order. */
export async function answerOf(ask: Ask, { ask: query }: Declared, most = 100): Promise<unknown> {
  const { data, errors } = await ask(query.replaceAll(whole, `(first: ${most})`))
  expect(errors).toBeUndefined()
  return plain(data)
}

export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return value
  return 'nodes' in value ? plain(value.nodes) : Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]))
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random(from.length)]!
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
