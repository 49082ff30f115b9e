// The shipped mutations about stocks: a trade writes one trade and one stock, however many portfolios hold it, and no
// holding becomes negative.

import { writeAll } from '../../src/store/write-all.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Trade } from '../../generated/schema.ts'
import type { Body } from '../../src/model/json/json.ts'
import type { Write } from '../../src/store/store.ts'
import { unlikeStores } from '../harness.ts'
import { expectWrites, callsOf, expectRefused, written, type Writable } from './open-writable.ts'
import { openLibrary } from './small-library.ts'

const order = (verb: 'buy' | 'sell', symbol: string, quantity: number, portfolioId = 'f1') =>
  `mutation { ${verb}Stock(input: { clientMutationId: "c", portfolioId: "${portfolioId}", symbol: "${symbol}", quantity: ${quantity} }) { clientMutationId portfolio { holdings { numberHeld stock { symbol } } } } }`

const heldIn = ({ holdings }: Body) => (holdings as { stockId: number; numberHeld: number }[]).map(({ stockId, numberHeld }) => `${numberHeld} of ${stockId}`).toSorted()

describe.each(unlikeStores)('the brokerage on $name', ({ name, store }) => {
  let brokerage: Writable
  beforeEach(async () => {
    brokerage = await openLibrary(store)
  })

  const held = async () => heldIn((await brokerage.bodies('portfolios'))['f1']!)

  describe('recordTrade', () => {
    const record = 'mutation ($input: RecordTradeInput!) { recordTrade(input: $input) { clientMutationId trade { id symbol date tradedAt price quantity stock { symbol } } stock { open high low volume trades { nodes { price } } } } }'
    const symbol = 'zaza'

    test('stores the trade and updates the stock', async () => {
      const { recordTrade } = await written(brokerage.ask, record, { input: { clientMutationId: 'c', symbol, price: 2.5, quantity: 30 } })
      const { trade } = recordTrade as { trade: Trade }
      expect(recordTrade).toEqual({
        clientMutationId: 'c',
        trade: { id: trade.id, symbol, date: trade.tradedAt.slice(0, 10), tradedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), price: 2.5, quantity: 30, stock: { symbol } },
        stock: { open: 1, high: 2.5, low: 0.5, volume: 1030, trades: { nodes: [{ price: 2.5 }] } },
      })
      expect((await brokerage.bodies('stocks'))['1']).toEqual({ id: '1', symbol, open: 1, high: 2.5, low: 0.5, vol: 1030, 'mkt-cap': 42, pe: 5.89, _v: 1 })
      expect(await brokerage.bodies('trades')).toEqual({ [trade.id]: {
        id: trade.id, symbol, date: trade.date, tradedAt: trade.tradedAt, price: 2.5, quantity: 30, stockId: 1,
        partitionKey: expect.stringMatching(new RegExp(`^zaza-${trade.date}\\.([1-9]|1\\d|20)$`)), _v: 1,
      } })
    })

    test('the trade is found with one read by symbol and day', async () => {
      const { recordTrade } = await written(brokerage.ask, record, { input: { symbol, price: 2.5, quantity: 30 } })
      const { trade } = recordTrade as { trade: Trade }
      const answer = await brokerage.ask(`{ trade(id: "${trade.id}", symbol: "zaza", date: "${trade.date}") { price } }`)
      expect(answer.data).toEqual({ trade: { price: 2.5 } })
      expect(callsOf(answer)).toEqual(['read trades 1'])
    })

    test('widens the day\'s low and high, and adds up the volume', async () => {
      for (const price of [1.5, 0.25, 3]) await written(brokerage.ask, record, { input: { symbol, price, quantity: 1 } })
      expect((await brokerage.bodies('stocks'))['1']).toMatchObject({ open: 1, high: 3, low: 0.25, vol: 1003 })
    })

    test('writes one trade and one stock, though thousands of portfolios hold it', async () => {
      // Over the network protocol of the test server, a tenth of them proves the same.
      const holders = name === 'cosmos' ? 300 : 3000
      const portfolios = Array.from({ length: holders }, (_, at): Write => {
        const portfolio = { id: `p${at}`, name: `Portfolio ${at}`, personId: '1', holdings: [{ numberHeld: at + 1, stockId: 1 }, { numberHeld: 1, stockId: 2 }] }
        return { kind: 'put', container: 'portfolios', key: { partition: [portfolio.id], id: portfolio.id }, body: portfolio }
      })
      await writeAll(brokerage.store, portfolios)
      const [before, stocks] = [await brokerage.etags('portfolios'), await brokerage.etags('stocks')]
      const answer = await brokerage.ask('mutation { recordTrade(input: { symbol: "zaza", price: 2, quantity: 3 }) { stock { volume } } }')
      expect(answer.data).toEqual({ recordTrade: { stock: { volume: 1003 } } })
      // Without one atomic scope the stock is written first: after a conflict no trade exists yet.
      expectWrites(brokerage, answer, 'trades, stocks 2', ['stocks 1', 'trades 1'])
      expect(answer.report.calls.filter(({ container }) => container === 'portfolios')).toEqual([])
      expect(Object.keys(before)).toHaveLength(holders + 1)
      expect(await brokerage.etags('portfolios')).toEqual(before)
      expect(await brokerage.etags('stocks')).toEqual({ ...stocks, 1: expect.not.stringContaining(stocks['1']!) })
    })

    test('refuses a price or a quantity that is not above zero', async () => {
      for (const wrong of [
        { price: 0 }, { price: -1.5 }, { quantity: 0 }, { quantity: -3 },
      ]) await expectRefused(brokerage, record, { code: 'BAD_USER_INPUT', says: Object.entries(wrong).flat().map(String) }, { input: { symbol, price: 1, quantity: 1, ...wrong } })
    })

    test('refuses an unknown symbol', async () => {
      await expectRefused(brokerage, record, { code: 'NOT_FOUND', says: ['Stock', 'symbol', 'ZAZA'] }, { input: { symbol: 'ZAZA', price: 1, quantity: 1 } })
    })
  })

  describe('buyStock and sellStock', () => {
    test('buying adds to the holding', async () => {
      expect(await written(brokerage.ask, order('buy', 'zaza', 11))).toMatchObject({ buyStock: { clientMutationId: 'c', portfolio: { holdings: expect.arrayContaining([{ numberHeld: 111, stock: { symbol: 'zaza' } }]) } } })
      await written(brokerage.ask, order('buy', 'nono', 1))
      expect(await held()).toEqual(['1 of 3', '111 of 1', '50 of 2'])
    })

    test('selling reduces the holding, and removes it at zero', async () => {
      expect(await written(brokerage.ask, order('sell', 'zaza', 99))).toMatchObject({ sellStock: { clientMutationId: 'c', portfolio: { holdings: expect.arrayContaining([{ numberHeld: 1, stock: { symbol: 'zaza' } }]) } } })
      await written(brokerage.ask, order('sell', 'xcxc', 50))
      expect(await held()).toEqual(['1 of 1'])
      await written(brokerage.ask, order('sell', 'zaza', 1))
      expect(await held()).toEqual([])
    })

    test('writes only the portfolio', async () => {
      const { report } = await brokerage.ask(order('buy', 'zaza', 1))
      expect(report.calls.filter(({ operation }) => operation === 'write')).toMatchObject([{ container: 'portfolios', documents: 1 }])
    })

    test('refuses to sell more than is held', async () => {
      await expectRefused(brokerage, order('sell', 'zaza', 101), { code: 'BAD_USER_INPUT', says: ['Portfolio f1', '100', 'zaza', '101'] })
      await expectRefused(brokerage, order('sell', 'nono', 1), { code: 'BAD_USER_INPUT', says: ['Portfolio f1', '0', 'nono', '1'] })
    })

    test.each(['buy', 'sell'] as const)('refuses invalid quantities, symbols and portfolios: %s', async (verb) => {
      await expectRefused(brokerage, order(verb, 'zaza', 0), { code: 'BAD_USER_INPUT', says: ['quantity', '0'] })
      await expectRefused(brokerage, order(verb, 'zaza', -1), { code: 'BAD_USER_INPUT', says: ['quantity', '-1'] })
      await expectRefused(brokerage, order(verb, 'none', 1), { code: 'NOT_FOUND', says: ['Stock', 'symbol', 'none'] })
      await expectRefused(brokerage, order(verb, 'zaza', 1, 'f9'), { code: 'NOT_FOUND', says: 'Portfolio f9' })
    })

    test('works for a stock with a generated id', async () => {
      await written(brokerage.ask, 'mutation { createStock(input: { symbol: "newn", open: 1, high: 1, low: 1, volume: 0, marketCap: 1 }) { stock { id } } }')
      await written(brokerage.ask, order('buy', 'newn', 3))
      expect(await written(brokerage.ask, order('buy', 'newn', 4))).toMatchObject({ buyStock: { portfolio: { holdings: [{}, {}, { numberHeld: 7, stock: { symbol: 'newn' } }] } } })
      await written(brokerage.ask, order('sell', 'newn', 7))
      expect(await held()).toEqual(['100 of 1', '50 of 2'])
    })

    test('buys into a portfolio that was emptied', async () => {
      await written(brokerage.ask, 'mutation { updatePortfolio(input: { id: "f1", holdings: null }) { portfolio { id } } }')
      await written(brokerage.ask, order('buy', 'zaza', 3))
      expect(await held()).toEqual(['3 of 1'])
    })

    test('refuses more holdings than the schema allows', async () => {
      const holdings = Array.from({ length: 500 }, (_, at) => ({ numberHeld: 1, stockId: 1000 + at }))
      brokerage = await openLibrary(store, { Portfolio: [{ id: 'f1', name: 'Full', personId: '1', holdings }] })
      await expectRefused(brokerage, 'mutation { buyStock(input: { portfolioId: "f1", symbol: "zaza", quantity: 1 }) { portfolio { id } } }', { code: 'BAD_USER_INPUT' })
    })

    test('refuses a sum of shares that is too large for the field', async () => {
      await expectRefused(brokerage, order('buy', 'zaza', 2 ** 31 - 1), { code: 'BAD_USER_INPUT' })
    })
  })
})
