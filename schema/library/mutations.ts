// The mutations that only the library has. Each changes a few documents; Quire updates snapshots, lists and counts.

import type { GraphQLResolveInfo } from 'graphql'
import { badInput, type Body, type Change, type Entry, type MutationInput, type ResolverContext } from '../../src/index.ts'

type Mutation<I> = (source: unknown, args: { input: I & MutationInput }, context: ResolverContext, info: GraphQLResolveInfo) => unknown

const publishBook: Mutation<{ name: string; authorIds: string[]; publisherId?: string }> = (_, { input }, { quire }, info) =>
  quire.mutate(input, info, async (change) => ({ book: await change.create('Book', { ...input, id: undefined }) }))

const addReview: Mutation<{ bookId: string; rating: number; text?: string; reviewer: string }> = async (_, { input }, { quire }, info) => {
  if (input.rating < 0 || input.rating > 10) throw badInput(`rating is ${input.rating}. Give a number from 0 to 10.`)
  const payload = await quire.mutate(input, info, async (change) => ({ book: await change.append('Book.reviews', input.bookId, input) }))
  const [review] = payload.book.body['recentReviews'] as readonly Body[]
  return { ...payload, review }
}

const recordTrade: Mutation<{ symbol: string; price: number; quantity: number }> = (_, { input }, { quire }, info) => {
  const { symbol, price, quantity } = input
  if (!(price > 0)) throw badInput(`price is ${price}. Give an amount above 0.`)
  checkQuantity(quantity)
  return quire.mutate(input, info, async (change) => {
    const found = await change.findBy('Stock', 'symbol', symbol)
    const stock = found.after as StockDocument
    const tradedAt = new Date().toISOString()
    return {
      trade: await change.create('Trade', { symbol, date: tradedAt.slice(0, 10), tradedAt, price, quantity, stockId: stock.id }),
      stock: change.change('Stock', found, { high: Math.max(stock.high, price), low: Math.min(stock.low, price), vol: stock.vol + quantity }),
    }
  })
}

const buyStock: Mutation<Order> = (_, { input }, { quire }, info) =>
  quire.mutate(input, info, async (change) => ({ portfolio: await hold(change, input, input.quantity) }))

const sellStock: Mutation<Order> = (_, { input }, { quire }, info) =>
  quire.mutate(input, info, async (change) => ({ portfolio: await hold(change, input, -input.quantity) }))

export const mutations = { Mutation: { publishBook, addReview, recordTrade, buyStock, sellStock } }

export interface Order {
  readonly portfolioId: string
  readonly symbol: string
  readonly quantity: number
}

interface StockDocument extends Body {
  readonly id: string
  readonly high: number
  readonly low: number
  readonly vol: number
}

interface HoldingObject extends Body {
  readonly numberHeld: number
  readonly stockId: number | string
}

/** The largest value of GraphQL's Int. */
const maxHeld = 2 ** 31 - 1

/** Adds shares to a holding, or takes them away; a holding without shares is removed. */
async function hold(change: Change, { portfolioId, symbol, quantity }: Order, difference: number): Promise<Entry> {
  checkQuantity(quantity)
  const portfolio = await change.get('Portfolio', portfolioId)
  const stock = await change.findBy('Stock', 'symbol', symbol)
  const stockId = storedId(stock.key.id)
  const holdings = (portfolio.after['holdings'] ?? []) as readonly HoldingObject[]
  const held = holdings.find((holding) => holding.stockId === stockId)?.numberHeld ?? 0
  if (held + difference < 0) throw badInput(`Portfolio ${portfolioId} holds ${held} of ${symbol}, so it cannot sell ${quantity}. Sell fewer.`)
  if (held + difference > maxHeld) throw badInput(`Portfolio ${portfolioId} holds ${held} of ${symbol} and can hold at most ${maxHeld}. Buy fewer.`)
  const others = holdings.filter((holding) => holding.stockId !== stockId)
  const renewed = held + difference === 0 ? [] : [{ numberHeld: held + difference, stockId }]
  return change.change('Portfolio', portfolio, { holdings: [...others, ...renewed] })
}

/** Holdings store the id of a stock as a number if it is one: "01" and "1e3" stay text. */
function storedId(id: string): number | string {
  return String(Number(id)) === id && Number.isFinite(Number(id)) ? Number(id) : id
}

function checkQuantity(quantity: number): void {
  if (quantity <= 0) throw badInput(`quantity is ${quantity}. Give a number above 0.`)
}
