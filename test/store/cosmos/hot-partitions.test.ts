// A hundred trades of one symbol on one day, under three declarations of their partition key, on sixteen
// physical partitions: where the writes go, and what it costs to find them again. The titles contain the
// figures, and a test compares the table in docs/cosmos.md with them.

import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Cost } from '../../../src/store/cost-model.ts'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import { openGateway, type Ask } from '../../harness.ts'
import { startCosmosEmulator, type CosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'

const partitions = 16
const trades = 100
const [symbol, date] = ['zaza', '2026-08-10']

/** From and to; equal if there is no randomness. */
type Figure = readonly [number, number]

interface Row {
  readonly suffix: string
  readonly declared: string
  /** How many physical partitions are written to, and how many of the hundred writes the busiest takes. */
  readonly reached: Figure
  readonly busiest: Figure
  /** Round trips and charge, each in one wave: of one trade by its id, symbol and date, and of all trades of the day. */
  readonly one: readonly [Figure, Figure]
  readonly day: readonly [Figure, Figure]
  /** Round trips and charge of creating one more, under an id of the client's own. */
  readonly more: readonly [Figure, Figure]
}

const rows: readonly Row[] = [
  {
    suffix: 'no suffix', declared: '{ concat: ["symbol", "date"] }',
    reached: [1, 1], busiest: [100, 100], one: [[1, 1], [1, 1]], day: [[1, 1], [12.94, 12.94]], more: [[2, 2], [6.75, 6.75]],
  },
  {
    suffix: 'one of 20 suffixes at random', declared: '{ concat: ["symbol", "date"], suffix: { random: 20 } }',
    reached: [8, 12], busiest: [9, 40], one: [[16, 16], [40.4, 40.4]], day: [[12, 12], [42, 45]], more: [[18, 18], [46.75, 46.75]],
  },
  {
    suffix: 'one of 20 suffixes by the id', declared: '{ concat: ["symbol", "date"], suffix: { hashOf: "id", spread: 20 } }',
    reached: [11, 11], busiest: [15, 15], one: [[1, 1], [1, 1]], day: [[12, 12], [43.44, 43.44]], more: [[2, 2], [6.75, 6.75]],
  },
]

describe.each(rows)('with $suffix', ({ declared, reached, busiest, one, day, more }) => {
  let server: CosmosEmulator
  let ask: Ask
  beforeAll(async () => {
    server = await startCosmosEmulator({ partitions })
    const typeDefs = /* GraphQL */ `
      type Trade @document(container: "trades", partitionKey: ${declared}) {
        id: ID! symbol: String! @indexed date: String! @indexed price: Float! quantity: Int!
      }`
    ask = await openGateway({
      typeDefs, settles: false, freshness: () => ({ boundMs: 0, watermark: 0 }),
      store: (layout) => openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'brokerage', create: true }, layout),
    })
    const create = async (number: number): Promise<void> => {
      const input = { id: `t${number}`, symbol, date, price: 12.5, quantity: 10 }
      const { errors } = await ask('mutation($input: CreateTradeInput!) { createTrade(input: $input) { trade { id } } }', { variables: { input } })
      expect(errors).toBeUndefined()
    }
    for (let first = 0; first < trades; first += 10) await Promise.all(Array.from({ length: 10 }, (_, next) => create(first + next)))
    return async () => {
      await ask.close()
      await server.close()
    }
  })

  test(`writes reach ${text(reached)} of ${partitions} physical partitions, and the busiest takes ${text(busiest)} %`, async ({ annotate }) => {
    const writes = server.partitions('brokerage', 'trades').map((partition) => partition.writes)
    expect(writes.reduce((sum, each) => sum + each)).toBe(trades)
    expectWithin(writes.filter((each) => each > 0).length, reached)
    expectWithin(Math.max(...writes), busiest)
    await annotate(`writes by physical partition: ${writes.join(' ')}`)
  })

  test(`one trade is found with ${costText(one)}`, async ({ annotate }) => {
    const { cost, data } = await costOf(`{ trade(id: "t7", symbol: "${symbol}", date: "${date}") { id price } }`)
    expect(data).toEqual({ trade: { id: 't7', price: 12.5 } })
    expectCost(cost, one)
    await annotate(`charged ${cost.requestCharge}`)
  })

  test(`all trades of the day are found with ${costText(day)}`, async ({ annotate }) => {
    const { cost, data } = await costOf(`{ trades(filter: { symbol: { eq: "${symbol}" }, date: { eq: "${date}" } }, first: 1000) { nodes { id } } }`)
    const { nodes } = data['trades'] as { nodes: { id: string }[] }
    expect(nodes.map(({ id }) => id)).toEqual(Array.from({ length: trades }, (_, number) => `t${number}`).toSorted())
    expectCost(cost, day)
    await annotate(`charged ${cost.requestCharge}`)
  })

  test(`one more trade under an id of the client's own is written with ${text(more[0])} round trips, charged ${text(more[1])}: ${more[0][0] > 2 ? 'its id is looked for in all partitions first' : 'one guarded write, after a look for a deleted trade of this id'}`, async () => {
    const { cost } = await costOf(`mutation { createTrade(input: { id: "more", symbol: "${symbol}", date: "${date}", price: 12.5, quantity: 10 }) { trade { id } } }`)
    expectWithin(cost.roundTrips, more[0])
    expectWithin(cost.requestCharge, more[1])
    expect(server.log.filter(({ operation }) => operation === 'batch')).toHaveLength(1)
  })

  test('one more trade whose id Quire makes is one write', async () => {
    const { cost } = await costOf(`mutation { createTrade(input: { symbol: "${symbol}", date: "${date}", price: 12.5, quantity: 10 }) { trade { symbol } } }`)
    expect(cost.roundTrips).toBe(1)
  })

  /** The cost of an operation by its cost report, which must equal the server's log. */
  async function costOf(query: string): Promise<{ cost: Cost; data: Record<string, unknown> }> {
    server.clearLog()
    const { data, errors, report } = await ask(query)
    expect(errors).toBeUndefined()
    expect(report.made.roundTrips).toBe(server.log.length)
    expect(report.made.requestCharge).toBeCloseTo(server.log.reduce((sum, { charge }) => sum + charge, 0), 6)
    return { cost: report.made, data: data! }
  }
})

test('docs/cosmos.md has these figures', () => {
  const table = readFileSync('docs/cosmos.md', 'utf8').split('\n').filter((line) => line.startsWith('| '))
  for (const { suffix, declared, reached, busiest, one, day } of rows) {
    expect(table).toContain(`| ${suffix} | \`${declared}\` | ${text(reached)} | ${text(busiest)} % | ${cellText(one)} | ${cellText(day)} |`)
  }
})

function expectCost({ roundTrips, waves, requestCharge }: Cost, [trips, charge]: Row['one']): void {
  expect(waves).toBe(1)
  expectWithin(roundTrips, trips)
  expectWithin(requestCharge, charge)
}

function expectWithin(number: number, [least, most]: Figure): void {
  expect(number).toBeGreaterThanOrEqual(least)
  expect(number).toBeLessThanOrEqual(most)
}

function text([least, most]: Figure): string {
  return least === most ? `${least}` : `${least} to ${most}`
}

function costText([trips, charge]: Row['one']): string {
  return `${text(trips)} round trip${trips[1] > 1 ? 's' : ''} in one wave, charged ${text(charge)}`
}

function cellText([trips, charge]: Row['one']): string {
  return `${text(trips)} · 1 · ${text(charge)}`
}
