// The example clients against a gateway over HTTP: all behave the same, with the same round trips.

import { setImmediate as soon } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import type { CostReport } from '../../examples/clients/cost-report.ts'
import { openLibrary as openApollo } from '../../examples/clients/apollo/library.ts'
import type { Library, Stock } from '../../examples/clients/library.ts'
import { openLibrary as openRelay } from '../../examples/clients/relay/library.ts'
import { openLibrary as openUrql } from '../../examples/clients/urql/library.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { serveLibrary, type Served } from './serve-library.ts'

const opened: Served[] = []
afterEach(async () => {
  for (const served of opened.splice(0)) await served.close()
})

describe.each([
  { client: 'Apollo Client', openLibrary: openApollo },
  { client: 'urql', openLibrary: openUrql },
  { client: 'Relay', openLibrary: openRelay },
])('$client', ({ openLibrary }) => {
  async function open(options?: Partial<GatewayOptions>) {
    const served = await serveLibrary(options)
    opened.push(served)
    const another = () => {
      const reports: CostReport[] = []
      const library = openLibrary({ url: served.url, retry: () => soon(), onCostReport: (_, report) => reports.push(report) })
      return { library, roundTrips: () => reports.splice(0).map(({ made }) => made.roundTrips), reports }
    }
    return { served, another, ...another() }
  }

  test('each page takes one round trip, and the cache merges the pages into one list', async () => {
    const { served, library, roundTrips } = await open()
    expect(await everyPage(library)).toEqual([100, 200, 300, 400])
    expect(roundTrips()).toEqual([1, 1, 1, 1])
    const { books } = (await served.ask('{ books(first: 500) { totalCount } }')) as { books: { totalCount: number } }
    expect(new Set(library.cachedBooks().books.map(({ nodeId }) => nodeId)).size).toBe(books.totalCount)
    expect(roundTrips()).toEqual([])
  })

  test('a new review updates the cached book without another request', async () => {
    const { library, roundTrips } = await open()
    const [book] = (await library.moreBooks()).books
    roundTrips()
    await library.addReview({ bookId: book!.id, rating: 9, reviewer: 'Ann' })
    expect(library.cachedBooks().books[0]).toMatchObject({ nodeId: book!.nodeId, countOfReviews: book!.countOfReviews + 1 })
    expect(library.cachedBooks().books).toHaveLength(100)
    expect(roundTrips()).toEqual([3])
  })

  test('a renamed author is updated in every cached book without another request', async () => {
    const { library, roundTrips } = await open()
    await everyPage(library)
    const before = authored(library.cachedBooks().books, 'Thomas Andersen')
    roundTrips()
    await library.renameAuthor({ id: 'a1', firstName: 'Tom' })
    expect(before.length).toBeGreaterThan(1)
    expect(authored(library.cachedBooks().books, 'Tom Andersen')).toEqual(before)
    expect(authored(library.cachedBooks().books, 'Thomas Andersen')).toEqual([])
    expect(roundTrips()).toEqual([3])
  })

  test('refetching a document by its global id takes one round trip and updates its list', async () => {
    const { served, library, roundTrips } = await open()
    const [book] = (await library.moreBooks()).books
    await served.ask('mutation ($id: ID!) { updateBook(input: { id: $id, name: "Second Folio" }) { book { id } } }', { id: book!.id })
    expect(library.cachedBooks().books[0]!.name).toBe(book!.name)
    roundTrips()
    expect(await library.refetchBook(book!.nodeId)).toMatchObject({ id: book!.id, name: 'Second Folio' })
    expect(library.cachedBooks().books[0]!.name).toBe('Second Folio')
    expect(roundTrips()).toEqual([1])
  })

  test('a client sees its own write before snapshots follow, with a second round trip; other clients see the snapshots', async () => {
    const { library, roundTrips, another } = await open({ effects: 'feed', propagates: false })
    const [book] = (await library.moreBooks()).books
    expect(book!.authors[0]!.name).toBe('Thomas Andersen')
    await library.renameAuthor({ id: 'a1', firstName: 'Tom' })
    roundTrips()
    expect((await library.refetchBook(book!.nodeId)).authors[0]!.name).toBe('Tom Andersen')
    expect(roundTrips()).toEqual([2])
    const other = another()
    expect((await other.library.refetchBook(book!.nodeId)).authors[0]!.name).toBe('Thomas Andersen')
    expect(other.roundTrips()).toEqual([1])
  })

  test('a rejected mutation throws its reason and leaves the cache unchanged', async () => {
    const { library } = await open()
    const { books } = await library.moreBooks()
    await expect(library.addReview({ bookId: books[0]!.id, rating: 11, reviewer: 'Ann' })).rejects.toThrow(/rating is 11.* 0 to 10/)
    expect(library.cachedBooks().books).toEqual(books)
  })

  test('price changes arrive as they happen, and after a broken connection the missed ones', async () => {
    const { served, library, reports } = await open()
    const prices = watching(library, ['zaza'])
    // The subscription may take a moment to start, so change the price until an event arrives.
    const first = await prices.changing((high) => changePrice(served, '1', high))
    expect(first).toMatchObject({ symbol: 'zaza' })
    expect(reports.at(-1)).toMatchObject({ made: { roundTrips: 0 }, cursor: expect.any(String) as string })
    served.disconnect()
    await changePrice(served, '2', 5000)
    await changePrice(served, '1', 6000)
    served.reconnect()
    await expect.poll(() => prices.received.at(-1)).toMatchObject({ nodeId: first.nodeId, symbol: 'zaza', high: 6000 })
    expect(new Set(prices.received.map(({ symbol }) => symbol))).toEqual(new Set(['zaza']))
    prices.stop()
  })
})

/** The number of cached books after each page; gives up after ten pages. */
async function everyPage(library: Library): Promise<number[]> {
  const lengths: number[] = []
  for (let more = true; more && lengths.length < 10;) {
    const { books, hasNextPage } = await library.moreBooks()
    lengths.push(books.length)
    more = hasNextPage
  }
  return lengths
}

function authored(books: readonly { name: string; authors: readonly { name: string }[] }[], author: string): string[] {
  return books.filter(({ authors }) => authors.some(({ name }) => name === author)).map(({ name }) => name)
}

async function changePrice(served: Served, id: string, high: number): Promise<void> {
  await served.ask('mutation ($id: ID!, $high: Float) { updateStock(input: { id: $id, high: $high }) { stock { id } } }', { id, high })
}

function watching(library: Library, symbols: string[]) {
  const received: Stock[] = []
  const stop = library.watchPrices(symbols, (stock) => received.push(stock))
  const changing = async (change: (high: number) => Promise<void>): Promise<Stock> => {
    for (let high = 10; received.length === 0; high++) await change(high).then(() => soon())
    return received[0]!
  }
  return { received, stop, changing }
}
