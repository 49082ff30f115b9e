// `@frozen`: taken when the reference is written, and never changed after that.

import type { GraphQLResolveInfo } from 'graphql'
import { describe, expect, test } from 'vitest'
import { checkStore } from '../../src/evolve/check/check-store.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import type { MutationContext, MutationInput } from '../../src/write/mutations.ts'
import { stores } from '../harness.ts'
import { problemsOf } from '../model/problems-of.ts'
import { openWritable, written } from '../write/open-writable.ts'

const typeDefs = /* GraphQL */ `
  type Product @document(container: "products") { id: ID! name: String! price: Float! cost: Float }
  type Order @document(container: "orders", partitionKey: "/orderId", type: "order") {
    id: ID!
    gift: Product @reference(at: "giftId", onDelete: SET_NULL)
    giftName: String @frozen(of: "gift.name", at: "gift-name") @indexed
    lines: [Line!]! @contained(max: 9)
    events: EventConnection! @bucketed(at: "recentEvents", recent: 1, size: 2, key: "orderId", type: "events")
  }
  type Line { quantity: Int! product: Product! @reference(at: "productId") price: Float! @frozen(of: "product.price") }
  type Event { id: ID! product: Product @reference(at: "productId") price: Float @frozen(of: "product.price") }
  extend type Mutation { sell(input: SellInput!): SellPayload! }
  input SellInput { clientMutationId: String orderId: ID! productId: ID! }
  type SellPayload { clientMutationId: String order: Order! }
`
const documents = { Product: [{ id: 'p1', name: 'Pen', price: 2 }, { id: 'p2', name: 'Ink', price: 5 }] }

const sell = (_: unknown, { input }: { input: MutationInput & { orderId: string; productId: string } }, { quire }: MutationContext, info: GraphQLResolveInfo) =>
  quire.mutate(input, info, async (change) => ({ order: await change.append('Order.events', input.orderId, { productId: input.productId }) }))

const shown = 'order { giftName lines { quantity price product { price } } }'
const create = `mutation ($input: CreateOrderInput!) { createOrder(input: $input) { ${shown} } }`
const update = `mutation ($input: UpdateOrderInput!) { updateOrder(input: $input) { ${shown} } }`
const dearer = 'mutation { updateProduct(input: { id: "p1", name: "Fountain pen", price: 3 }) { product { id } } }'

describe.each(stores)('on $name', ({ store: open }) => {
  const openOrders = () => openWritable({ typeDefs, documents, store: open, resolvers: { Mutation: { sell } } })

  test('a value stays as it was when the reference was written, in the document and in contained objects', async () => {
    const orders = await openOrders()
    await written(orders.ask, create, { input: { id: 'o1', giftId: 'p1', lines: [{ quantity: 1, productId: 'p1' }, { quantity: 2, productId: 'p2' }] } })
    await written(orders.ask, dearer)
    const now = { giftName: 'Pen', lines: [{ quantity: 1, price: 2, product: { price: 3 } }, { quantity: 2, price: 5, product: { price: 5 } }] }
    expect((await orders.ask(`{ ${shown.replace('order', 'order(id: "o1")')} orders(filter: { giftName: { eq: "Pen" } }, orderBy: { field: GIFT_NAME }) { totalCount } }`)).data).toEqual({ order: now, orders: { totalCount: 1 } })
    expect(await orders.bodies('orders')).toMatchObject({ o1: { 'gift-name': 'Pen', lines: [{ productId: 'p1', price: 2 }, { productId: 'p2', price: 5 }] } })
    expect(await Array.fromAsync(checkStore(readDeclaration(typeDefs), orders.store))).toEqual([])
  })

  test('a reference that is written again with the same id keeps its value, and a new one takes the value of now', async () => {
    const orders = await openOrders()
    await written(orders.ask, create, { input: { id: 'o1', giftId: 'p1', lines: [{ quantity: 1, productId: 'p1' }] } })
    await written(orders.ask, dearer)
    expect(await written(orders.ask, update, { input: { id: 'o1', giftId: 'p1', lines: [{ quantity: 4, productId: 'p2' }, { quantity: 9, productId: 'p1' }, { quantity: 1, productId: 'p1' }] } })).toEqual({
      updateOrder: { order: { giftName: 'Pen', lines: [{ quantity: 4, price: 5, product: { price: 5 } }, { quantity: 9, price: 2, product: { price: 3 } }, { quantity: 1, price: 3, product: { price: 3 } }] } },
    })
    expect(await written(orders.ask, update, { input: { id: 'o1', giftId: null } })).toMatchObject({ updateOrder: { order: { giftName: null } } })
    expect(await written(orders.ask, update, { input: { id: 'o1', giftId: 'p1', lines: [] } })).toMatchObject({ updateOrder: { order: { giftName: 'Fountain pen' } } })
    await written(orders.ask, 'mutation { deleteProduct(input: { id: "p1" }) { product { id } } }')
    expect(await orders.bodies('orders')).toMatchObject({ o1: { giftId: null, 'gift-name': 'Fountain pen' } })
  })

  test('an entry of a bucketed list has it, also when it has moved to a bucket', async () => {
    const orders = await openOrders()
    await written(orders.ask, create, { input: { id: 'o1' } })
    for (const productId of ['p1', 'p2', 'p2']) await written(orders.ask, 'mutation ($input: SellInput!) { sell(input: $input) { order { id } } }', { input: { orderId: 'o1', productId } })
    await written(orders.ask, dearer)
    expect((await orders.ask('{ order(id: "o1") { events(first: 3) { nodes { price product { price } } } } }')).data)
      .toEqual({ order: { events: { nodes: [{ price: 5, product: { price: 5 } }, { price: 5, product: { price: 5 } }, { price: 2, product: { price: 3 } }] } } })
  })
})

test('clients cannot write it', async () => {
  const orders = await openWritable({ typeDefs, documents, store: stores[0]!.store, resolvers: { Mutation: { sell } } })
  const { data } = await orders.ask('{ line: __type(name: "LineInput") { inputFields { name } } order: __type(name: "UpdateOrderInput") { inputFields { name } } }')
  expect(JSON.stringify(data)).not.toMatch(/price|giftName/)
})

test.each([
  ['a: Float @frozen(of: "price")', '"price"'],
  ['a: Float @frozen(of: "list.price")', '"list.price"'],
  ['a: Float @frozen(of: "one.none")', 'one.price'],
  ['a: Int @frozen(of: "one.price")', 'Return Float'],
  ['a: Float! @frozen(of: "one.price")', 'Holder.one can'],
])('refused at declaration: %s', (field, says) => {
  const problems = problemsOf(`type P @document(container: "p") { id: ID! price: Float! } type Holder @document(container: "h") { id: ID! one: P @reference(at: "one") list: [P!]! @reference(at: "list") ${field} }`)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain('Holder.a')
  expect(problems[0]).toContain(says)
})
