// The sample library: what its example operations answer, and what they cost.

import { readFileSync } from 'node:fs'
import type { Query } from '../../generated/schema.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { derive } from '../../schema/library/derive.ts'
import { resolvers } from '../../schema/library/resolvers.ts'
import { sampleDocuments } from './sample-documents.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import { savingsTable } from '../docs/savings.ts'
import { openGateway, stores, type Ask } from '../harness.ts'

const typeDefs = readSdlFolder('schema/library')
const seed = ({ model }: { model: Parameters<typeof sampleDocuments>[0] }) => sampleDocuments(model)

describe.each(stores)('the library on $name', ({ store }) => {
  let ask: Ask
  beforeAll(async () => {
    ask = await openGateway({ typeDefs, derive, resolvers, seed, store })
  })

  test('fifty books with the author fields that snapshots hold take one round trip', async () => {
    const { data, report } = await ask('{ books(first: 50) { nodes { name authors { name thumbnailUrl } } } }')
    const references = (data as Pick<Query, 'books'>).books.nodes.flatMap(({ authors }) => authors).length
    expect(report.made).toMatchObject({ roundTrips: 1, waves: 1 })
    expect(report.naive).toMatchObject({ roundTrips: 1 + references, waves: 2 })
    expect(report.saved).toEqual({ byBatching: 0, bySnapshots: references })
    expect(report.relations).toEqual([{ field: 'Book.authors', from: 'SNAPSHOT', because: 'name and thumbnailUrl are copied', resolved: 50 }])
    expect(report.calls).toMatchObject([{ operation: 'query', container: 'books', for: ['Query.books'], keys: 0, documents: 50, wave: 1 }])
  })

  test('with a field that snapshots lack, it takes two round trips in two waves', async () => {
    const { data, report } = await ask('{ books(first: 50) { nodes { name authors { name thumbnailUrl images { large } } } } }')
    const references = (data as Pick<Query, 'books'>).books.nodes.flatMap(({ authors }) => authors).length
    expect(report.made).toMatchObject({ roundTrips: 2, waves: 2 })
    expect(report.naive).toMatchObject({ roundTrips: 1 + references, waves: 2 })
    expect(report.saved).toEqual({ byBatching: references - 1, bySnapshots: 0 })
    expect(report.relations).toEqual([{ field: 'Book.authors', from: 'REFERENCE', because: 'images is not copied', resolved: 50 }])
  })

  test('the first books of each of fifty publishers are one round trip', async () => {
    const { report } = await ask('{ publishers(first: 50) { nodes { books(first: 5) { nodes { name } } } } }')
    // A store that cannot page several lists apart asks once more for those that the first answer held too few of.
    if (report.estimated) expect(report.made).toMatchObject({ roundTrips: 2, waves: 2 })
    else expect(report.made.waves).toBeLessThanOrEqual(3)
    expect(report.made.roundTrips).toBeLessThan(report.naive.roundTrips)
  })

  test.each([[1, 1, 4], [2, 5, 10], [24, 40, 1000]])('four levels down take five waves and five round trips: %i publishers with %i books each, at least %i rows', async (publishers, books, rows) => {
    const { data, report } = await ask(`{ publishers(first: ${publishers}) { nodes { books(first: ${books}) { nodes { authors { books { publisher { name } } } } } } } }`)
    if (report.estimated) expect(report.made).toMatchObject({ roundTrips: 5, waves: 5 })
    // Up to three documents are cheaper read one by one, side by side.
    else expect(report.made).toMatchObject({ roundTrips: expect.toSatisfy((roundTrips: number) => roundTrips >= 5 && roundTrips <= 15), waves: expect.toSatisfy((waves: number) => waves === 5 || waves === 6) })
    expect(rowsIn(data)).toBeGreaterThanOrEqual(rows)
  })

  test('the sample has the documents of the modelling articles', async () => {
    const { data } = await ask(`{
      author(id: "a1") { name countOfBooks books { id } images { thumbnail profile large } }
      book(id: "b1") { name authors { id name } publisher { id name } reviews(first: 3) { totalCount nodes { rating } } }
      bookWithoutPublisher: book(id: "b3") { publisher { name } }
      person(id: "1") { name addresses { line1 line2 city state zip } contactDetails { ... on EmailContact { email } ... on PhoneContact { phone extension } } }
      portfolio(id: "f1") { holdings { numberHeld stock { id symbol open high low volume marketCap pe } } }
    }`)
    expect(data).toMatchObject({
      author: { name: 'Thomas Andersen', countOfBooks: 3, books: [{ id: 'b1' }, { id: 'b2' }, { id: 'b3' }] },
      book: {
        name: 'Azure Cosmos DB 101', authors: [{ id: 'a1', name: 'Thomas Andersen' }, { id: 'a2', name: 'William Wakefield' }],
        publisher: { id: 'mspress', name: 'Microsoft Press' }, reviews: { totalCount: 230 },
      },
      bookWithoutPublisher: { publisher: null },
      person: {
        addresses: [{ line1: '100 Some Street', line2: 'Unit 1', city: 'Seattle', state: 'WA', zip: 98012 }],
        contactDetails: [{ email: 'thomas@andersen.com' }, { phone: '+1 555 555-5555', extension: 5555 }],
      },
      portfolio: { holdings: [
        { numberHeld: 100, stock: { id: '1', symbol: 'zaza', open: 1, high: 2, low: 0.5, volume: 11970000, marketCap: 42000000, pe: 5.89 } },
        { numberHeld: 50, stock: { id: '2', symbol: 'xcxc', open: 89, high: 93.24, low: 88.87, volume: 2970200, marketCap: 1005000, pe: 75.82 } },
      ] },
    })
  })

  test('a trade is one point read with its symbol and day, and a query without', async () => {
    const known = await ask('{ trade(id: "t1", symbol: "zaza", date: "2026-08-03") { price } }')
    const unknown = await ask('{ trade(id: "t1") { price } }')
    expect(known.data).toEqual(unknown.data)
    expect(known.report.calls.map(({ operation }) => operation)).toEqual(['read'])
    expect(unknown.report.calls.map(({ operation }) => operation)).toEqual(['query'])
  })
})

test('the savings that README and docs show are those of the sample', async () => {
  const readme = readFileSync('README.md', 'utf8')
  const table = await savingsTable()
  expect(readFileSync('docs/cost-report.md', 'utf8')).toContain(table)
  const [, naive, , chosen] = table.split('\n').find((row) => row.includes('snapshot covers'))!.split(' | ')
  const [made, alone] = [costOf(chosen!), costOf(naive!)]
  expect(readme).toMatch(new RegExp(`"made": +{ "roundTrips": ${made[0]}, +"waves": ${made[1]}, "requestCharge": ${made[2]} }`))
  expect(readme).toMatch(new RegExp(`"naive": +{ "roundTrips": ${alone[0]}, +"waves": ${alone[1]}, "requestCharge": ${alone[2]} }`))
})

/** Round trips, waves and charge, as the table shows them. */
function costOf(cell: string): string[] {
  return cell.replace(' |', '').split(' · ')
}

function rowsIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((rows, each) => rows + 1 + rowsIn(each), 0)
  return typeof value === 'object' && value !== null ? Object.values(value).reduce<number>((rows, each) => rows + rowsIn(each), 0) : 0
}
