// The example clients against a gateway over HTTP: the same behaviour of each, and the same round trips.

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
      const accounts: CostReport[] = []
      const library = openLibrary({ url: served.url, retry: () => soon(), onAccount: (_, account) => accounts.push(account) })
      return { library, roundTrips: () => accounts.splice(0).map(({ made }) => made.roundTrips), accounts }
    }
    return { served, another, ...another() }
  }

  test('pages are fetched until the end with a round trip each, and are one list in the cache', async () => {
    const { served, library, roundTrips } = await open()
    expect(await everyPage(library)).toEqual([100, 200, 300, 400])
    expect(roundTrips()).toEqual([1, 1, 1, 1])
    const { books } = (await served.ask('{ books(first: 500) { totalCount } }')) as { books: { totalCount: number } }
    expect(new Set(library.keptBooks().books.map(({ nodeId }) => nodeId)).size).toBe(books.totalCount)
    expect(roundTrips()).toEqual([])
  })

  test('a review that was added is counted wherever the cache has the book, without another request', async () => {
    const { library, roundTrips } = await open()
    const [book] = (await library.moreBooks()).books
    roundTrips()
    await library.addReview({ bookId: book!.id, rating: 9, reviewer: 'Ann' })
    expect(library.keptBooks().books[0]).toMatchObject({ nodeId: book!.nodeId, countOfReviews: book!.countOfReviews + 1 })
    expect(library.keptBooks().books).toHaveLength(100)
    expect(roundTrips()).toEqual([3])
  })

  test('a renamed author is renamed in every book that the cache has, without another request', async () => {
    const { library, roundTrips } = await open()
    await everyPage(library)
    const before = authored(library.keptBooks().books, 'Thomas Andersen')
    roundTrips()
    await library.renameAuthor({ id: 'a1', firstName: 'Tom' })
    expect(before.length).toBeGreaterThan(1)
    expect(authored(library.keptBooks().books, 'Tom Andersen')).toEqual(before)
    expect(authored(library.keptBooks().books, 'Thomas Andersen')).toEqual([])
    expect(roundTrips()).toEqual([3])
  })

  test('a document is fetched anew by its global id in one round trip, and its list shows it', async () => {
    const { served, library, roundTrips } = await open()
    const [book] = (await library.moreBooks()).books
    await served.ask('mutation ($id: ID!) { updateBook(input: { id: $id, name: "Second Folio" }) { book { id } } }', { id: book!.id })
    expect(library.keptBooks().books[0]!.name).toBe(book!.name)
    roundTrips()
    expect(await library.refetchBook(book!.nodeId)).toMatchObject({ id: book!.id, name: 'Second Folio' })
    expect(library.keptBooks().books[0]!.name).toBe('Second Folio')
    expect(roundTrips()).toEqual([1])
  })

  test('whoever has written sees it although copies have not followed, for a second round trip; others see the copies', async () => {
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

  test('a mutation that is refused fails with the reason, and the cache stays as it was', async () => {
    const { library } = await open()
    const { books } = await library.moreBooks()
    await expect(library.addReview({ bookId: books[0]!.id, rating: 11, reviewer: 'Ann' })).rejects.toThrow('rating is 11. Give a number from 0 to 10.')
    expect(library.keptBooks().books).toEqual(books)
  })

  test('prices are told as they change, and one that changes while the connection is broken is told after it', async () => {
    const { served, library, accounts } = await open()
    const prices = watching(library, ['zaza'])
    // It may take a moment until a subscription listens, so the price changes until it is told.
    const first = await prices.changing((high) => changePrice(served, '1', high))
    expect(first).toMatchObject({ symbol: 'zaza' })
    expect(accounts.at(-1)).toMatchObject({ made: { roundTrips: 0 }, cursor: expect.any(String) as string })
    served.cutOff()
    await changePrice(served, '2', 5000)
    await changePrice(served, '1', 6000)
    served.mend()
    await expect.poll(() => prices.told.at(-1)).toMatchObject({ nodeId: first.nodeId, symbol: 'zaza', high: 6000 })
    expect(new Set(prices.told.map(({ symbol }) => symbol))).toEqual(new Set(['zaza']))
    prices.stop()
  })
})

/** How many books the cache has after each page. One that never ends is given up. */
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
  const told: Stock[] = []
  const stop = library.watchPrices(symbols, (stock) => told.push(stock))
  const changing = async (change: (high: number) => Promise<void>): Promise<Stock> => {
    for (let high = 10; told.length === 0; high++) await change(high).then(() => soon())
    return told[0]!
  }
  return { told, stop, changing }
}
