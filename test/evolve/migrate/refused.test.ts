// A migration that would lose something is refused before anything is changed, and says what would be lost.

import { expect, test } from 'vitest'
import type { ApplyOptions } from '../../../src/evolve/migrate/apply-migration.ts'
import type { Answers } from '../../../src/evolve/migrate/plan-migration.ts'
import { readRecord } from '../../../src/evolve/migrate/run/migration-record.ts'
import { countStaged } from '../../../src/evolve/migrate/run/staged-documents.ts'
import { stores, type Documents } from '../../harness.ts'
import { documentsIn, keptStore, migrate, noAnswers, serving } from './migrating.ts'

const author = (books = '', container = 'authors'): string => `type Author @document(container: "${container}") { id: ID! name: String! ${books} }`
const book = (fields: string): string => `type Book @document(container: "books") { id: ID! title: String! ${fields} }`
const authors = [{ id: 'a1', name: 'Ann' }, { id: 'a2', name: 'Ben' }]
const writing = (fields = ''): string => `type Writing @document(container: "writings") { id: ID! book: Book! @reference(at: "bookId") author: Author! @reference(at: "authorId") ${fields} }`
const ids = book('authors: [Author!]! @reference(at: "authorIds", max: 5)') + author('books: BookConnection! @reverse(of: "Book.authors")')
const joined = book('authors: AuthorConnection! @joined(through: "Writing")') + author('books: BookConnection! @joined(through: "Writing")')
const pointing = book('authors: AuthorConnection! @reverse(of: "Author.books")') + author('books: [Book!]! @reference(at: "bookIds")')
const inside = 'type Book @document(container: "books") { id: ID! title: String! authors: [Author!]! @contained(max: 5) } type Author { id: ID! name: String! }'
const alone = book('authors: [Author!]! @reference(at: "authorIds")') + author()

interface Case {
  readonly from: string
  readonly to: string
  readonly documents: Documents
  readonly answers?: Partial<Answers>
  readonly refused: RegExp
}

/** Documents that the new schema refuses, whatever else is migrated. */
const unfit: Readonly<Record<string, Case>> = {
  'a value of no type, in a document that moves': { from: book('pages: Int'), to: book('pages: Int').replace('"books"', '"volumes"'), refused: /Book b1: Book\.pages would have a value that is none of its type/, documents: { Book: [{ id: 'b1', title: 'One', pages: 'many' }] } },
  'a renamed field that is required now, and missing': {
    from: book('note: String'), to: book('remark: String!'), answers: { renamed: new Map([['Book.note', 'remark']]) }, refused: /Book b2: Book\.remark would be missing/,
    documents: { Book: [{ id: 'b1', title: 'One', note: 'x' }, { id: 'b2', title: 'Two' }] },
  },
  'a value of no type, where only the declaration changes': {
    from: book('year: Int pages: Int'), to: book('weight: Int pages: Int'), answers: { dropped: new Set(['Book.year']) }, refused: /Book b1: Book\.pages would have a value that is none of its type/,
    documents: { Book: [{ id: 'b1', title: 'One', year: 2008, pages: 'many' }] },
  },
  'an object in a document that moves': {
    from: `${book('maker: Maker')} type Maker { name: String! }`, to: `${book('maker: Maker').replace('"books"', '"volumes"')} type Maker { name: String! }`, refused: /Book b1: Maker\.name would be missing/,
    documents: { Book: [{ id: 'b1', title: 'One', maker: { town: 'Ulm' } }] },
  },
}

const cases: Readonly<Record<string, Case>> = {
  ...unfit,
  'joining documents with data of their own': {
    from: joined + writing('share: Int'), to: ids, refused: /Writing w1.*data of its own: share/,
    documents: { Book: [{ id: 'b1', title: 'One' }], Author: authors, Writing: [{ id: 'w1', bookId: 'b1', authorId: 'a1', share: 3 }] },
  },
  'joining documents with a property that no schema knows': {
    from: joined + writing(), to: ids, refused: /Writing w1.*data of its own: note/,
    documents: { Book: [{ id: 'b1', title: 'One' }], Author: authors, Writing: [{ id: 'w1', bookId: 'b1', authorId: 'a1', note: 'x' }] },
  },
  'documents that several others link with, as objects': {
    from: alone, to: inside, refused: /not each of them is in exactly one: there are 2, and 3 links/,
    documents: { Book: [{ id: 'b1', title: 'One', authorIds: ['a1', 'a2'] }, { id: 'b2', title: 'Two', authorIds: ['a1'] }], Author: authors },
  },
  'documents that nothing links with, as objects': { from: alone, to: inside, refused: /there are 2, and 1 links/, documents: { Book: [{ id: 'b1', title: 'One', authorIds: ['a1'] }], Author: authors } },
  'a link to a document that is missing, held by that document': {
    from: ids, to: pointing, refused: /Author\.books would have 1 of 2 links/, documents: { Book: [{ id: 'b1', title: 'One', authorIds: ['a1', 'a9'] }], Author: authors },
  },
  'two values where one fits': {
    from: ids, to: book('authors: Author @reference(at: "authorIds")') + author(), refused: /Book b1: Book\.authors would have 2 values/, documents: { Book: [{ id: 'b1', title: 'One', authorIds: ['a1', 'a2'] }], Author: authors },
  },
  'a list that is longer than its max': {
    from: joined + writing(), to: ids.replace('max: 5', 'max: 1'), refused: /Book b1: Book\.authors would have 2 entries, max 1/,
    documents: { Book: [{ id: 'b1', title: 'One' }], Author: authors, Writing: [{ id: 'w1', bookId: 'b1', authorId: 'a1' }, { id: 'w2', bookId: 'b1', authorId: 'a2' }] },
  },
  'two documents in one place': {
    from: book('') + author(), to: (book('') + author('', 'books')).replace('container: "books") { id: ID! title', 'container: "books", type: "book") { id: ID! title').replace('container: "books") { id: ID! name', 'container: "books", type: "author") { id: ID! name'),
    refused: /would become the same document a1/, documents: { Book: [{ id: 'a1', title: 'One' }], Author: authors },
  },
  'a value that is none of the new type': { from: book(''), to: book('').replace('title: String!', 'title: Int!'), refused: /Book b1: Book\.title would be "One", which is no Int/, documents: { Book: [{ id: 'b1', title: 'One' }] } },
}

test.each(stores.flatMap((store) => Object.keys(cases).map((name) => ({ on: store.name, name, open: store.store }))))('$name, on $on', async ({ name, open }) => {
  await refuses(open, cases[name]!)
})

test.each(stores.filter(({ name }) => name === 'memory' || name === 'sqlite').flatMap((store) => Object.keys(unfit).map((name) => ({ on: store.name, name, open: store.store }))))('$name, beside gateways, on $on', async ({ name, open }) => {
  await refuses(open, unfit[name]!, { online: true })
})

async function refuses(open: (typeof stores)[number]['store'], { from, to, documents, answers, refused }: Case, options: Partial<ApplyOptions> = {}): Promise<void> {
  const store = await keptStore(open, [from, to])
  await serving(store, from, () => Promise.resolve(), documents)
  const before = await documentsIn(store, [from, to])
  await expect(migrate(store, to, { ...noAnswers, ...answers }, options)).rejects.toThrow(refused)
  expect(await documentsIn(store, [from, to])).toEqual(before)
  expect([await readRecord(store), await countStaged(store)]).toEqual([undefined, 0])
  // The old schema is served as before.
  expect((await serving(store, from, (ask) => ask('{ books { totalCount } }'))).errors).toBeUndefined()
}
