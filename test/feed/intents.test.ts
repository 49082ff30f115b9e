// Mutations over several partitions of Cosmos DB that end half-way, at any step and in any way: once a propagator has looked, everything of them is there
// or nothing, and `check` finds nothing.

import type { GraphQLResolveInfo } from 'graphql'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startCosmosEmulator, type CosmosEmulator } from '../../src/emulator/cosmos-emulator.ts'
import type { FaultRequest } from '../../src/emulator/faults.ts'
import { checkStore } from '../../src/evolve/check/check-store.ts'
import { Propagator } from '../../src/feed/propagator.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { openCosmosStore } from '../../src/store/cosmos/cosmos-store.ts'
import type { Store } from '../../src/store/store.ts'
import type { MutationContext, MutationInput } from '../../src/write/mutations.ts'
import { openGateway, type Ask } from '../harness.ts'

const typeDefs = /* GraphQL */ `
  type Stock @document(container: "stocks") {
    id: ID!
    symbol: String! @unique
    volume: Int!
    countOfTrades: Int! @counted(relation: "trades")
    trades: TradeConnection! @reverse(of: "Trade.stock")
  }
  type Trade @document(container: "trades", partitionKey: { concat: ["symbol", "day"], suffix: { hashOf: "id", spread: 4 } }) {
    id: ID!
    symbol: String!
    day: String!
    quantity: Int!
    receipt: String @unique
    stock: Stock! @snapshot(at: "stock", fields: ["symbol"])
  }
  type Entry @document(container: "entries", partitionKey: "/book") { id: ID! book: String! quantity: Int! }

  extend type Mutation { trade(input: TradeInput!): TradePayload! open(input: TradeInput!): OpenPayload! }
  input TradeInput { clientMutationId: String id: ID symbol: String! quantity: Int! }
  type TradePayload { clientMutationId: String stock: Stock! trade: Trade! entry: Entry! }
  type OpenPayload { clientMutationId: String stock: Stock! trade: Trade! }
`
const documents = { Stock: [{ id: '1', symbol: 'zaza', volume: 0, countOfTrades: 0 }] }
const declaration = readDeclaration(typeDefs)

type Mutation = (source: unknown, args: { input: MutationInput & { symbol: string; quantity: number } }, context: MutationContext, info: GraphQLResolveInfo) => unknown

const trade: Mutation = (_, { input: { id, symbol, quantity, ...input } }, { quire }, info) =>
  quire.mutate(input, info, async (change) => {
    const stock = await change.findBy('Stock', 'symbol', symbol)
    return {
      stock: change.change('Stock', stock, { volume: Number(stock.after['volume']) + quantity }),
      trade: await change.create('Trade', { id, symbol, day: 'mon', quantity, stockId: stock.key.id, receipt: typeof id === 'string' ? `r-${id}` : undefined }),
      entry: await change.create('Entry', { book: symbol, quantity }),
    }
  })

/** Creates in both partitions. */
const open: Mutation = (_, { input: { symbol, quantity, ...input } }, { quire }, info) =>
  quire.mutate(input, info, async (change) => {
    const stock = await change.create('Stock', { symbol, volume: quantity })
    return { stock, trade: await change.create('Trade', { symbol, day: 'mon', quantity, stockId: stock.key.id }) }
  })

const resolvers = { Mutation: { trade, open } }
const mutations = {
  'one that changes and creates': 'mutation { trade(input: { symbol: "zaza", quantity: 5 }) { trade { id } } }',
  'one with an id and a unique value of its own': 'mutation { trade(input: { id: "t1", symbol: "zaza", quantity: 5 }) { trade { id } } }',
  'one that creates only': 'mutation { open(input: { symbol: "new", quantity: 5 }) { trade { id } } }',
}

let server: CosmosEmulator
let skewMs = 0
beforeEach(async () => {
  skewMs = 0
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  server = await startCosmosEmulator({ partitions: 4 })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await server.close()
})

/** Its own connection, as another process has it. Time passes where the test says so. */
async function connect(layout = declaration.layout, deadlineMs = 300): Promise<Store> {
  const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database: 'brokerage', create: true, limits: { deadlineMs } }, layout)
  const now = store.now.bind(store)
  store.now = async () => {
    const { earliest, latest } = await now()
    return { earliest: earliest + skewMs, latest: latest + skewMs }
  }
  return store
}

async function openTrading(deadlineMs = 300): Promise<{ ask: Ask; store: Store }> {
  let store: Store
  const ask = await openGateway({ typeDefs, resolvers, documents, settles: false, freshness: () => ({ boundMs: 0, watermark: 0 }), store: async (layout) => (store = await connect(layout, deadlineMs)) })
  return { ask, store: store! }
}

/** Another gateway's propagators, before and after the life of the writer. */
async function propagate(many = 1): Promise<string[]> {
  const stores = await Promise.all(Array.from({ length: many }, () => connect(declaration.layout, 10_000)))
  const propagators = stores.map((store, at) => new Propagator(declaration, store, { owner: `p${at}`, leaseMs: 0 }))
  for (let round = 0; round < 3; round++) for (const propagator of propagators) while ((await propagator.round()) > 0);
  skewMs += 60_000
  for (let round = 0; round < 3; round++) await Promise.all(propagators.map(async (propagator) => { while ((await propagator.round()) > 0); }))
  const findings = await Array.fromAsync(checkStore(declaration, stores[0]!))
  const left = await stores[0]!.query({ container: 'quire', type: 'intent', orderBy: { path: ['id'], descending: false }, limit: 10 })
  await Promise.all(stores.map((store) => store.close()))
  expect(left).toEqual([])
  return findings.map(({ sentence }) => sentence)
}

interface Found { stocks: { nodes: { symbol: string; volume: number; countOfTrades: number; trades: { nodes: { quantity: number }[] } }[] }; entries: { nodes: { quantity: number }[] } }

/** How many of the mutations are there. Throws if one is there only partly. */
async function wholes(): Promise<number> {
  const { ask } = await openTrading(10_000)
  const { data, errors } = await ask('{ stocks(first: 10) { nodes { symbol volume countOfTrades trades(first: 100) { nodes { quantity } } } } entries(first: 100) { nodes { quantity } } }')
  await ask.close()
  expect(errors).toBeUndefined()
  const { stocks, entries } = data as unknown as Found
  let many = 0
  for (const { symbol, volume, countOfTrades, trades } of stocks.nodes) {
    expect({ symbol, volume, countOfTrades }).toEqual({ symbol, volume: 5 * trades.nodes.length, countOfTrades: trades.nodes.length })
    if (symbol === 'zaza') expect(entries.nodes).toHaveLength(trades.nodes.length)
    many += trades.nodes.length
  }
  return many
}

const isDocument = ({ operation, container }: FaultRequest): boolean => operation === 'batch' && container !== 'quire'

describe.each(Object.entries(mutations))('%s', (_, mutation) => {
  test.each(['400', '400 for good', '503', 'the answer is lost', 'the gateway is killed'] as const)('at every step: %s', async (fault) => {
    for (let step = 1; step <= 3; step++) {
      if (step > 1) {
        await server.close()
        server = await startCosmosEmulator({ partitions: 4 })
        skewMs = 0
      }
      const { ask, store } = await openTrading()
      let seen = 0
      server.faults.answer = (request) => {
        if (!isDocument(request) || ++seen < step) return undefined
        if (fault === 'the gateway is killed') void store.close()
        if (fault === '400') return seen === step ? { status: 400 } : undefined
        if (fault === '400 for good') return { status: 400 }
        if (fault === 'the answer is lost' && seen === step) return undefined
        return { status: 503 }
      }
      if (fault === 'the answer is lost') Object.assign(server.faults, { unavailable: 1, lostAnswers: 1, only: (request: FaultRequest) => isDocument(request) && seen === step })
      const answer = await ask(mutation)
      Object.assign(server.faults, { answer: undefined, only: undefined, unavailable: 0 })
      await ask.close()
      expect(await propagate(2), `${fault} at step ${step}`).toEqual([])
      const many = await wholes()
      if (!answer.errors) expect(many).toBe(1)
      else {
        expect(answer.errors[0]!.extensions?.code).not.toBe(step > 1 ? 'INTERNAL_SERVER_ERROR' : '')
        if (fault === '400') expect(many).toBe(0)
      }
    }
  })
})

const trades = 'mutation { trade(input: { id: "t1", symbol: "zaza", quantity: 5 }) { trade { id etag } } }'
const second = ({ operation, container }: FaultRequest): boolean => operation === 'batch' && container === 'trades'

test('a part that is refused takes the first one back, with its reservations, and the client is told', async () => {
  const { ask, store } = await openTrading()
  server.faults.answer = (request) => (second(request) ? { status: 400 } : undefined)
  const { errors } = await ask(trades)
  expect(errors).toMatchObject([{ message: 'Nothing was written: the store refused a part of it.', extensions: { code: 'STORE_UNAVAILABLE' } }])
  server.faults.answer = undefined
  expect(await wholes()).toBe(0)
  const reservations = await store.query({ container: 'quire', type: 'reservation', orderBy: { path: ['id'], descending: false }, limit: 10 })
  expect(reservations.map(({ body }) => body['value'])).toEqual(['zaza'])
  expect((await ask(trades)).errors).toBeUndefined()
  await propagate()
  expect(await wholes()).toBe(1)
  await ask.close()
})

test('an id that is taken at the last moment takes the first part back, and the client is told', async () => {
  const { ask } = await openTrading()
  const other = await openTrading()
  let isFirst = true
  server.faults.answer = (request) => {
    if (!isDocument(request) || !isFirst) return undefined
    isFirst = false
    return { status: 429 }
  }
  const answers = await Promise.all([ask(trades), other.ask(trades), other.ask(trades)])
  expect(answers.filter(({ errors }) => !errors)).toHaveLength(1)
  await propagate()
  expect(await wholes()).toBe(1)
  await Promise.all([ask.close(), other.ask.close()])
})

test('no writer builds on half a mutation: the next one waits for its writer, and then completes it', async () => {
  const [{ ask }, other] = [await openTrading(), await openTrading(10_000)]
  server.faults.answer = (request) => (second(request) ? { status: 503 } : undefined)
  expect((await ask(trades)).errors).toMatchObject([{ extensions: { code: 'STORE_UNAVAILABLE' } }])
  server.faults.answer = undefined
  const rename = 'mutation { updateStock(input: { id: "1", symbol: "new" }) { stock { volume } } }'
  expect((await other.ask(rename)).errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }])
  skewMs += 60_000
  expect((await other.ask(rename)).data).toEqual({ updateStock: { stock: { volume: 5 } } })
  await Promise.all([ask.close(), other.ask.close()])
})

test('a document that a mutation has created and another has deleted does not come back', async () => {
  const [{ ask }, other] = [await openTrading(), await openTrading(10_000)]
  await ask(trades)
  await other.ask('mutation { deleteTrade(input: { id: "t1" }) { trade { id } } }')
  expect(await propagate(2)).toEqual([])
  skewMs += 60_000
  expect((await other.ask('mutation { updateStock(input: { id: "1", volume: 7 }) { stock { volume } } }')).errors).toBeUndefined()
  expect((await other.ask('{ trades(first: 10) { nodes { id } } }')).data).toEqual({ trades: { nodes: [] } })
  await Promise.all([ask.close(), other.ask.close()])
})
