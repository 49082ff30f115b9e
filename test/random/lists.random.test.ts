// Random filters and orders of lists: compiled plans, GraphQL.js and the naive strategy find, on every store, what an oracle finds in
// plain arrays. Lists at the root, reverse, joined and of ids; values of documents, of objects and lists inside of them, and of unions.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import fc, { runs } from '../fast-check.ts'
import { openGateway, stores, type Ask } from '../harness.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import type { Store } from '../../src/store/store.ts'
import { listed, Union, type Plain, type PlainOrder } from './list-oracle.ts'

const typeDefs = /* GraphQL */ `
  type Shop @document(container: "shops") {
    id: ID!
    goods: GoodConnection! @reverse(of: "Good.shop")
    best: [Good!]! @reference(at: "bestIds")
    lent: GoodConnection! @joined(through: "Loan", filterUpTo: 50)
  }
  type Good @document(container: "goods") @index(fields: ["year DESC", "price.amount"]) @index(fields: ["price.amount", "name", "year DESC"])
    @index(fields: ["shop", "name"]) @index(fields: ["shop", "price.amount DESC", "year"]) {
    id: ID!
    name: String @indexed
    year: Int @indexed
    shop: Shop @reference(at: "shopId")
    price: Price
    tags: [String!]! @contained(max: 9, at: "labels") @indexed
    sizes: [Int!]! @contained(max: 9) @indexed
    parts: [Part!]! @contained(max: 9)
    wrap: Wrap
    notes: [Note!]! @contained(max: 9)
  }
  type Price { amount: Int @indexed @stored(at: "amt") currency: String @indexed tax: Tax }
  type Tax { rate: Int! @indexed }
  type Part { kind: String @indexed weight: Int @indexed price: Price }
  union Wrap = Box | Bag
  type Box @shape(has: "sides") { sides: Int! @indexed lid: String @indexed }
  type Bag @shape(has: "cloth") { cloth: String! @indexed }
  union Note = Text | Mark
  type Text @shape(has: "text") { text: String! @indexed by: String @indexed }
  type Mark @shape(has: "mark") { mark: Int! @indexed }
  type Loan @document(container: "loans") { id: ID! shop: Shop! @reference(at: "shopId") good: Good! @reference(at: "goodId") }
`

const word = fc.constantFrom('a', 'b', 'ab', 'B')
const number = fc.integer({ min: 0, max: 3 })
const price = fc.record({ amt: number, currency: word, tax: fc.record({ rate: number }) }, { requiredKeys: [] })
const good = fc.record({
  name: word, year: number, price, labels: fc.array(word, { maxLength: 3 }), sizes: fc.array(number, { maxLength: 3 }),
  parts: fc.array(fc.record({ kind: word, weight: number, price }, { requiredKeys: [] }), { maxLength: 3 }),
  wrap: fc.oneof(fc.record({ sides: number, lid: word }, { requiredKeys: ['sides'] }), fc.record({ cloth: word })),
  notes: fc.array(fc.oneof(fc.record({ text: word, by: word }, { requiredKeys: ['text'] }), fc.record({ mark: number })), { maxLength: 3 }),
}, { requiredKeys: ['labels', 'sizes', 'parts', 'notes'] })

const [bodies] = fc.sample(fc.array(good, { minLength: 40, maxLength: 40 }), { seed: 7, numRuns: 1 }) as unknown as [readonly Plain[]]
const goods = bodies.map((body, at) => ({ ...body, id: `g${String(at).padStart(2, '0')}`, ...(at % 7 ? { shopId: `s${at % 3}` } : {}) }))
const shops = [0, 1, 2].map((at) => ({ id: `s${at}`, bestIds: goods.filter((_, nth) => (nth * 5 + at) % 4 === 0).map(({ id }) => id).toReversed() }))
const loans = goods.flatMap(({ id }, at) => (at % 3 ? [{ id: `l${at}`, shopId: `s${at % 2}`, goodId: id }] : []))

type Good = Plain & { readonly id: string }
const plainPrice = (stored: unknown): Plain | undefined => (stored ? { ...(stored as Plain), amount: (stored as Plain)['amt'] } : undefined)
/** As clients see them. */
const plain: readonly Good[] = goods.map((body: Plain & { readonly id: string }) => {
  const { sides, cloth } = (body['wrap'] ?? {}) as Plain
  return {
    ...body, id: body.id, price: plainPrice(body['price']), tags: body['labels'],
    parts: (body['parts'] as Plain[]).map((part) => ({ ...part, price: plainPrice(part['price']) })),
    wrap: new Union(sides !== undefined ? 'box' : cloth !== undefined ? 'bag' : undefined, (body['wrap'] ?? {}) as Plain),
    notes: (body['notes'] as Plain[]).map((note) => new Union(note['text'] !== undefined ? 'text' : 'mark', note)),
  }
})
const keys: Readonly<Record<string, (value: Good) => never>> = {
  NAME: (value) => (value['name'] ?? null) as never,
  YEAR: (value) => (value['year'] ?? null) as never,
  PRICE_AMOUNT: (value) => ((value['price'] as Plain | undefined)?.['amount'] ?? null) as never,
  PRICE_TAX_RATE: (value) => (((value['price'] as Plain | undefined)?.['tax'] as Plain | undefined)?.['rate'] ?? null) as never,
}

const ofText = fc.oneof(
  fc.record({ eq: fc.option(word) }), fc.record({ ne: word }), fc.record({ in: fc.array(word, { maxLength: 2 }) }), fc.record({ startsWith: word, endsWith: word }), fc.record({ icontains: word }), fc.record({ isNull: fc.boolean() }),
)
const ofNumber = fc.oneof(fc.record({ eq: fc.option(number) }), fc.record({ gte: number, lt: number }), fc.record({ in: fc.array(number, { maxLength: 3 }) }), fc.record({ isNull: fc.boolean() }))
const some = (of: fc.Arbitrary<object>): fc.Arbitrary<Plain> => fc.oneof(...['some', 'none', 'every'].map((name) => fc.record({ [name]: of })))

/** One or two conditions, and and, or and not of them. */
function filterOf(entries: Readonly<Record<string, fc.Arbitrary<unknown>>>, depth = 1): fc.Arbitrary<Plain> {
  const one = fc.oneof(...Object.entries(entries).map(([name, of]) => fc.record({ [name]: of })))
  const flat = fc.oneof(one, fc.tuple(one, one).map(([a, b]) => ({ ...a, ...b })), { arbitrary: fc.constant({}), weight: 1 })
  if (depth === 0) return flat
  const inner = filterOf(entries, depth - 1)
  return fc.oneof({ weight: 4, arbitrary: flat }, fc.record({ not: inner }), fc.record({ or: fc.array(inner, { maxLength: 2 }) }), fc.record({ and: fc.array(inner, { maxLength: 2 }) }))
}

const ofPrice = filterOf({ amount: ofNumber, currency: ofText, tax: filterOf({ rate: ofNumber }, 0) })
const filters = filterOf({
  name: ofText, year: ofNumber, price: ofPrice,
  tags: fc.oneof(some(ofText), fc.record({ contains: word }), fc.record({ containsAny: fc.array(word, { maxLength: 2 }) })),
  sizes: some(ofNumber),
  parts: some(filterOf({ kind: ofText, weight: ofNumber, price: ofPrice })),
  wrap: filterOf({ box: filterOf({ sides: ofNumber, lid: ofText }), bag: filterOf({ cloth: ofText }) }),
  notes: some(filterOf({ text: filterOf({ text: ofText, by: ofText }), mark: filterOf({ mark: ofNumber }) })),
}, 2)

const direction = fc.constantFrom<'ASC' | 'DESC'>('ASC', 'DESC')
const any = fc.uniqueArray(fc.record({ field: fc.constantFrom(...Object.keys(keys)), direction }), { maxLength: 3, selector: ({ field }) => field })
const either = (...orders: readonly (readonly [string, boolean])[]): fc.Arbitrary<PlainOrder[]> =>
  fc.boolean().map((isReversed) => orders.map(([field, descending]) => ({ field, direction: descending === isReversed ? 'ASC' : 'DESC' })))
const atRoot = fc.oneof(any.map((orders) => orders.slice(0, 1)), either(['YEAR', true], ['PRICE_AMOUNT', false]), either(['PRICE_AMOUNT', false], ['NAME', false], ['YEAR', true]))
const inReverse = fc.oneof(fc.constant([]), either(['NAME', false]), either(['PRICE_AMOUNT', true], ['YEAR', false]))

const asked = /* GraphQL */ `query ($filter: GoodFilter, $orders: [GoodOrder!], $nested: [GoodOrder!], $held: [GoodOrder!], $first: Int) {
  goods(filter: $filter, orderBy: $orders, first: $first) { totalCount nodes { id } }
  shops { nodes { goods(filter: $filter, orderBy: $nested, first: $first) { totalCount nodes { id } } best(filter: $filter, orderBy: $held, first: $first) { id } lent(filter: $filter, orderBy: $held, first: $first) { totalCount nodes { id } } } }
}`

describe.each(stores)('random lists on $name', ({ store }) => {
  let ways: Readonly<Record<string, Ask>>
  beforeAll(async () => {
    let opened: Promise<Store> | undefined
    const options: GatewayOptions = { typeDefs, store: (layout) => (opened ??= store(layout)) }
    const documents = { Shop: shops, Good: goods, Loan: loans }
    ways = { 'as planned': await openGateway({ ...options, documents }), 'naive': await openGateway({ ...options, strategy: 'naive' }) }
  }, 60_000)
  afterAll(() => ways['as planned']!.close())

  test('are what plain arrays have', async () => {
    let met = 0
    await fc.assert(fc.asyncProperty(filters, atRoot, inReverse, any, fc.integer({ min: 0, max: 9 }), async (filter, orders, nested, held, first) => {
      const find = (all: readonly Good[], order: readonly PlainOrder[]): Good[] => listed(all, filter, order, keys)
      const page = (found: readonly Good[]) => ({ totalCount: found.length, nodes: found.slice(0, first).map(({ id }) => ({ id })) })
      const expected = {
        goods: page(find(plain, orders)),
        shops: { nodes: shops.map(({ id, bestIds }) => {
          const best = bestIds.map((each) => plain.find((one) => one.id === each)!)
          const lent = loans.filter(({ shopId }) => shopId === id).toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ goodId }) => plain.find((one) => one.id === goodId)!)
          const inOwnOrder = (all: readonly Good[]): Good[] => (held.length > 0 ? find(all, held) : all.filter((one) => find([one], []).length > 0))
          return { goods: page(find(plain.filter((one) => one['shopId'] === id), nested)), best: inOwnOrder(best).slice(0, first).map((one) => ({ id: one.id })), lent: page(inOwnOrder(lent)) }
        }) },
      }
      met += expected.goods.totalCount
      const variables = { filter, orders, nested, held, first }
      for (const [way, ask] of Object.entries(ways)) for (const trace of ['1', '0', '0']) {
        const { data, errors } = await ask(asked, { variables, headers: { 'quire-trace': trace } })
        expect({ data, errors }, `${way}, trace ${trace}`).toEqual({ data: expected, errors: undefined })
      }
    }), { seed: 3, numRuns: runs(60) })
    expect(met).toBeGreaterThan(60)
  }, 120_000)
})
