// Embed or reference: the two textbook examples, with exact costs. The expected RU are computed by hand from the cost
// model: 1 for reading a small document, 4.95 for writing one and twice that for replacing it, and for a query 2.8, plus
// 0.1 for each document and 0.0102 for each kilobyte that it finds.

import fc from '../../fast-check.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { agreement, type ProvedAdvice } from '../../../src/cli/advise/prove-advice.ts'
import { Tally } from '../../../src/observe/workload/tally.ts'
import type { Workload } from '../../../src/observe/workload/workload.ts'
import { sumWorkloads } from '../../../src/observe/workload/workload-file.ts'
import { numbers, openWorld, relation, repeated, type World } from './world.ts'

const read = 1
const replace = 2 * 4.95

function query(documents: number, bytes: number): number {
  return (documents > 0 ? 2.8 : 2.5) + 0.1 * documents + (0.0102 * documents * bytes) / 1024
}

describe('prices that change every hour, in two thousand portfolios', () => {
  const holders = 2000
  const updates = 2
  const reads = 50
  const inputs = {
    Stock: [{ id: 's1', symbol: 'AAA', price: 11 }, { id: 's2', symbol: 'BBB', price: 12 }],
    Portfolio: numbers(holders).map((number) => ({ id: `p${1000 + number}`, name: 'Mine', stockIds: ['s1', 's2'] })),
  }
  const operations = [
    ...repeated(reads, (number) => `{ portfolio(id: "p${1000 + number}") { name stocks { symbol price } } }`),
    ...repeated(updates, (number) => `mutation { updateStock(input: { id: "s${1 + (number % 2)}", price: ${20 + number} }) { stock { price } } }`),
  ]
  // The size of a portfolio with both snapshots.
  const copying = JSON.stringify({ stocks: [{ id: 's1', symbol: 'AAA', price: 11, _v: 1 }, { id: 's2', symbol: 'BBB', price: 12, _v: 1 }], id: 'p1001', name: 'Mine', _v: 1 }).length
  // Both read, and the holder; or the holder alone.
  const [referencedRead, embeddedRead] = [read + 2 * read, read]
  const update = read + replace
  // Finding the holders takes two full pages and an empty one; then each is written.
  const carried = 2 * query(1000, copying) + query(0, 0) + holders * replace
  const referenced = { roundTrips: reads * 2 + updates * 2, requestCharge: reads * referencedRead + updates * update }
  const embedded = { roundTrips: reads * 1 + updates * (2 + 3), requestCharge: reads * embeddedRead + updates * (update + carried) }

  async function advised(stored: string): Promise<ProvedAdvice> {
    const world = await openWorld(brokerage(stored), inputs)
    return world.prove(await world.record(1, operations))
  }

  test('references stay references', async () => {
    const advice = await advised('@reference(at: "stocks")')
    const stocks = relation(advice, 'Portfolio.stocks')
    expect(stocks).toMatchObject({ declared: { way: 'referenced' }, advised: { way: 'referenced' }, change: false, saves: 0 })
    expect(stocks.referenced.rate).toEqual({ roundTrips: referenced.roundTrips, requestCharge: expect.closeTo(referenced.requestCharge, 2) })
    expect(stocks.embedded!.rate.roundTrips).toBeCloseTo(embedded.roundTrips, 6)
    expect(stocks.embedded!.rate.requestCharge / embedded.requestCharge).toBeCloseTo(1, 3)
    expect(stocks.embedded!.copied).toEqual(['symbol', 'price'])
    expect(stocks.changes).toMatchObject({ of: 'Stock', now: updates, fanOut: holders })
    // The savings of reads, divided by the cost of one change.
    expect(stocks.changes.breakEven! / ((reads * (referencedRead - embeddedRead)) / carried)).toBeCloseTo(1, 3)
    expect(stocks.proof!.measured.roundTrips).toBeCloseTo(embedded.roundTrips, 6)
    expect(stocks.proof!.measured.requestCharge / embedded.requestCharge).toBeCloseTo(1, 3)
    expect(stocks.proof!.agrees).toBe(true)
  })

  test('snapshots should become references, with the line to write and the costs', async () => {
    const advice = await advised('@snapshot(at: "stocks", fields: ["symbol", "price"], max: 1000)')
    const stocks = relation(advice, 'Portfolio.stocks')
    expect(stocks).toMatchObject({ declared: { way: 'embedded' }, advised: { way: 'referenced', line: 'stocks: [Stock!]! @reference(at: "stocks")' }, change: true })
    expect(advice.now.requestCharge / embedded.requestCharge).toBeCloseTo(1, 3)
    expect(stocks.advised.rate.roundTrips).toBeCloseTo(referenced.roundTrips, 6)
    expect(Math.abs(stocks.advised.rate.requestCharge - referenced.requestCharge)).toBeLessThan(0.001 * embedded.requestCharge)
    expect(stocks.saves).toBeGreaterThan(0.99)
    expect(stocks.proof!.measured).toEqual({ roundTrips: expect.closeTo(referenced.roundTrips, 6), requestCharge: expect.closeTo(referenced.requestCharge, 2) })
    expect(stocks.proof!.agrees).toBe(true)
  })
})

describe('names of authors on books', () => {
  const hours = 10
  const pages = 300
  const inputs = {
    Author: numbers(40).map((number) => ({ id: `a${100 + number}`, name: `Author ${100 + number}`, bio: 'y'.repeat(600), city: 'Bergen' })),
    Book: numbers(200).map((number) => ({ id: `b${100 + number}`, title: `Book ${100 + number}`, authorId: `a${101 + (number % 40)}` })),
  }
  /** Both a page of the list and a renaming were recorded once: that many pages, and that many renamings. */
  const recorded = async (world: World, listed: readonly string[], renamed: readonly string[] = []): Promise<Workload> => {
    const [reading, writing] = [await world.record(hours, listed, pages), await world.record(hours, renamed)]
    return { ...sumWorkloads([reading, writing]), recordedMs: reading.recordedMs }
  }
  const rename = 'mutation { updateAuthor(input: { id: "a102", name: "Writer 101" }) { author { name } } }'
  const list = '{ books(first: 20) { nodes { title author { name } } } }'
  const book = JSON.stringify({ authorId: 'a101', id: 'b101', title: 'Book 101', _v: 1 }).length
  const copying = JSON.stringify({ authorId: { id: 'a101', name: 'Author 101', _v: 1 }, id: 'b101', title: 'Book 101', _v: 1 }).length
  const author = JSON.stringify({ ...inputs.Author[0], _v: 1 }).length
  // Twenty books and their twenty authors, which one query finds for less than twenty reads.
  const referencedPage = query(20, book) + Math.min(20 * read, query(20, author))
  const embeddedPage = query(20, copying)
  // Five books of each author are found and written.
  const carried = query(5, copying) + 5 * replace

  async function open(stored: string): Promise<World> {
    return openWorld(library(stored), inputs)
  }

  test('a reference should become a snapshot of the name', async () => {
    const world = await open('@reference(at: "authorId")')
    const advice = await world.prove(await recorded(world, [list], [rename]))
    const writer = relation(advice, 'Book.author')
    const update = read + replace
    expect(writer).toMatchObject({ declared: { way: 'referenced' }, advised: { way: 'embedded', copied: ['name'] }, change: true, add: ['name'], drop: [] })
    expect(writer.advised.line).toBe('author: Author! @snapshot(at: "authorId", fields: ["name"])')
    expect(advice.now).toEqual({ roundTrips: (2 * pages + 2) / hours, requestCharge: expect.closeTo((pages * referencedPage + update) / hours, 0) })
    expect(writer.advised.rate.roundTrips).toBeCloseTo((pages + 3) / hours, 6)
    expect(writer.advised.rate.requestCharge).toBeCloseTo((pages * embeddedPage + update + carried) / hours, 0)
    expect(writer.changes).toMatchObject({ of: 'Author', now: 1 / hours, fanOut: 5 })
    expect(writer.changes.breakEven).toBeCloseTo((pages * (referencedPage - embeddedPage)) / carried / hours, 1)
    expect(writer.proof!.measured.roundTrips).toBeCloseTo((pages + 3) / hours, 6)
    expect(writer.proof!.measured.requestCharge).toBeCloseTo((pages * embeddedPage + update + carried) / hours, 0)
    expect(writer.proof!.agrees).toBe(true)
  })

  test('a snapshot stays a snapshot, and referencing costs more', async () => {
    const world = await open('@snapshot(at: "authorId", fields: ["name"])')
    const advice = await world.prove(await recorded(world, [list], [rename]))
    const writer = relation(advice, 'Book.author')
    expect(writer).toMatchObject({ declared: { way: 'embedded' }, advised: { way: 'embedded' }, change: false, add: [], drop: [] })
    expect(writer.proof).toMatchObject({ way: 'referenced', line: 'author: Author! @reference(at: "authorId")', agrees: true })
    expect(writer.proof!.measured.requestCharge).toBeGreaterThan(1.5 * writer.proof!.declared.requestCharge)
  })

  describe('the advice reverses at the break-even rate', () => {
    test.each(['@reference(at: "authorId")', '@snapshot(at: "authorId", fields: ["name"])'])('declared %s', async (stored) => {
      const world = await open(stored)
      const once = await recorded(world, [list], [rename])
      const flip = relation(await world.price(once), 'Book.author').changes.breakEven! * hours
      expect(flip).toBeGreaterThan(10)
      // A recording of snapshots has the number of rewritten documents: five per rename.
      const relations = (count: number) => (stored.startsWith('@snapshot') ? { 'Book.author': { ...once.relations['Book.author']!, rewritten: 5 * count } } : once.relations)
      for (const [count, way] of [[Math.floor(flip * 0.99), 'embedded'], [Math.ceil(flip * 1.01), 'referenced']] as const) {
        const { advised, embedded, referenced, proof } = relation(await world.prove({ ...withRenames(once, count), relations: relations(count) }), 'Book.author')
        expect({ count, way: advised.way }).toEqual({ count, way })
        const cheaper = embedded!.rate.requestCharge < referenced.rate.requestCharge ? 'embedded' : 'referenced'
        expect(cheaper).toBe(way)
        // The replay agrees.
        const measured = { [proof!.way]: proof!.measured.requestCharge, [proof!.way === 'embedded' ? 'referenced' : 'embedded']: proof!.declared.requestCharge }
        expect(measured['embedded']! < measured['referenced']! ? 'embedded' : 'referenced').toBe(way)
      }
    })
  })

  test('the replay uses a part of the store, the costs are those of the whole store', async () => {
    const world = await open('@reference(at: "authorId")')
    const workload = await recorded(world, [list], [rename])
    const [whole, part] = [await world.prove(workload), await world.prove(workload, 30)]
    // Thirty books, their authors, and the first thirty authors.
    expect([whole.replayed.documents, part.replayed.documents]).toEqual([240, 61])
    const [all, some] = [relation(whole, 'Book.author'), relation(part, 'Book.author')]
    expect(some.changes.fanOut).toBe(5)
    expect(some.advised.rate.requestCharge).toBeCloseTo(all.advised.rate.requestCharge, 1)
    expect(some.proof!.agrees).toBe(true)
    expect(some.proof!.measured.requestCharge).toBeLessThan(all.proof!.measured.requestCharge)
  })

  test('selected fields are added to the snapshot, unused ones dropped', async () => {
    const world = await open('@snapshot(at: "authorId", fields: ["bio", "name"])')
    const asking = '{ books(first: 20) { nodes { author { name city } } } }'
    const advice = await world.prove(await recorded(world, [list, asking]))
    const writer = relation(advice, 'Book.author')
    expect(writer).toMatchObject({ add: ['city'], drop: ['bio'], change: true, advised: { line: 'author: Author! @snapshot(at: "authorId", fields: ["name", "city"])' } })
    expect(writer.proof!.agrees).toBe(true)
    expect(writer.proof!.measured.requestCharge).toBeLessThan(writer.proof!.declared.requestCharge)
  })

  test('a field that changes too often is not added', async () => {
    const world = await open('@snapshot(at: "authorId", fields: ["name"])')
    const asking = '{ book(id: "b101") { author { city } } }'
    const advice = await world.price(await recorded(world, [list], [...repeated(20, () => asking), ...repeated(20, (number) => `mutation { updateAuthor(input: { id: "a${101 + (number % 40)}", city: "City ${number}" }) { author { name } } }`)]))
    expect(relation(advice, 'Book.author')).toMatchObject({ add: [], drop: [], advised: { copied: ['name'] } })
  })

  test('operations that force a lookup do not count as answered by a snapshot', async () => {
    const world = await open('@reference(at: "authorId")')
    const fresh = '{ books(first: 20) { nodes { author @read(from: REFERENCE) { name } } } }'
    const advice = await world.price(await world.record(hours, repeated(10, () => fresh)))
    // With a reference, the recording cannot tell that the operation would force a lookup, so it is priced as using the snapshot.
    expect(relation(advice, 'Book.author').embedded!.copied).toEqual(['name'])
    const copied = await open('@snapshot(at: "authorId", fields: ["name"])')
    const refused = await copied.prove(await copied.record(hours, repeated(10, () => fresh)))
    expect(relation(refused, 'Book.author')).toMatchObject({ advised: { way: 'referenced' } })
  })

  test('a saving below one percent is shown, but no change is advised', async () => {
    const world = await open('@reference(at: "authorId")')
    const other = await world.record(hours, ['{ authors(first: 40) { nodes { bio } } }'], 40_000)
    const little = relation(await world.price({ ...sumWorkloads([await recorded(world, [list]), other]), recordedMs: hours * 3_600_000 }), 'Book.author')
    expect(little).toMatchObject({ change: false, advised: { way: 'embedded' } })
    expect(little.saves).toBeLessThan(0.01)
  })
})

describe('many kinds of relations at once', () => {
  let world: World
  /** What was recorded of each operation, on its own. */
  let recorded: Workload[]
  beforeAll(async () => {
    world = await openWorld(shop, {
      Customer: numbers(30).map((number) => ({ id: `c${100 + number}`, name: `Customer ${number}`, note: 'z'.repeat(number * 10) })),
      Product: numbers(12).map((number) => ({ id: `p${100 + number}`, label: `Product ${number}`, price: number })),
      Order: numbers(120).map((number) => ({
        id: `o${100 + number}`, code: `Code ${number}`, customerId: `c${101 + (number % 30)}`, productIds: [`p${101 + (number % 12)}`, `p${101 + ((number * 5) % 12)}`],
        ...(number % 3 === 0 ? {} : { clerkId: `c${101 + ((number * 7) % 30)}` }), lines: [{ count: 1, productId: `p${101 + (number % 12)}` }],
      })),
    })
    recorded = []
    for (const operation of [
      '{ orders(first: 15) { nodes { code customer { name } clerk { name } products { label price } } pageInfo { hasNextPage } } }',
      '{ order(id: "o101") { customer { name note } lines { count product { label } } } }',
      '{ customer(id: "c101") { name countOfOrders orders(first: 3) { totalCount nodes { code products { label } } } } }',
      '{ product(id: "p101") { label orders { code clerk { note } } } }',
      'mutation { updateProduct(input: { id: "p101", price: 101 }) { product { price } } }',
      'mutation { updateCustomer(input: { id: "c101", name: "Other" }) { customer { name orders(first: 1) { nodes { code clerk { name } } } } } }',
      'mutation { createOrder(input: { code: "New", customerId: "c101", productIds: ["p101"] }) { order { code customer { note } } } }',
      'mutation { updateOrder(input: { id: "o102", code: "Changed", productIds: ["p103", "p104"] }) { order { code } } }',
      'mutation { deleteOrder(input: { id: "o199" }) { order { code } } }',
    ]) recorded.push(await world.record(1, [operation]))
  })

  /** Each operation so many times within an hour. */
  function mixed(times: readonly number[]): Workload {
    const tally = new Tally()
    for (const [index, often] of times.entries()) if (often > 0) tally.add(recorded[index]!, often)
    return tally.workload(recorded[0]!)
  }

  test('the replay resembles the recording, and relations that cannot be copied are named', async () => {
    const advice = await world.prove(mixed([40, 25, 10, 10, 8, 6, 5, 3, 1]))
    expect(advice.relations.filter(({ proof }) => proof).map(({ field }) => field).toSorted()).toEqual(['Order.clerk', 'Order.customer', 'Order.products'])
    expect(advice.replayed).toMatchObject({ failed: [], leftOut: [] })
    expect(advice.replayed.rate.requestCharge / advice.now.requestCharge).toBeGreaterThan(0.9)
    expect(advice.replayed.rate.requestCharge / advice.now.requestCharge).toBeLessThan(1.1)
    expect(relation(advice, 'Line.product')).toMatchObject({ advised: { way: 'referenced' }, proof: undefined, embedded: { impossible: expect.stringMatching(/^Line\.product: .*Line is not one/) } })
  })

  test('prediction and replay agree within the bound for random mixes of operations', async () => {
    const often = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 300 }))
    await fc.assert(fc.asyncProperty(fc.tuple(fc.integer({ min: 1, max: 300 }), ...Array.from({ length: 8 }, () => often)), async (times) => {
      const { relations, together } = await world.prove(mixed(times))
      const proofs = relations.flatMap(({ field, proof }) => (proof ? [{ field, ...proof }] : []))
      expect(proofs.length).toBeGreaterThan(0)
      for (const { field, agrees, declared, predicted, measured } of proofs) {
        const off = Math.abs(predicted.requestCharge - measured.requestCharge)
        const allowed = Math.max(agreement.ofDifference * Math.abs(measured.requestCharge - declared.requestCharge), agreement.ofTotal * declared.requestCharge)
        expect({ field, agrees, within: off <= allowed }).toEqual({ field, agrees: true, within: true })
        expect({ field, roundTrips: Math.abs(predicted.roundTrips / measured.roundTrips - 1) < 0.02 }).toEqual({ field, roundTrips: true })
      }
      expect(together?.agrees ?? true).toBe(true)
    }), { numRuns: 4, seed: 1 })
  })
})

const shop = /* GraphQL */ `
  type Order @document(container: "orders") {
    id: ID! code: String!
    customer: Customer! @snapshot(at: "customer", fields: ["name", "note"])
    products: [Product!]! @reference(at: "products")
    clerk: Customer @reference(at: "clerk", onDelete: SET_NULL)
    lines: [Line!]! @contained(max: 20)
  }
  type Line { count: Int! product: Product @reference(at: "product") }
  type Customer @document(container: "customers") { id: ID! name: String! note: String countOfOrders: Int! @counted(relation: "orders") orders: OrderConnection! @reverse(of: "Order.customer") }
  type Product @document(container: "products") { id: ID! label: String! price: Float! orders: [Order!]! @reference(at: "orders", inverseOf: "Order.products") }
`

function brokerage(stored: string): string {
  return /* GraphQL */ `
    type Portfolio @document(container: "portfolios") { id: ID! name: String! stocks: [Stock!]! ${stored} }
    type Stock @document(container: "stocks") { id: ID! symbol: String! price: Float! }
  `
}

function library(stored: string): string {
  return /* GraphQL */ `
    type Book @document(container: "books") { id: ID! title: String! author: Author! ${stored} }
    type Author @document(container: "authors") { id: ID! name: String! bio: String city: String }
  `
}

function withRenames(workload: Workload, count: number): Workload {
  return { ...workload, types: { Author: { ...workload.types['Author']!, updated: { name: count } } } }
}
