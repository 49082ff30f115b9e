// The people, portfolios, stocks and trades of the sample: first those of the modelling patterns, then generated ones.

import type { DocumentsByType } from '../../../src/index.ts'
import { fullName } from '../derive.ts'
import { personName } from './names.ts'
import { createRandom, distinct, type Random } from './random.ts'

const personCount = 40
const stockCount = 60
const tradedStocks = 10
const tradingDays = ['2026-08-03', '2026-08-04', '2026-08-05', '2026-08-06', '2026-08-07']
/** In UTC: each of these stocks is traded once in each hour of each day. */
const tradingHours = [14, 15, 17, 19]

type Stock = ReturnType<typeof drawStocks>[number]

export function sampleBrokerage(): DocumentsByType {
  const stocks = drawStocks()
  return { Person: drawPeople(), Portfolio: drawPortfolios(stocks), Stock: stocks, Trade: drawTrades(stocks.slice(0, tradedStocks)) }
}

const thomas = {
  id: '1', firstName: 'Thomas', lastName: 'Andersen',
  addresses: [{ line1: '100 Some Street', line2: 'Unit 1', city: 'Seattle', state: 'WA', zip: 98012 }],
  contactDetails: [{ email: 'thomas@andersen.com' }, { phone: '+1 555 555-5555', extension: 5555 }],
}

/** The ids of stocks are text; holdings store them as numbers. */
const thomasPortfolio = {
  id: 'f1', name: 'Savings', personId: '1',
  holdings: [{ numberHeld: 100, stockId: 1 }, { numberHeld: 50, stockId: 2 }],
}

const patternStocks = [
  { id: '1', symbol: 'zaza', open: 1, high: 2, low: 0.5, vol: 11970000, 'mkt-cap': 42000000, pe: 5.89 },
  { id: '2', symbol: 'xcxc', open: 89, high: 93.24, low: 88.87, vol: 2970200, 'mkt-cap': 1005000, pe: 75.82 },
]

const cities = [
  { city: 'Portland', state: 'OR', zip: 97205 }, { city: 'Denver', state: 'CO', zip: 80203 },
  { city: 'Madison', state: 'WI', zip: 53703 }, { city: 'Austin', state: 'TX', zip: 78701 },
  { city: 'Savannah', state: 'GA', zip: 31401 }, { city: 'Duluth', state: 'MN', zip: 55802 },
]
const streets = ['Birch Street', 'Canal Road', 'Foundry Lane', 'Mill Avenue', 'Orchard Way', 'Station Square']
const portfolioNames = ['Savings', 'Retirement', 'Rainy day', 'University fund', 'House', 'Experiments']

function drawPeople() {
  const random = createRandom(11)
  const nextName = distinct(() => personName(random), fullName, [fullName(thomas)])
  const others = Array.from({ length: personCount - 1 }, (_, index) => {
    const named = nextName()
    const mail = { email: `${fullName(named).toLowerCase().replace(' ', '.')}@example.com` }
    return { id: `${index + 2}`, ...named, addresses: [address(random)], contactDetails: [mail, ...phones(random)] }
  })
  return [thomas, ...others]
}

function address(random: Random) {
  const unit = random.oneIn(3) ? { line2: `Unit ${random.between(1, 30)}` } : {}
  return { line1: `${random.between(1, 400)} ${random.pick(streets)}`, ...unit, ...random.pick(cities) }
}

function phones(random: Random) {
  if (random.oneIn(4)) return []
  const extension = random.oneIn(2) ? { extension: random.between(100, 9999) } : {}
  return [{ phone: `+1 555 555-01${random.between(10, 99)}`, ...extension }]
}

function drawPortfolios(stocks: readonly Stock[]) {
  const random = createRandom(12)
  const owners = Array.from({ length: personCount - 1 }, (_, index) => `${index + 2}`)
  const others = owners.flatMap((personId) =>
    random.pickSome(portfolioNames, random.between(1, 2)).map((name) => ({ personId, name, holdings: someHoldings(random, stocks) })))
  return [thomasPortfolio, ...others.map(({ personId, name, holdings }, index) => ({ id: `f${index + 2}`, name, personId, holdings }))]
}

function someHoldings(random: Random, stocks: readonly Stock[]) {
  return random.pickSome(stocks, random.between(2, 12)).map(({ id }) => ({ numberHeld: 5 * random.between(1, 60), stockId: Number(id) }))
}

function drawStocks() {
  const random = createRandom(13)
  const nextSymbol = distinct(() => fourLetters(random), String, patternStocks.map(({ symbol }) => symbol))
  const others = Array.from({ length: stockCount - patternStocks.length }, (_, index) => {
    const open = random.price(4, 300)
    return {
      id: `${index + patternStocks.length + 1}`,
      symbol: nextSymbol(),
      open, high: random.price(open, open * 1.05), low: random.price(open * 0.95, open),
      vol: 100 * random.between(500, 150_000), 'mkt-cap': 1000 * random.between(20_000, 9_000_000),
      // A company without earnings has no price-earnings ratio.
      ...(random.oneIn(8) ? {} : { pe: random.price(4, 80) }),
    }
  })
  return [...patternStocks, ...others]
}

/** Without vowels, so that no symbol is a word. */
function fourLetters(random: Random): string {
  const consonants = 'bcdghjklmnpqrstvwxz'
  return Array.from({ length: 4 }, () => consonants.charAt(random.below(consonants.length))).join('')
}

function drawTrades(stocks: readonly Stock[]) {
  const random = createRandom(14)
  const moments = tradingDays.flatMap((date) => tradingHours.map((hour) => ({ date, hour })))
  return moments.flatMap(({ date, hour }, moment) => stocks.map(({ id, symbol, low, high }, stock) => ({
    id: `t${moment * stocks.length + stock + 1}`, symbol, date,
    tradedAt: `${date}T${hour}:${random.between(10, 59)}:${random.between(10, 59)}Z`,
    price: random.price(low, high), quantity: 5 * random.between(1, 80), stockId: Number(id),
  })))
}
