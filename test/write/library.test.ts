// The shipped mutations about books: what publishing and reviewing write and refuse. Those about stocks are in
// brokerage.test.ts.

import { beforeEach, describe, expect, test } from 'vitest'
import type { Book, Query } from '../../generated/schema.ts'
import type { Body } from '../../src/model/json/json.ts'
import { unlikeStores } from '../harness.ts'
import { expectRefused, expectWrites, written, type Writable } from './open-writable.ts'
import { addReviews, openLibrary } from './small-library.ts'

const numbers = (entries: unknown) => (entries as Body[]).map(({ number }) => number)

describe.each(unlikeStores)('the library on $name', ({ store }) => {
  let library: Writable
  beforeEach(async () => {
    library = await openLibrary(store)
  })

  const bucket = async (number: number) => (await library.bodies('books'))[`b1.reviews.${number}`]

  describe('publishBook', () => {
    const publish = 'mutation ($input: PublishBookInput!) { publishBook(input: $input) { clientMutationId book { id name year authors { name books { name } countOfBooks } publisher { name countOfBooks } countOfReviews reviews { totalCount } } } }'

    test('the book, its authors\' lists and all counts are up to date when it answers', async () => {
      const { publishBook } = await written(library.ask, publish, { input: { clientMutationId: 'c', name: 'New', year: 2026, authorIds: ['a2', 'a1'], publisherId: 'mspress' } })
      const { book: { id, ...book } } = publishBook as { book: Book }
      expect(book).toEqual({
        name: 'New', year: 2026,
        authors: [{ name: 'William Wakefield', books: [{ name: 'New' }], countOfBooks: 1 }, { name: 'Thomas Andersen', books: expect.arrayContaining([{ name: 'New' }, { name: 'Azure Cosmos DB 101' }]), countOfBooks: 2 }],
        publisher: { name: 'Microsoft Press', countOfBooks: 2 }, countOfReviews: 0, reviews: { totalCount: 0 },
      })
      expect((await library.bodies('books'))[id]).toMatchObject({
        id, bookId: id, type: 'book', name: 'New', year: 2026, 'pub-id': 'mspress', _v: 1,
        authors: [{ id: 'a2', name: 'William Wakefield', thumbnailUrl: null }, { id: 'a1', name: 'Thomas Andersen', thumbnailUrl: 'a1.png' }],
      })
      expect(await library.bodies('authors')).toMatchObject({ a1: { books: ['b1', id].toSorted(), countOfBooks: 2 }, a2: { books: [id], countOfBooks: 1 } })
      expect(await library.bodies('publishers')).toMatchObject({ mspress: { countOfBooks: 2 }, other: { countOfBooks: 0 } })
    })

    test('writes book, authors and publisher in one write, and no other document', async () => {
      const answer = await library.ask('mutation { publishBook(input: { name: "New", authorIds: ["a1", "a2"], publisherId: "mspress" }) { book { id } } }')
      expectWrites(library, answer, 'books, authors, publishers 4', ['books 1'])
    })

    test('a book may have no publisher and no author', async () => {
      expect(await written(library.ask, publish, { input: { name: 'New', authorIds: [] } })).toMatchObject({ publishBook: { clientMutationId: null, book: { authors: [], publisher: null } } })
    })

    test('refuses authors and publishers that do not exist', async () => {
      await expectRefused(library, publish, {
        code: 'REFERENCE_MISSING',
        says: ['Book.authors: there is no Author a8', 'Book.authors: there is no Author a9', 'Book.publisher: there is no Publisher nobody'],
      }, { input: { name: 'New', authorIds: ['a8', 'a1', 'a9'], publisherId: 'nobody' } })
    })

    test('accepts at most a hundred authors', async () => {
      await written(library.ask, `mutation { ${Array.from({ length: 101 }, (_, at) => `m${at}: createAuthor(input: { id: "n${at}", firstName: "N", lastName: "${at}" }) { author { id } }`).join(' ')} }`)
      const authorIds = Array.from({ length: 101 }, (_, at) => `n${at}`)
      await expectRefused(library, publish, { code: 'BAD_USER_INPUT', says: ['Book.authors', '101', 'max 100'] }, { input: { name: 'New', authorIds } })
      await written(library.ask, publish, { input: { name: 'New', authorIds: authorIds.slice(0, 100) } })
    })
  })

  describe('addReview', () => {
    const add = 'mutation ($input: AddReviewInput!) { addReview(input: $input) { clientMutationId review { id rating text reviewer } book { countOfReviews reviews(first: 2) { nodes { text } } } } }'

    test('the newest comes first, and the payload has it', async () => {
      const one = { bookId: 'b1', rating: 8, text: 'One', reviewer: 'Ann' }
      const { addReview } = await written(library.ask, add, { input: { clientMutationId: 'c', ...one } })
      expect(addReview).toEqual({ clientMutationId: 'c', review: { id: expect.stringMatching(/./), rating: 8, text: 'One', reviewer: 'Ann' }, book: { countOfReviews: 1, reviews: { nodes: [{ text: 'One' }] } } })
      expect(await written(library.ask, add, { input: { bookId: 'b1', rating: 0, reviewer: 'Bo' } })).toMatchObject({
        addReview: { clientMutationId: null, review: { rating: 0, text: null, reviewer: 'Bo' }, book: { countOfReviews: 2, reviews: { nodes: [{ text: null }, { text: 'One' }] } } },
      })
      expect((await library.bodies('books'))['b1']).toMatchObject({
        countOfReviews: 2, _v: 2, recentReviews: [{ number: 1, rating: 0, reviewer: 'Bo' }, { number: 0, rating: 8, text: 'One', reviewer: 'Ann' }],
      })
    })

    test('keeps three in the book, and moves the oldest to a bucket with the fourth, in the same write', async () => {
      await written(library.ask, addReviews('b1', 0, 3))
      expect(await bucket(0)).toBeUndefined()
      const { report } = await library.ask(addReviews('b1', 3, 1))
      expect(report.calls.filter(({ operation }) => operation === 'write')).toMatchObject([{ container: 'books', documents: 2 }])
      expect(numbers((await library.bodies('books'))['b1']!['recentReviews'])).toEqual([3, 2, 1])
      expect(await bucket(0)).toMatchObject({ id: 'b1.reviews.0', bookId: 'b1', type: 'reviews', entries: [{ number: 0, text: '0' }] })
    })

    test('a bucket holds a hundred, and the next review starts another', async () => {
      await written(library.ask, addReviews('b1', 0, 103))
      expect(numbers((await bucket(0))!['entries'])).toEqual(Array.from({ length: 100 }, (_, at) => at))
      expect(await bucket(1)).toBeUndefined()
      const full = (await library.etags('books'))['b1.reviews.0']
      await written(library.ask, addReviews('b1', 103, 1))
      expect(numbers((await bucket(1))!['entries'])).toEqual([100])
      expect((await library.etags('books'))['b1.reviews.0']).toBe(full)
    })

    test('pages through 350 reviews return each exactly once', async () => {
      for (let from = 0; from < 350; from += 50) await written(library.ask, addReviews('b1', from, 50))
      const { b1, b2, ...buckets } = await library.bodies('books')
      expect(b1).toMatchObject({ countOfReviews: 350 })
      expect(b2).toMatchObject({ countOfReviews: 0, recentReviews: [] })
      const stored = Object.values(buckets).flatMap(({ entries }) => numbers(entries))
      expect([...stored, ...numbers(b1!['recentReviews']).toReversed()]).toEqual(Array.from({ length: 350 }, (_, at) => at))
      expect(Object.values(buckets).map(({ entries }) => (entries as Body[]).length)).toEqual([100, 100, 100, 47])

      const seen: string[] = []
      for (let after: string | null | undefined, more = true; more;) {
        const { data } = await library.ask('query ($after: String) { book(id: "b1") { reviews(first: 60, after: $after) { totalCount nodes { text } pageInfo { hasNextPage endCursor } } } }', { variables: { after } })
        const { totalCount, nodes, pageInfo } = (data as Pick<Query, 'book'>).book!.reviews
        expect(totalCount).toBe(350)
        seen.push(...nodes.map(({ text }) => text!))
        ;({ endCursor: after, hasNextPage: more } = pageInfo)
      }
      expect(seen).toEqual(Array.from({ length: 350 }, (_, at) => String(349 - at)))
    })

    test('keeps the reviews of each book apart', async () => {
      await written(library.ask, addReviews('b1', 0, 5))
      await written(library.ask, addReviews('b2', 10, 5))
      const { data } = await library.ask('{ books { nodes { countOfReviews reviews { nodes { text } } } } }')
      expect(data).toEqual({ books: { nodes: [[4, 3, 2, 1, 0], [14, 13, 12, 11, 10]].map((texts) => ({ countOfReviews: 5, reviews: { nodes: texts.map((text) => ({ text: `${text}` })) } })) } })
    })

    test('an update of the book keeps its reviews', async () => {
      await written(library.ask, addReviews('b1', 0, 5))
      const { recentReviews } = (await library.bodies('books'))['b1']!
      await written(library.ask, 'mutation { a: updateBook(input: { id: "b1", name: "Renamed", authorIds: ["a2"] }) { book { id } } b: updateAuthor(input: { id: "a2", lastName: "New" }) { author { id } } }')
      expect((await library.bodies('books'))['b1']).toMatchObject({ name: 'Renamed', countOfReviews: 5, recentReviews })
    })

    test.each([-1, 11])('a rating of %i is refused', async (rating) => {
      await expectRefused(library, add, { code: 'BAD_USER_INPUT', says: ['rating', String(rating), '10'] }, { input: { bookId: 'b1', rating, reviewer: 'Ann' } })
    })

    test('refuses a review of a missing book', async () => {
      await expectRefused(library, add, { code: 'NOT_FOUND', says: 'Book b9' }, { input: { bookId: 'b9', rating: 5, reviewer: 'Ann' } })
      await written(library.ask, addReviews('b1', 0, 4))
      await expectRefused(library, add, { code: 'NOT_FOUND', says: 'Book b1.reviews.0' }, { input: { bookId: 'b1.reviews.0', rating: 5, reviewer: 'Ann' } })
    })
  })

  describe('deleteBook', () => {
    test('deletes the book with its buckets, and removes it from lists and counts', async () => {
      await written(library.ask, addReviews('b1', 0, 104))
      await written(library.ask, 'mutation { deleteBook(input: { id: "b1" }) { book { name } } }')
      expect(Object.keys(await library.bodies('books'))).toEqual(['b2'])
      expect(await library.bodies('authors')).toMatchObject({ a1: { books: [], countOfBooks: 0 } })
      expect(await library.bodies('publishers')).toMatchObject({ mspress: { countOfBooks: 0 } })
    })

    test('refuses to delete an author or publisher of a book', async () => {
      await expectRefused(library, 'mutation { deleteAuthor(input: { id: "a1" }) { author { id } } }',
        { code: 'REFERENCED', says: ['Author a1 cannot be deleted', 'Book b1', 'Book.authors'] })
      await expectRefused(library, 'mutation { deletePublisher(input: { id: "mspress" }) { publisher { id } } }',
        { code: 'REFERENCED', says: ['Publisher mspress cannot be deleted', 'Book b1', 'Book.publisher'] })
    })
  })
})
