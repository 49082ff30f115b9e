// What readers, benchmarks and demonstrations can expect of the sample library. Queries on it are tested elsewhere.

import { describe, expect, test } from 'vitest'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { keyText } from '../../src/model/keys/key.ts'
import { derive } from '../../schema/library/derive.ts'
import { sampleDocuments } from './sample-documents.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import type { Body } from '../../src/model/json/json.ts'

type Author = { id: string; firstName: string; lastName: string; countOfBooks: number; books: string[]; images: Body[] }
type Review = { id: string; number: number; rating: number; text: string; reviewer: string }
type Snapshot = { id: string; name: string; thumbnailUrl: string | null }
type Book = {
  id: string; bookId: string; type: string; name: string; year: number; authors: Snapshot[]; 'pub-id'?: string
  countOfReviews: number; recentReviews: Review[]
}
type Bucket = { id: string; bookId: string; type: string; entries: Review[] }
type Publisher = { id: string; name: string; countOfBooks: number }
type Person = { id: string; firstName: string; lastName: string; addresses: Body[]; contactDetails: Body[] }
type Portfolio = { id: string; name: string; personId: string; holdings: { numberHeld: number; stockId: number }[] }
type Stock = { id: string; symbol: string; open: number; high: number; low: number; vol: number; 'mkt-cap': number; pe?: number }
type Trade = { id: string; symbol: string; date: string; tradedAt: string; price: number; quantity: number; stockId: number; partitionKey: string }

const { model, layout } = readDeclaration(readSdlFolder('schema/library'), derive)
const writes = puts()
const authors: Author[] = stored('authors')
const books: Book[] = stored('books', 'book')
const buckets: Bucket[] = stored('books', 'reviews')
const publishers: Publisher[] = stored('publishers')
const people: Person[] = stored('people')
const portfolios: Portfolio[] = stored('portfolios')
const stocks: Stock[] = stored('stocks')
const trades: Trade[] = stored('trades')

describe('the sample as a whole', () => {
  test('is the same every time', () => {
    expect(sampleDocuments(model)).toEqual(sampleDocuments(model))
  })

  test('has as many documents as it says', () => {
    const counts = [authors, books, publishers, people, stocks, trades].map((documents) => documents.length)
    expect(counts).toEqual([120, 400, 24, 40, 60, 200])
    expect(writes).toHaveLength(counts.reduce((sum, count) => sum + count) + buckets.length + portfolios.length)
  })

  test('gives no two documents of a container the same key', () => {
    expect(new Set(writes.map(({ container, key }) => `${container} ${keyText(key)}`)).size).toBe(writes.length)
  })

  test('keeps the partition of every document in the properties that the container is partitioned by', () => {
    for (const { container, key, body } of writes) {
      const { partitionKey } = layout.find(({ name }) => name === container)!
      expect([body['id'], partitionKey.map(([property]) => body[property!])]).toEqual([key.id, key.partition])
    }
  })

  test('keeps every document below 64 kB', () => {
    expect(Math.max(...writes.map(({ body }) => Buffer.byteLength(JSON.stringify(body))))).toBeLessThan(64 * 1024)
  })

  test('names the field that another schema lacks', () => {
    const foreign = { ...model, documents: new Map() }
    expect(() => sampleDocuments(foreign)).toThrow('Book.reviews')
  })
})

describe('the documents of the modelling patterns', () => {
  test('Thomas Andersen wrote three books and has a picture in each size', () => {
    expect(byId(authors, 'a1')).toEqual({
      id: 'a1', firstName: 'Thomas', lastName: 'Andersen', countOfBooks: 3, books: ['b1', 'b2', 'b3'],
      images: [
        { thumbnail: 'https://images.example/a1/thumbnail.png' },
        { profile: 'https://images.example/a1/profile.png' },
        { large: 'https://images.example/a1/large.png' },
      ],
    })
  })

  test('the book carries what its list shows of both authors, and the id of its publisher', () => {
    const { recentReviews: _, ...book } = byId(books, 'b1')
    expect(book).toEqual({
      id: 'b1', bookId: 'b1', type: 'book', name: 'Azure Cosmos DB 101', year: 2018, 'pub-id': 'mspress', countOfReviews: 230,
      authors: [
        { id: 'a1', name: 'Thomas Andersen', thumbnailUrl: 'https://images.example/a1/thumbnail.png' },
        { id: 'a2', name: 'William Wakefield', thumbnailUrl: 'https://images.example/a2/thumbnail.png' },
      ],
    })
    expect(byId(publishers, 'mspress').name).toBe('Microsoft Press')
    expect(byId(books, 'b3')).not.toHaveProperty('pub-id')
  })

  test('the person contains an address and contact details of two shapes', () => {
    expect(byId(people, '1')).toEqual({
      id: '1', firstName: 'Thomas', lastName: 'Andersen',
      addresses: [{ line1: '100 Some Street', line2: 'Unit 1', city: 'Seattle', state: 'WA', zip: 98012 }],
      contactDetails: [{ email: 'thomas@andersen.com' }, { phone: '+1 555 555-5555', extension: 5555 }],
    })
  })

  test('the portfolio points by number at stocks with text ids', () => {
    expect(portfolios.filter(({ personId }) => personId === '1').map(({ holdings }) => holdings)).toEqual([
      [{ numberHeld: 100, stockId: 1 }, { numberHeld: 50, stockId: 2 }],
    ])
    expect(stocks.slice(0, 2)).toEqual([
      { id: '1', symbol: 'zaza', open: 1, high: 2, low: 0.5, vol: 11970000, 'mkt-cap': 42000000, pe: 5.89 },
      { id: '2', symbol: 'xcxc', open: 89, high: 93.24, low: 88.87, vol: 2970200, 'mkt-cap': 1005000, pe: 75.82 },
    ])
  })
})

describe('authors, books and publishers', () => {
  test('an author lists a book exactly when the book has the author', () => {
    const fromAuthors = authors.flatMap((author) => author.books.map((book) => `${author.id} ${book}`))
    const fromBooks = books.flatMap((book) => book.authors.map((author) => `${author.id} ${book.id}`))
    expect(fromAuthors.toSorted()).toEqual(fromBooks.toSorted())
    expect(new Set(fromBooks).size).toBe(fromBooks.length)
  })

  test('every book has one to three authors', () => {
    expect(new Set(books.map((book) => book.authors.length))).toEqual(new Set([1, 2, 3]))
  })

  test('every publisher that a book names exists, and some books name none', () => {
    const named = books.flatMap((book) => book['pub-id'] ?? [])
    expect(named.filter((id) => !has(publishers, id))).toEqual([])
    expect(books.length - named.length).toBeGreaterThan(10)
    expect(books.length - named.length).toBeLessThan(30)
  })

  test('counts are true', () => {
    expect(authors.filter((author) => author.countOfBooks !== author.books.length)).toEqual([])
    expect(publishers.map(({ countOfBooks }) => countOfBooks)).toEqual(
      publishers.map(({ id }) => books.filter((book) => book['pub-id'] === id).length))
  })

  test('one publisher has more books than a page holds', () => {
    expect(Math.max(...publishers.map(({ countOfBooks }) => countOfBooks))).toBeGreaterThan(100)
  })

  test('a snapshot holds what is derived from the author', () => {
    for (const { authors: snapshots } of books) {
      expect(snapshots).toEqual(snapshots.map(({ id }) => {
        const author = byId(authors, id)
        return { id, name: derive['Author']!['name']!(author), thumbnailUrl: derive['Author']!['thumbnailUrl']!(author) }
      }))
    }
  })

  test('some authors have no picture, and some none for lists', () => {
    const without = authors.filter(({ images }) => !images.some((image) => 'thumbnail' in image))
    expect(new Set(without.map(({ images }) => images.length))).toEqual(new Set([0, 2]))
    expect(new Set(without.map((author) => derive['Author']!['thumbnailUrl']!(author)))).toEqual(new Set([null]))
  })

  test('titles and names do not repeat', () => {
    expect(new Set(books.map(({ name }) => name)).size).toBe(books.length)
    expect(new Set(authors.map(({ firstName, lastName }) => `${firstName} ${lastName}`)).size).toBe(authors.length)
  })
})

describe('reviews', () => {
  test('are numbered without gaps, the newest three in the book and the rest in buckets of a hundred', () => {
    for (const { id, countOfReviews, recentReviews } of books) {
      const older = buckets.filter(({ bookId }) => bookId === id)
      const oldestFirst = [...older.flatMap(({ entries }) => entries), ...recentReviews.toReversed()]
      expect(oldestFirst.map(({ number }) => number)).toEqual(Array.from({ length: countOfReviews }, (_, number) => number))
      expect(recentReviews).toHaveLength(Math.min(3, countOfReviews))
    }
    for (const { id, bookId, entries } of buckets) {
      expect(entries.map(({ number }) => `${bookId}.reviews.${Math.floor(number / 100)}`)).toEqual(entries.map(() => id))
    }
  })

  test('the first four books have full buckets and a partly filled one, one exactly full, none, and no review at all', () => {
    const sizes = ['b1', 'b2', 'b3', 'b4'].map((id) => ({
      recent: byId(books, id).recentReviews.length,
      buckets: buckets.filter(({ bookId }) => bookId === id).map(({ entries }) => entries.length),
    }))
    expect(sizes).toEqual([
      { recent: 3, buckets: [100, 100, 27] }, { recent: 3, buckets: [100] }, { recent: 3, buckets: [] }, { recent: 0, buckets: [] },
    ])
  })

  test('have ids of their own and ratings from 0 to 10', () => {
    const reviews = [...books.flatMap(({ recentReviews }) => recentReviews), ...buckets.flatMap(({ entries }) => entries)]
    expect(new Set(reviews.map(({ id }) => id)).size).toBe(reviews.length)
    expect(new Set(reviews.map(({ rating }) => rating))).toEqual(new Set(Array.from({ length: 11 }, (_, rating) => rating)))
    expect(reviews.filter(({ text, reviewer }) => text === '' || reviewer === '')).toEqual([])
  })
})

describe('the brokerage', () => {
  test('everyone has one or two portfolios, and every portfolio an owner', () => {
    expect(portfolios.filter(({ personId }) => !has(people, personId))).toEqual([])
    const owned = people.map(({ id }) => portfolios.filter(({ personId }) => personId === id).length)
    expect(new Set(owned)).toEqual(new Set([1, 2]))
  })

  test('a portfolio holds two to twelve different stocks, all of which exist', () => {
    for (const { holdings } of portfolios) {
      const ids = new Set(holdings.map(({ stockId }) => stockId))
      expect([...ids].filter((id) => !has(stocks, String(id)))).toEqual([])
      expect(ids.size).toBe(holdings.length)
      expect(ids.size).toBeGreaterThanOrEqual(2)
      expect(ids.size).toBeLessThanOrEqual(12)
    }
  })

  test('symbols are four letters and belong to one stock, whose day opens between its low and its high', () => {
    expect(new Set(stocks.map(({ symbol }) => symbol)).size).toBe(stocks.length)
    expect(stocks.filter(({ symbol }) => !/^[a-z]{4}$/.test(symbol))).toEqual([])
    expect(stocks.filter(({ open, high, low }) => low > open || open > high)).toEqual([])
  })

  test('the first ten stocks have twenty trades each, at prices of the stock, on days of August 2026', () => {
    expect(stocks.map(({ id }) => trades.filter(({ stockId }) => stockId === Number(id)).length)).toEqual(
      stocks.map((_, index) => (index < 10 ? 20 : 0)))
    for (const { symbol, stockId, price, date, tradedAt } of trades) {
      const stock = byId(stocks, String(stockId))
      expect(symbol).toBe(stock.symbol)
      expect(price).toBeGreaterThanOrEqual(stock.low)
      expect(price).toBeLessThanOrEqual(stock.high)
      expect(date).toMatch(/^2026-08-\d\d$/)
      expect(new Date(tradedAt).toISOString()).toBe(tradedAt.replace('Z', '.000Z'))
      expect(tradedAt.slice(0, 10)).toBe(date)
    }
  })

  test('trades of one symbol on one day are spread over partitions', () => {
    const days = Map.groupBy(trades, ({ symbol, date }) => `${symbol}-${date}`)
    for (const [day, ofDay] of days) {
      expect(ofDay.filter(({ partitionKey }) => !new RegExp(`^${day}\\.([1-9]|1\\d|20)$`).test(partitionKey))).toEqual([])
      expect(new Set(ofDay.map(({ partitionKey }) => partitionKey)).size).toBeGreaterThan(1)
    }
  })
})

describe('derived fields', () => {
  test('a name is first and last name, or the one there is', () => {
    expect(derive['Person']!['name']!({ firstName: 'Ada', lastName: 'Quill' })).toBe('Ada Quill')
    expect(derive['Author']!['name']!({ lastName: 'Quill' })).toBe('Quill')
  })

  test('a thumbnail is that of the first picture that has one, wherever it stands', () => {
    const thumbnailUrl = derive['Author']!['thumbnailUrl']!
    expect(thumbnailUrl({ images: [{ large: 'l' }, { thumbnail: null }, { thumbnail: 't' }, { thumbnail: 'u' }] })).toBe('t')
    expect(thumbnailUrl({ images: [{ large: 'l' }] })).toBeNull()
    expect(thumbnailUrl({})).toBeNull()
  })
})

function puts() {
  return sampleDocuments(model).flatMap((write) => (write.kind === 'put' ? [write] : []))
}

/** The bodies in a container as a store would hand them out, through JSON. */
function stored(container: string, type?: string) {
  const bodies = writes.filter((write) => write.container === container && (type === undefined || write.body['type'] === type))
  return JSON.parse(JSON.stringify(bodies.map(({ body }) => body)))
}

function byId<T extends { id: string }>(documents: readonly T[], id: string): T {
  const found = documents.find((document) => document.id === id)
  if (!found) throw new Error(`The sample has no document ${id}.`)
  return found
}

function has(documents: readonly { id: string }[], id: string): boolean {
  return documents.some((document) => document.id === id)
}
