// What the operations of each pattern have to answer, with which reads, and what has to be true once
// something is written. Answers to lists are worked out from the documents of the folder.

import type { DocumentsByType } from '../../src/serve/schema-folder/place-documents.ts'
import type { Body } from '../../src/model/json/json.ts'

export interface Expected {
  /** By the name of the operation: what it answers, and one line for each round trip. */
  readonly reads: { readonly [operation: string]: { readonly answer: (documents: DocumentsByType) => unknown; readonly reads: readonly string[] } }
  /** By the name of the operation: a query afterwards with its answer, or why it is refused. */
  readonly writes: { readonly [operation: string]: After }
}

type After = { readonly afterwards: string; readonly gives: unknown } | { readonly code: string }

/** In the order of their ids, as lists come. */
function inOrder(documents: readonly Body[] = []): Body[] {
  return documents.toSorted((one, other) => (String(one['id']) < String(other['id']) ? -1 : 1))
}

function named(documents: readonly Body[] = [], id: unknown): Body | undefined {
  return documents.find((one) => one['id'] === id)
}

const nameOf = (documents: readonly Body[] | undefined, id: unknown) => ({ name: named(documents, id)!['name'] })

/** The newest entries, over all buckets. */
function newest({ Post, posts }: DocumentsByType, id: string, first: number): object[] {
  const older = (posts ?? []).filter(({ postId }) => postId === id).flatMap(({ entries }) => entries as Body[])
  const all = [...(named(Post, id)!['recentComments'] as Body[]), ...older].toSorted((one, other) => (other['number'] as number) - (one['number'] as number))
  return all.slice(0, first).map(({ author, comment }) => ({ author, comment }))
}

const writtenByTwo = { afterwards: '{ book(id: "b21") { name authors { name books { id } } } }', gives: { book: { name: 'Second Folio', authors: [
  { name: 'Thomas Andersen', books: ['b1', 'b2', 'b21', 'b3'].map((id) => ({ id })) }, { name: 'William Wakefield', books: ['b1', 'b10', 'b15', 'b20', 'b21', 'b5'].map((id) => ({ id })) },
] } } }

export const expectations: { readonly [pattern: string]: Expected } = {
  '01-contained': {
    reads: {
      Person: {
        answer: () => ({ person: {
          firstName: 'Thomas', lastName: 'Andersen', addresses: [{ line1: '100 Some Street', line2: 'Unit 1', city: 'Seattle', state: 'WA', zip: 98012 }],
          contactDetails: [{ email: 'thomas@andersen.com' }, { phone: '+1 555 555-5555', extension: 5555 }],
        } }),
        reads: ['1 read people 1'],
      },
    },
    writes: {
      Move: {
        afterwards: '{ person(id: "1") { lastName addresses { line1 line2 } contactDetails { ... on EmailContact { email } ... on PhoneContact { phone extension } } } }',
        gives: { person: { lastName: 'Andersen', addresses: [{ line1: '1 Other Road', line2: null }], contactDetails: [{ phone: '+1 555 555-0101', extension: null }, { email: 'thomas@andersen.com' }] } },
      },
    },
  },
  '02-buckets': {
    reads: {
      Newest: {
        answer: (documents) => ({ posts: { nodes: documents['Post']!.map(({ id, title, countOfComments }) => ({ title, countOfComments, comments: { nodes: newest(documents, String(id), 3) } })) } }),
        reads: ['1 query posts'],
      },
      Older: { answer: (documents) => ({ post: { comments: { nodes: newest(documents, '1', 20) } } }), reads: ['1 read posts 1', '2 read posts 2'] },
    },
    writes: {
      Comment: {
        afterwards: '{ post(id: "1") { countOfComments comments(first: 4) { totalCount nodes { author } } } }',
        gives: { post: { countOfComments: 107, comments: { totalCount: 107, nodes: [{ author: 'Hal' }, { author: 'Ada' }, { author: 'Gus' }, { author: 'Fay' }] } } },
      },
    },
  },
  '03-references': {
    reads: {
      Holdings: {
        answer: () => ({ person: { firstName: 'Thomas', holdings: [
          { numberHeld: 100, stock: { symbol: 'zaza', open: 1, high: 2, low: 0.5 } }, { numberHeld: 50, stock: { symbol: 'xcxc', open: 89, high: 93.24, low: 88.87 } },
        ] } }),
        reads: ['1 read people 1', '2 read stocks 2'],
      },
      Everybody: {
        answer: ({ Person, Stock }) => ({ people: { nodes: inOrder(Person).map(({ lastName, holdings }) => ({
          lastName,
          holdings: (holdings as Body[]).map(({ numberHeld, stockId }) => {
            const { symbol, open } = named(Stock, String(stockId))!
            return { numberHeld, stock: { symbol, open } }
          }),
        })) } }),
        reads: ['1 query people', '2 read stocks 3'],
      },
    },
    writes: { Trade: { afterwards: '{ person(id: "2") { holdings { stock { high volume } } } }', gives: { person: { holdings: [{ stock: { high: 2.25, volume: 11970100 } }] } } } },
  },
  '04-weak-links': {
    reads: {
      Books: {
        answer: () => ({ books: { nodes: [
          { name: 'Azure Cosmos DB 101', publisher: { name: 'Microsoft Press' }, editor: { name: 'Ida Lund' } },
          { name: 'Modelling Without Joins', publisher: { name: 'Microsoft Press' }, editor: { name: 'Ida Lund' } },
          { name: 'Notes from a Small Partition', publisher: null, editor: null },
        ] } }),
        reads: ['1 query books', '2 read publishers 1', '2 read editors 1'],
      },
    },
    writes: {
      Publish: { afterwards: '{ book(id: "4") { publisher { name } editor { name } } }', gives: { book: { publisher: { name: 'Microsoft Press' }, editor: { name: 'Ida Lund' } } } },
      PublishNowhere: { code: 'REFERENCE_MISSING' },
      DeletePublisher: { code: 'REFERENCED' },
      DeleteEditor: { afterwards: '{ editor(id: "e1") { name } books { nodes { editor { name } } } }', gives: { editor: null, books: { nodes: [{ editor: null }, { editor: null }, { editor: null }] } } },
    },
  },
  '05-growing-side': {
    reads: {
      Publisher: {
        answer: ({ Book }) => {
          const all = inOrder(Book).filter((book) => book['pub-id'] === 'mspress')
          return { publisher: { name: 'Microsoft Press', books: { totalCount: all.length, nodes: all.slice(0, 10).map(({ name }) => ({ name })) } } }
        },
        reads: ['1 read publishers 1', '2 count books', '2 query books'],
      },
      Books: {
        answer: ({ Book, Publisher }) => ({ books: { nodes: inOrder(Book).map((book) => ({ name: book['name'], publisher: book['id'] === '3' ? null : nameOf(Publisher, book['pub-id']) })) } }),
        reads: ['1 query books', '2 read publishers 2'],
      },
    },
    writes: { Publish: { afterwards: '{ publisher(id: "mspress") { books { totalCount } } book(id: "21") { publisher { name } } }', gives: { publisher: { books: { totalCount: 15 } }, book: { publisher: { name: 'Microsoft Press' } } } } },
  },
  '06a-joining-documents': {
    reads: {
      Author: {
        answer: () => ({ author: { name: 'Thomas Andersen', books: { nodes: [{ name: 'Azure Cosmos DB 101' }, { name: 'Modelling Without Joins' }, { name: 'Notes from a Small Partition' }] } } }),
        reads: ['1 read authors 1', '2 query authorships', '3 read books 3'],
      },
      Books: {
        answer: ({ Book, Author, Authorship }) => ({ books: { nodes: inOrder(Book).map(({ id, name }) => ({
          name, authors: { nodes: inOrder(Authorship).filter(({ bookId }) => bookId === id).map(({ authorId }) => nameOf(Author, authorId)) },
        })) } }),
        reads: ['1 query books', '2 query authorships 20', '3 read authors 6'],
      },
    },
    writes: {
      Publish: {
        afterwards: '{ book(id: "b21") { authors { nodes { name books { totalCount } } } } }',
        gives: { book: { authors: { nodes: [{ name: 'Thomas Andersen', books: { totalCount: 4 } }, { name: 'William Wakefield', books: { totalCount: 6 } }] } } },
      },
    },
  },
  '06b-ids-on-both-sides': {
    reads: {
      Author: {
        answer: () => ({ author: { name: 'Thomas Andersen', books: [{ name: 'Azure Cosmos DB 101' }, { name: 'Modelling Without Joins' }, { name: 'Notes from a Small Partition' }] } }),
        reads: ['1 read authors 1', '2 read books 3'],
      },
      Books: {
        answer: ({ Book, Author }) => ({ books: { nodes: inOrder(Book).map(({ name, authors }) => ({ name, authors: (authors as string[]).map((id) => nameOf(Author, id)) })) } }),
        reads: ['1 query books', '2 read authors 6'],
      },
    },
    writes: { Publish: writtenByTwo },
  },
  '07-snapshots': {
    reads: {
      List: {
        answer: ({ Book }) => ({ books: { nodes: inOrder(Book).map(({ name, authors }) => ({ name, authors: (authors as Body[]).map((author) => ({ name: author['name'], thumbnailUrl: author['thumbnailUrl'] })) })) } }),
        reads: ['1 query books'],
      },
      Detail: {
        answer: () => ({ book: { name: 'Azure Cosmos DB 101', authors: [{ name: 'Thomas Andersen', bio: 'Thomas writes about documents.' }, { name: 'William Wakefield', bio: 'William writes about documents.' }] } }),
        reads: ['1 read books 1', '2 read authors 2'],
      },
    },
    writes: {
      Rename: {
        afterwards: '{ b1: book(id: "b1") { authors { name } } b2: book(id: "b2") { authors { name } } }',
        gives: { b1: { authors: [{ name: 'Tom Andersen' }, { name: 'William Wakefield' }] }, b2: { authors: [{ name: 'Tom Andersen' }] } },
      },
      Retell: { afterwards: '{ book(id: "b2") { authors { bio } } }', gives: { book: { authors: [{ bio: 'Nobody copies this.' }] } } },
    },
  },
  '08-aggregates': {
    reads: {
      Busiest: {
        answer: ({ Author }) => {
          const byCount = Author!.toSorted((one, other) => (other['countOfBooks'] as number) - (one['countOfBooks'] as number) || (String(other['id']) < String(one['id']) ? -1 : 1))
          return { authors: { nodes: byCount.map(({ lastName, countOfBooks }) => ({ lastName, countOfBooks })) } }
        },
        reads: ['1 query authors'],
      },
      Publishers: { answer: ({ Publisher }) => ({ publishers: { nodes: inOrder(Publisher).map(({ name, countOfBooks }) => ({ name, countOfBooks })) } }), reads: ['1 query publishers'] },
    },
    writes: {
      Publish: {
        afterwards: '{ book(id: "b21") { authors { lastName countOfBooks } publisher { countOfBooks } } }',
        gives: { book: { authors: [{ lastName: 'Andersen', countOfBooks: 4 }, { lastName: 'Wakefield', countOfBooks: 6 }], publisher: { countOfBooks: 8 } } },
      },
    },
  },
  '09-several-types': {
    reads: {
      Book: {
        answer: () => ({ book: { name: 'Azure Cosmos DB 101', reviews: { nodes: [{ content: 'This book is awesome' }, { content: 'Read it on a train' }] } } }),
        reads: ['1 read books 1', '2 query books'],
      },
    },
    writes: {
      Review: { afterwards: '{ book(id: "b1") { reviews { totalCount } } }', gives: { book: { reviews: { totalCount: 3 } } } },
      Withdraw: { afterwards: '{ book(id: "b1") { name } reviews { nodes { id } } }', gives: { book: null, reviews: { nodes: [{ id: 'r3' }] } } },
    },
  },
  '10a-concatenated-key': {
    reads: {
      One: { answer: () => ({ reading: { celsius: 18.7 } }), reads: ['1 read readings 1'] },
      Year: { answer: ({ Reading }) => ({ readings: { nodes: inOrder(Reading).filter(({ deviceId, date }) => deviceId === 'abc-123' && date === 2018).map(({ celsius }) => ({ celsius })) } }), reads: ['1 query readings'] },
    },
    writes: { Measure: { afterwards: '{ reading(id: "r11", deviceId: "abc-123", date: 2018) { celsius } }', gives: { reading: { celsius: 21.5 } } } },
  },
  '10b-random-suffix': {
    reads: {
      One: { answer: () => ({ reading: { vehicle: 'VH-1000', celsius: 18.7 } }), reads: ['1 query readings'] },
      Day: { answer: ({ Reading }) => ({ readings: { nodes: inOrder(Reading).map(({ vehicle, celsius }) => ({ vehicle, celsius })) } }), reads: ['1 query readings'] },
    },
    writes: { Measure: { afterwards: '{ reading(id: "r13", date: "2018-08-09") { vehicle } }', gives: { reading: { vehicle: 'VH-2000' } } } },
  },
  '10c-hashed-suffix': {
    reads: {
      One: { answer: () => ({ reading: { vehicle: 'VH-1000', celsius: 18.7 } }), reads: ['1 read readings 1'] },
      Day: { answer: ({ Reading }) => ({ readings: { nodes: inOrder(Reading).map(({ vehicle, celsius }) => ({ vehicle, celsius })) } }), reads: ['1 query readings'] },
    },
    writes: { Measure: { afterwards: '{ reading(id: "r13", vehicle: "VH-2000", date: "2018-08-09") { vehicle } }', gives: { reading: { vehicle: 'VH-2000' } } } },
  },
}
