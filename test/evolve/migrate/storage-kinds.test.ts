// Every way of storing the same data becomes every other one and comes back: the API answers the same in between, nothing is found wrong,
// and in the end the documents are those that were there in the beginning, down to the properties that they lack.

import { describe, expect, test } from 'vitest'
import { checkStore } from '../../../src/evolve/check/check-store.ts'
import { finishMigration } from '../../../src/evolve/migrate/apply-migration.ts'
import type { Body } from '../../../src/model/json/json.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import type { Store } from '../../../src/store/store.ts'
import { stores, type Ask, type Documents } from '../../harness.ts'
import { documentsIn, keptStore, migrate, serving } from './migrating.ts'

interface Kind {
  readonly sdl: string
  readonly documents: Documents
  /** What clients ask to see all links. */
  readonly ask: string
  /** What a book without anything linked has of the list; undefined where the list is not in the book. */
  readonly empty?: Body | undefined
}

const links = { b1: ['a1', 'a2'], b2: ['a2'], b3: [] } as Readonly<Record<string, readonly string[]>>
const names = { a1: 'Ann', a2: 'Ben', a3: 'Cid' } as Readonly<Record<string, string>>
/** It lacks the property of every list. */
const bare = 'b4'
const writtenBy = (author: string): string[] => Object.keys(links).filter((book) => links[book]!.includes(author))

const emptyOf = (field: string): Body | undefined => {
  const [, kind, at] = /@(\w+)\(at: "(\w+)"/.exec(field) ?? []
  return at === undefined ? undefined : { [at]: [], ...(kind === 'bucketed' ? { countOfReviews: 0 } : {}) }
}

const nodes = (field: string): string => (/Connection/.test(field) ? '{ nodes { id } }' : '{ id }')

function manyToMany(authors: string, books: string, more = '', book: (id: string) => object = () => ({}), author: (id: string) => object = () => ({}), others: Documents = {}): Kind {
  return {
    sdl: `type Book @document(container: "books") { id: ID! title: String! authors: ${authors} } type Author @document(container: "authors") { id: ID! name: String! books: ${books} } ${more}`,
    // Unknown to any schema, so it has to stay.
    documents: { Book: [...Object.keys(links).map((id) => ({ id, title: `Book ${id}`, shelf: { row: 1 }, ...book(id) })), { id: bare, title: 'Bare' }], Author: Object.keys(names).map((id) => ({ id, name: names[id]!, ...author(id) })), ...others },
    ask: `{ books { nodes { id title authors ${nodes(authors)} } } authors { nodes { id name books ${nodes(books)} } } }`,
    empty: emptyOf(authors),
  }
}

const ids = (book: string): object => ({ authorIds: links[book]! })
const manyToManyKinds: Readonly<Record<string, Kind>> = {
  'ids on one side': manyToMany('[Author!]! @reference(at: "authorIds")', 'BookConnection! @reverse(of: "Book.authors")', '', ids),
  'ids on the other side': manyToMany('AuthorConnection! @reverse(of: "Author.books")', '[Book!]! @reference(at: "bookIds")', '', undefined, (id) => ({ bookIds: writtenBy(id) })),
  'ids on both sides': manyToMany('[Author!]! @reference(at: "authorIds")', '[Book!]! @reference(at: "bookIds", inverseOf: "Book.authors")', '', ids, (id) => ({ bookIds: writtenBy(id) })),
  'snapshots': manyToMany('[Author!]! @snapshot(at: "authors", fields: ["name"])', 'BookConnection! @reverse(of: "Book.authors")', '', (id) => ({ authors: links[id]!.map((author) => ({ id: author, name: names[author]! })) })),
  'joining documents': manyToMany('AuthorConnection! @joined(through: "Writing")', 'BookConnection! @joined(through: "Writing")', 'type Writing @document(container: "writings") { id: ID! book: Book! @reference(at: "bookId") author: Author! @reference(at: "authorId") }', undefined, undefined,
    { Writing: Object.entries(links).flatMap(([bookId, authors]) => authors.map((authorId) => ({ id: `${bookId}~-${authorId}`, bookId, authorId }))) }),
}

const reviews = { b1: ['r3', 'r1', 'r2', 'r5', 'r4'], b2: ['r6'], b3: [] } as Readonly<Record<string, readonly string[]>>
const review = (id: string): { id: string; text: string } => ({ id, text: `Text of ${id}` })
const position = (book: string, id: string): object => (book === 'b1' ? { number: reviews[book]!.length - 1 - reviews[book]!.indexOf(id) } : {})

function oneToMany(field: string, document: string, of: (book: string) => object, more: object | undefined, key = '', others: Documents = {}): Kind {
  const type = more === undefined ? 'type Review { id: ID! text: String! }' : `type Review @document(container: "reviews") { id: ID! text: String! ${(more as { fields?: string }).fields ?? ''} }`
  return {
    sdl: `type Book @document(container: "${document}"${key}) { id: ID! title: String! reviews: ${field} } ${type}`,
    documents: { Book: [...Object.keys(reviews).map((id) => ({ id, title: `Book ${id}`, ...of(id) })), { id: bare, title: 'Bare' }], ...others },
    ask: `{ books { nodes { id title reviews ${/Connection/.test(field) ? '{ nodes { id text } }' : '{ id text }'} } } }`,
    empty: field.includes('@contained') ? { reviews: [] } : emptyOf(field),
  }
}

const all = Object.values(reviews).flat()
// A list of ids that becomes pointers on the other side comes back in the order of the ids.
const oneToManyKinds: Readonly<Record<string, Kind>> = {
  'objects in a list': oneToMany('[Review!]! @contained(max: 50)', 'books', (id) => ({ reviews: reviews[id]!.map(review) }), undefined),
  'ids of documents': oneToMany('[Review!]! @reference(at: "reviewIds")', 'books', (id) => ({ reviewIds: reviews[id]!.toSorted() }), {}, '', { Review: all.map(review) }),
  'snapshots of documents': oneToMany('[Review!]! @snapshot(at: "copies", fields: ["text"])', 'books', (id) => ({ copies: reviews[id]!.toSorted().map(review) }), {}, '', { Review: all.map(review) }),
  'documents that point back': oneToMany('ReviewConnection! @reverse(of: "Review.book")', 'books', () => ({}), { fields: 'book: Book @reference(at: "bookId")' }, '',
    { Review: Object.entries(reviews).flatMap(([bookId, some]) => some.map((id) => ({ ...review(id), bookId, ...position(bookId, id) }))) }),
  'a list with buckets': oneToMany('ReviewConnection! @bucketed(at: "newest", recent: 2, size: 2, key: "bookId", type: "reviews")', 'shelf', () => ({}), undefined, ', partitionKey: "/bookId", type: "book"'),
}

// Of one document each, which is asked from the other side where there is one. `b3` and the bare book have none.
const covers = { b1: 'c1', b2: 'c2' } as Readonly<Record<string, string>>
const writers = { b1: 'a2', b2: 'a2' } as Readonly<Record<string, string>>
const booksOf = (author: string): string[] => Object.keys(writers).filter((book) => writers[book] === author)

function oneWriter(field: string, books: string, of: (book: string) => object, author: (id: string) => object = () => ({}), more = '', others: Documents = {}): Kind {
  return {
    sdl: `type Book @document(container: "books") { id: ID! title: String! ${field} } type Author @document(container: "authors") { id: ID! name: String! books: ${books} } ${more}`,
    documents: { Book: [...Object.keys(links).map((id) => ({ id, title: `Book ${id}`, ...(writers[id] === undefined ? {} : of(id)) })), { id: bare, title: 'Bare' }], Author: Object.keys(names).map((id) => ({ id, name: names[id]!, ...author(id) })), ...others },
    ask: `{ books { nodes { id title } } authors { nodes { id name books ${nodes(books)} } } }`,
  }
}

const oneWriterKinds = {
  'one id': oneWriter('author: Author @reference(at: "authorId")', 'BookConnection! @reverse(of: "Book.author")', (id) => ({ authorId: writers[id]! })),
  'one snapshot': oneWriter('author: Author @snapshot(at: "author", fields: ["name"])', 'BookConnection! @reverse(of: "Book.author")', (id) => ({ author: { id: writers[id]!, name: names[writers[id]!]! } })),
  'a list of ids': oneWriter('author: [Author!]! @reference(at: "authorIds")', 'BookConnection! @reverse(of: "Book.author")', (id) => ({ authorIds: [writers[id]!] })),
  'ids on the other side': oneWriter('', '[Book!]! @reference(at: "bookIds")', () => ({}), (id) => ({ bookIds: booksOf(id) })),
  'joining documents': oneWriter('author: AuthorConnection! @joined(through: "Writing")', 'BookConnection! @joined(through: "Writing")', () => ({}), undefined, 'type Writing @document(container: "writings") { id: ID! book: Book! @reference(at: "bookId") author: Author! @reference(at: "authorId") }',
    { Writing: Object.entries(writers).map(([bookId, authorId]) => ({ id: `${authorId}~-${bookId}`, bookId, authorId })) }),
  // The list itself is stored nowhere, before or after.
  'joining documents, of which books know nothing': oneWriter('', 'BookConnection! @joined(through: "Writing")', () => ({}), undefined, 'type Writing @document(container: "writings") { id: ID! book: Book! @reference(at: "bookId") author: Author! @reference(at: "authorId") }',
    { Writing: Object.entries(writers).map(([bookId, authorId]) => ({ id: `${authorId}~-${bookId}`, bookId, authorId })) }),
} satisfies Record<string, Kind>

function oneCover(field: string, of: (book: string) => object, more: string | undefined, others: Documents = {}, id = 'id: ID!'): Kind {
  return {
    sdl: `type Book @document(container: "books") { id: ID! title: String! cover: ${field} } type Cover ${more === undefined ? `{ ${id} text: String! }` : `@document(container: "covers") { id: ID! text: String! ${more} }`} ${/Facing/.test(field) ? facing('Cover') : ''}`,
    documents: { Book: [...Object.keys(links).map((book) => ({ id: book, title: `Book ${book}`, ...(covers[book] === undefined ? {} : of(book)) })), { id: bare, title: 'Bare' }], ...others },
    ask: `{ books { nodes { id title cover ${/Connection/.test(field) ? '{ nodes { text } }' : '{ text }'} } } }`,
  }
}

const facing = (type: string): string => `type Facing @document(container: "facings") { id: ID! book: Book! @reference(at: "bookId") ${type.toLowerCase()}: ${type}! @reference(at: "${type.toLowerCase()}Id") }`
const textOf = (book: string): { text: string } => ({ text: `Cover of ${book}` })
const coverOf = (book: string): Body => ({ id: covers[book]!, ...textOf(book) })
const allCovers = Object.keys(covers).map(coverOf)
const oneCoverKinds = {
  'an object': oneCover('Cover @contained', (id) => ({ cover: coverOf(id) }), undefined),
  'an object without an id': oneCover('Cover @contained', (id) => ({ cover: textOf(id) }), undefined, {}, ''),
  'objects in a list': oneCover('[Cover!]! @contained(max: 3)', (id) => ({ cover: [coverOf(id)] }), undefined),
  'a document': oneCover('Cover @reference(at: "coverId")', (id) => ({ coverId: covers[id]! }), '', { Cover: allCovers }),
  'a document that points back': oneCover('CoverConnection! @reverse(of: "Cover.book")', () => ({}), 'book: Book @reference(at: "bookId")', { Cover: Object.entries(covers).map(([bookId]) => ({ ...coverOf(bookId), bookId })) }),
  'a joining document': oneCover('CoverConnection! @joined(through: "Facing")', () => ({}), '', { Cover: allCovers, Facing: Object.entries(covers).map(([bookId, coverId]) => ({ id: `${bookId}~-${coverId}`, bookId, coverId })) }),
} satisfies Record<string, Kind>

const joinedReviews: Kind = {
  ...oneToMany('ReviewConnection! @joined(through: "Facing")', 'books', () => ({}), {}, '', { Review: all.map(review), Facing: Object.entries(reviews).flatMap(([bookId, some]) => some.map((reviewId) => ({ id: `${bookId}~-${reviewId}`, bookId, reviewId }))) }),
}

/** There and back is both directions, so each pair is here once. */
const onePairs: readonly { readonly from: string; readonly to: string; readonly one: Kind; readonly other: Kind }[] = [
  ...Object.entries(oneWriterKinds).slice(1).map(([to, other]) => ({ from: 'one id', to, one: oneWriterKinds['one id'], other })),
  ...Object.entries(oneCoverKinds).slice(2).map(([to, other]) => ({ from: 'an object', to, one: oneCoverKinds['an object'], other })),
  { from: 'an object without an id', to: 'a document', one: oneCoverKinds['an object without an id'], other: oneCoverKinds['a document'] },
  { from: 'objects in a list', to: 'joining documents', one: oneToManyKinds['objects in a list']!, other: { ...joinedReviews, sdl: `${joinedReviews.sdl} ${facing('Review')}` } },
]

// On servers a pair is one test: what is above the stores is tested in memory, and "there and back" goes both ways.
describe.for(stores)('on $name', ({ name, store: open }) => {
  const isServer = name === 'postgres' || name === 'cosmos'
  describe.for(pairsOf(manyToManyKinds, isServer))('$from → $to', (pair) => {
    test('there and back', async () => thereAndBack(open, pair.one, pair.other, true))
  })
  describe.for(pairsOf(oneToManyKinds, isServer))('$from → $to', (pair) => {
    test('there and back', async () => thereAndBack(open, pair.one, pair.other, false))
  })
  describe.for(onePairs)('$from → $to', (pair) => {
    test('there and back', async () => thereAndBack(open, pair.one, pair.other, false))
  })
})

function pairsOf(kinds: Readonly<Record<string, Kind>>, once: boolean): { from: string; to: string; one: Kind; other: Kind }[] {
  const ways = Object.keys(kinds)
  return ways.flatMap((from, at) => ways.filter((to, toAt) => (once ? at < toAt : to !== from)).map((to) => ({ from, to, one: kinds[from]!, other: kinds[to]! })))
}

async function thereAndBack(open: (typeof stores)[number]['store'], one: Kind, other: Kind, unordered: boolean): Promise<void> {
  const schemas = [one.sdl, other.sdl]
  // Seeds have no buckets, so a list with buckets begins as a list.
  const list = oneToManyKinds['objects in a list']!
  const isInBuckets = one === oneToManyKinds['a list with buckets']
  const store = await keptStore(open, [...schemas, ...(isInBuckets ? [list.sdl] : [])])
  if (isInBuckets) {
    await serving(store, list.sdl, (ask) => answerOf(ask, list, false), list.documents)
    await migrateAndFinish(store, one.sdl)
    expect(await store.count({ container: 'shelf', type: 'reviews' })).toBe(2)
  }
  const answered = await serving(store, one.sdl, (ask) => answerOf(ask, one, unordered), one.documents)
  const before = await documentsIn(store, schemas)
  await migrateAndFinish(store, other.sdl)
  // Documents that point back are found in the order of their ids.
  expect(await serving(store, other.sdl, (ask) => answerOf(ask, other, true))).toEqual(sorted(answered))
  await migrateAndFinish(store, one.sdl)
  expect(await serving(store, one.sdl, (ask) => answerOf(ask, one, unordered))).toEqual(answered)
  // Nothing tells a list that was empty from one that was absent when its links were elsewhere.
  const { empty } = one
  const isElsewhere = empty !== undefined && other.empty === undefined
  const expected = isElsewhere ? Object.fromEntries(Object.entries(before).map(([name, body]) => [name, body['id'] === bare ? { ...empty, ...body } : body])) : before
  expect(await documentsIn(store, schemas)).toEqual(expected)
}

async function migrateAndFinish(store: Store, sdl: string): Promise<void> {
  await migrate(store, sdl)
  const declaration = readDeclaration(sdl)
  await finishMigration(declaration, store, { keep: () => {}, silenceMs: 0 })
  expect(await Array.fromAsync(checkStore(declaration, store))).toEqual([])
}

/** Lists, connections and the one cover of a book alike; links have no order, objects do. */
async function answerOf(ask: Ask, { ask: query }: Kind, unordered: boolean): Promise<unknown> {
  const { data, errors } = await ask(query)
  expect(errors).toBeUndefined()
  const plain = withoutNodes(data)
  return unordered ? sorted(plain) : plain
}

function withoutNodes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNodes)
  if (typeof value !== 'object' || value === null) return value
  if ('nodes' in value) return withoutNodes(value.nodes)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, name === 'cover' ? [withoutNodes(each) ?? []].flat() : withoutNodes(each)]))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, sorted(each)]))
}
