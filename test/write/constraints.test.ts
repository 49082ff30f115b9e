// Bounds, patterns, needed lists and defaults: checked before anything is written, with the place in the input and the bound, on every
// store and for every kind of writer.

import type { GraphQLResolveInfo } from 'graphql'
import { describe, expect, test } from 'vitest'
import { checkAllTenants } from '../../src/evolve/check/check-tenants.ts'
import type { MutationContext, MutationInput } from '../../src/write/mutations.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { unlikeStores } from '../harness.ts'
import { expectRefused, openWritable, written } from './open-writable.ts'

const typeDefs = /* GraphQL */ `
  type Product @document(container: "products") {
    id: ID!
    sku: String @constraint(pattern: "^[A-Z]{3}-[0-9]+$")
    name: String! @constraint(minLength: 2, maxLength: 5)
    price: Float @constraint(min: 0, max: 99.5)
    stock: Int! @constraint(min: 0) @default(value: 7)
    state: State! @default(value: OPEN)
    note: String @default(value: "none")
    labels: [String!]! @contained(max: 3) @constraint(maxLength: 4) @default(value: ["new"])
    sizes: [Int!]! @contained(max: 3) @constraint(minItems: 1, min: 10)
    lines: [Line!]! @contained(max: 3)
    makers: [Maker!]! @reference(at: "makerIds") @constraint(minItems: 1)
    part: [Part!]! @contained(max: 2)
  }
  enum State { OPEN CLOSED }
  type Line { quantity: Int! @constraint(min: 1) @default(value: 2) code: String @constraint(maxLength: 3) }
  union Part = Bolt
  type Bolt @shape(has: "bolt") { bolt: Int! @constraint(max: 9) }
  type Maker @document(container: "makers") { id: ID! }
  extend type Mutation { drain(input: DrainInput!): ProductPayload! fill(input: DrainInput!): ProductPayload! }
  type ProductPayload { product: Product! }
  input DrainInput { id: ID! stock: Int! }
`
type Call = (source: unknown, args: { input: MutationInput & { id: string; stock: number } }, context: MutationContext, info: GraphQLResolveInfo) => unknown
const drain: Call = (_, { input }, { quire }, info) => quire.mutate(input, info, async (change) => ({ product: change.change('Product', await change.get('Product', input.id), { stock: input.stock }) }))
const fill: Call = (_, { input }, { quire }, info) => quire.mutate(input, info, async (change) => ({ product: await change.create('Product', { ...input, name: 'abc', ...(input.stock > 0 ? { sizes: [10], makerIds: ['m1'] } : {}), lines: [{}] }) }))

const least = 'name: "abc", sizes: [10], makerIds: ["m1"]'
const create = (more: string, given = least) => `mutation { createProduct(input: { ${given} ${more} }) { product { id } } }`
const documents = { Maker: [{ id: 'm1' }], Product: [{ id: 'p1', name: 'abc', stock: 1, state: 'OPEN', sizes: [10], makerIds: ['m1'] }] }

const upsert = (more: string) => `mutation { upsertProduct(input: { id: "u1", name: "abc", sizes: [10], makerIds: ["m1"] ${more} }) { created product { id } } }`

describe.each(unlikeStores)('constraints on $name', ({ store }) => {
  const open = () => openWritable({ typeDefs, store, documents, resolvers: { Mutation: { drain, fill } } })

  test.each<[string, string, unknown, unknown]>([
    ['a text that does not match', create(', sku: "abc-1"'), ['sku'], { pattern: '^[A-Z]{3}-[0-9]+$' }],
    ['a text that is too short', create('', 'name: "a", sizes: [10], makerIds: ["m1"]'), ['name'], { minLength: 2 }],
    ['a text that is too long, in characters', create('', 'name: "😀😀😀😀😀😀", sizes: [10], makerIds: ["m1"]'), ['name'], { maxLength: 5 }],
    ['a number that is too small', create(', price: -0.5'), ['price'], { min: 0 }],
    ['a number that is too large', create(', price: 99.6'), ['price'], { max: 99.5 }],
    ['an element of a list', create(', labels: ["ok", "too long"]'), ['labels', 1], { maxLength: 4 }],
    ['a number in a list', create('', 'name: "abc", sizes: [10, 9], makerIds: ["m1"]'), ['sizes', 1], { min: 10 }],
    ['an empty list', create('', 'name: "abc", sizes: [], makerIds: ["m1"]'), ['sizes'], { minItems: 1 }],
    ['no references', create('', 'name: "abc", sizes: [10], makerIds: []'), ['makerIds'], { minItems: 1 }],
    ['a field of an object', create(', lines: [{ quantity: 3 }, { quantity: 0 }]'), ['lines', 1, 'quantity'], { min: 1 }],
    ['a field of a member of a union', create(', part: [{ bolt: { bolt: 10 } }]'), ['part', 0, 'bolt', 'bolt'], { max: 9 }],
    ['an update', 'mutation { updateProduct(input: { id: "p1", stock: -1 }) { product { id } } }', ['stock'], { min: 0 }],
    ['an update that empties a list', 'mutation { updateProduct(input: { id: "p1", sizes: null }) { product { id } } }', ['sizes'], { minItems: 1 }],
    ['a mutation of the schema’s own', 'mutation { drain(input: { id: "p1", stock: -1 }) { product { id } } }', ['stock'], { min: 0 }],
    ['a creation of the schema’s own', 'mutation { fill(input: { id: "p9", stock: 0 }) { product { id } } }', ['sizes'], { minItems: 1 }],
  ])('%s is refused with its place and its bound, and nothing is written', async (_, mutation, input, constraint) => {
    const shop = await open()
    await expectRefused(shop, mutation, { code: 'BAD_USER_INPUT' })
    expect((await shop.ask(mutation)).errors).toMatchObject([{ path: [expect.any(String)], extensions: { code: 'BAD_USER_INPUT', input, constraint } }])
  })

  test('values at the bounds are written, and null has no bounds', async () => {
    const shop = await open()
    await written(shop.ask, create(', sku: "ABC-1", price: 0, labels: ["four"], lines: [{ quantity: 1, code: null }]'))
    await written(shop.ask, create(', sku: null, price: 99.5', 'name: "😀😀😀😀😀", sizes: [10], makerIds: ["m1"]'))
  })

  test('a list that needs entries is required, in what clients send', async () => {
    const shop = await open()
    await expectRefused(shop, create('', 'name: "abc", makerIds: ["m1"]'), { code: 'GRAPHQL_VALIDATION_FAILED', says: 'sizes' })
    await expectRefused(shop, create('', 'name: "abc", sizes: [10]'), { code: 'GRAPHQL_VALIDATION_FAILED', says: 'makerIds' })
    const { data } = await shop.ask('{ __type(name: "CreateProductInput") { inputFields { name defaultValue type { kind } } } }')
    const fields = Object.fromEntries((data!['__type'] as { inputFields: { name: string; defaultValue: string | null; type: { kind: string } }[] }).inputFields.map(({ name, defaultValue, type }) => [name, `${type.kind} ${defaultValue}`]))
    expect(fields).toMatchObject({ sizes: 'NON_NULL null', makerIds: 'NON_NULL null', labels: 'LIST ["new"]', stock: 'NON_NULL 7', state: 'NON_NULL OPEN', note: 'SCALAR "none"', lines: 'LIST null' })
  })

  test('a default is stored where nothing is given; null is given', async () => {
    const shop = await open()
    await written(shop.ask, create(', id: "p2", lines: [{ code: "x" }]'))
    await written(shop.ask, create(', id: "p3", stock: 1, state: CLOSED, note: null, labels: []'))
    await written(shop.ask, 'mutation ($input: CreateProductInput!) { createProduct(input: $input) { product { id } } }', { input: { id: 'p4', name: 'abc', sizes: [10], makerIds: ['m1'] } })
    await written(shop.ask, 'mutation { fill(input: { id: "p5", stock: 5 }) { product { id } } }')
    await written(shop.ask, 'mutation { updateProduct(input: { id: "p3", name: "new" }) { product { id } } }')
    const { p2, p3, p4, p5 } = await shop.bodies('products')
    expect(p2).toMatchObject({ stock: 7, state: 'OPEN', note: 'none', labels: ['new'], lines: [{ quantity: 2, code: 'x' }] })
    expect(p3).toMatchObject({ stock: 1, state: 'CLOSED', note: null, labels: [] })
    expect(p4).toMatchObject({ stock: 7, state: 'OPEN', note: 'none', labels: ['new'] })
    expect(p5).toMatchObject({ stock: 5, state: 'OPEN', labels: ['new'], lines: [{ quantity: 2 }] })
    await expectRefused(shop, create(', state: null'), { code: 'GRAPHQL_VALIDATION_FAILED' })
  })

  test('an upsert gives defaults to a new document, and leaves what is stored in one that is there', async () => {
    const shop = await open()
    await written(shop.ask, upsert(''))
    expect((await shop.bodies('products'))['u1']).toMatchObject({ stock: 7, state: 'OPEN', note: 'none', labels: ['new'] })
    await written(shop.ask, upsert(', stock: 1, state: CLOSED, note: null, labels: []'))
    await written(shop.ask, upsert(''))
    await written(shop.ask, 'mutation ($inputs: [UpsertProductInput!]!) { upsertProducts(inputs: $inputs) { written } }', { inputs: [{ id: 'u1', name: 'abd', sizes: [10], makerIds: ['m1'] }] })
    expect((await shop.bodies('products'))['u1']).toMatchObject({ name: 'abd', stock: 1, state: 'CLOSED', note: null, labels: [] })
    await expectRefused(shop, upsert(', state: null').replace('u1', 'u2'), { code: 'BAD_USER_INPUT', says: 'state' })
  })

  test('check finds every value that does not meet its bounds, wherever it is', async () => {
    const wrong = { ...documents, Product: [{ id: 'p1', name: 'a', sku: 'no', price: 100, stock: -1, state: 'OPEN', labels: ['too long', 'ok'], sizes: [], makerIds: [], lines: [{ quantity: 0 }], part: [{ bolt: 10 }] }] }
    const shop = await openWritable({ typeDefs, store, documents: wrong, resolvers: { Mutation: { drain, fill } } })
    const found = await Array.fromAsync(checkAllTenants(readDeclaration(typeDefs), shop.store))
    expect(found.map(({ kind, at, id, repair }) => `${kind} ${at} ${id} ${repair}`).toSorted()).toEqual(
      ['Bolt.bolt', 'Line.quantity', 'Product.labels', 'Product.makers', 'Product.name', 'Product.price', 'Product.sizes', 'Product.sku', 'Product.stock'].map((at) => `violated ${at} p1 impossible`))
  })
})
