// The shop of examples/shop: what each of its operations answers and how many round trips that takes, that what it writes is true
// everywhere afterwards, that its rules hold, and that nobody can order what is gone, on every store.

import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { openTestGateway, type TestGatewayOptions, type TestGateway } from '../../src/entries/testing.ts'
import { checkStore } from '../../src/evolve/check/check-store.ts'
import { createGateway } from '../../src/gateway.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Store } from '../../src/store/store.ts'
import { linkPackage } from '../cli/link-package.ts'
import { quire } from '../cli/quire.ts'
import { openGateway, stores } from '../harness.ts'
import { post, subscribe } from '../over-http.ts'

const folder = 'examples/shop'
const schema = await readSchemaFolder(folder)
const declaration = readDeclaration(schema.typeDefs, schema.derive)
const operations = new Map(schema.examples!.map(({ title, text }) => [title, text]))
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function open(options: TestGatewayOptions = {}): Promise<TestGateway & { findings: () => Promise<string[]> }> {
  let store: Store | undefined
  const gateway = await openTestGateway({ folder, store: async (layout) => (store = await openMemoryStore(layout)), ...options })
  closing.push(async () => gateway.close())
  return { ...gateway, findings: async () => findingsIn(store!) }
}

async function findingsIn(store: Store): Promise<string[]> {
  const findings: string[] = []
  for await (const { sentence } of checkStore(declaration, store)) findings.push(sentence)
  return findings
}

/** An order of one piece of each product. */
const order = (customerId: string, ...productIds: string[]): string =>
  `mutation { placeOrder(input: { customerId: "${customerId}", lines: [${productIds.map((id) => `{ productId: "${id}" }`).join(' ')}] }) { order { id } } }`

/** By the title of the operation: what it answers, and its round trips and waves. */
const expected: Readonly<Record<string, readonly [data: object, roundTrips: number, waves: number]>> = {
  'Best products': [{ products: { nodes: [{ name: 'Teapot', averageRating: 5 }, { name: 'Copper pot', averageRating: 4.75, countOfReviews: 4, categories: [{ name: 'Kitchen' }, { name: 'Gifts' }] }, { name: 'Bread knife' }] } }, 1, 1],
  'Categories': [{ categories: { nodes: [
    { name: 'Garden', countOfProducts: 2, products: { nodes: [{ name: 'Flower pot', price: '9.5' }, { name: 'Sunflower seeds' }] } },
    { name: 'Gifts', countOfProducts: 3, products: { nodes: [{ name: 'Sunflower seeds' }, { name: 'Teapot' }] } },
    { name: 'Kitchen', countOfProducts: 3, products: { nodes: [{ name: 'Bread knife' }, { name: 'Teapot' }] } },
  ] } }, 2, 2],
  'Product page': [{ productBySku: { name: 'Copper pot', reviews: { nodes: [{ stars: 5 }, { stars: 5 }, { stars: 4 }] }, similar: { nodes: [{ name: 'Teapot' }, { name: 'Bread knife' }] } } }, 2, 2],
  'Customers in ulm': [{ customers: { nodes: [
    { name: 'Ada Byron', totalSpent: '104.8', orders: { nodes: [{ total: '56.8' }] }, ordersAggregate: { count: 2, avg: { total: '52.4' } } },
    { name: 'Ben Okri', totalSpent: '143', orders: { nodes: [{ total: '108' }] }, ordersAggregate: { count: 2, avg: { total: '71.5' } } },
  ] } }, 3, 2],
  'Orders to send': [{ orders: { nodes: [{ state: 'OPEN', customer: { name: 'Ben Okri' } }, { state: 'OPEN', customer: { name: 'Ada Byron' } }, { state: 'SENT', lines: [{ name: 'Copper pot', price: '45' }, { name: 'Sunflower seeds' }] }] } }, 1, 1],
  'Large lines': [{ orders: { nodes: [{ customer: { name: 'Ben Okri' }, lines: [{ quantity: 12, price: '9', product: { price: '9.5' } }] }] } }, 2, 2],
  'Sales': [{ ordersAggregate: { count: 4, sum: { total: '247.8' }, groups: [
    { keys: { state: 'OPEN' }, count: 2, sum: { total: '156' }, max: { placedAt: '2025-04-13T21:40:00.000Z' } },
    { keys: { state: 'RETURNED' }, count: 1 },
    { keys: { state: 'SENT' }, count: 1 },
  ] } }, 1, 1],
  'Recommended': [{ recommended: { nodes: [{ name: 'Copper pot', stock: 12 }, { name: 'Bread knife', stock: 5 }] } }, 1, 1],
  'Place order': [{ placeOrder: { order: { total: '108.65', customer: { countOfOrders: 1, totalSpent: '108.65' }, lines: [{ name: 'Copper pot', price: '49.9', product: { stock: 10 } }, { name: 'Sunflower seeds', price: '2.95', product: { stock: 197 } }] } } }, 6, 5],
  'Add review': [{ addReview: { product: { name: 'Flower pot', averageRating: 4, countOfReviews: 3 } } }, 2, 2],
  'Restock': [{ updateProduct: { product: { name: 'Teapot', stock: 20 } } }, 2, 2],
}

test('every operation is expected here, except the one that waits', () => {
  expect([...operations.keys()]).toEqual([...Object.keys(expected), 'Low stock'])
})

test.each(Object.entries(expected))('%s answers as it says, and everything is true afterwards', async (title, [data, roundTrips, waves]) => {
  const shop = await open()
  const { data: answered, errors, cost } = await shop.ask(operations.get(title)!)
  expect(errors).toBeUndefined()
  expect(answered).toMatchObject(data)
  expect(cost!.made).toMatchObject({ roundTrips, waves })
  expect(await shop.findings()).toEqual([])
})

test('Low stock tells of a product once an order leaves fewer than ten', async () => {
  const gateway = await createGateway({ ...schema, store: openMemoryStore, development: true, followEveryMs: 1 })
  closing.push(async () => gateway.dispose())
  const events = await subscribe<{ data: unknown }>(gateway, { query: operations.get('Low stock')! })
  const told = events.next()
  const setStock = async (id: string, stock: number): Promise<unknown> => (await post(gateway, { query: `mutation { updateProduct(input: { id: "${id}", stock: ${stock} }) { product { id } } }` })).json()
  const orderTheTenth = async (round: number): Promise<undefined> => {
    await setStock('p2', 80 + round)
    await setStock('p1', 10)
    await (await post(gateway, { query: order('c3', 'p1') })).json()
    return nextTurn(undefined)
  }
  // A subscription takes a moment to start, so pots are ordered until it tells.
  for (let round = 1; (await Promise.race([told, orderTheTenth(round)])) === undefined; round++);
  expect(await told).toMatchObject({ data: { productChanged: { kind: 'UPDATED', product: { name: 'Copper pot', stock: 9 } } } })
  await events.end()
})

test('the price and name of a line stay, the name of a customer follows', async () => {
  const shop = await open()
  await shop.ask('mutation { updateProduct(input: { id: "p1", name: "Kettle", price: "60" }) { product { id } } updateCustomer(input: { id: "c1", name: "Ada King" }) { customer { id } } }')
  expect((await shop.ask('{ order(id: "o1") { customer { name } lines { name price product { name price } } } }')).data).toMatchObject({
    order: { customer: { name: 'Ada King' }, lines: [{ name: 'Copper pot', price: '45', product: { name: 'Kettle', price: '60' } }, {}] },
  })
  expect(await shop.findings()).toEqual([])
})

test.each([
  ['a second product with a label', 'createProduct(input: { sku: "POT-001", name: "Pot", price: 1 }) { product { id } }', 'NOT_UNIQUE'],
  ['a second customer with an address', 'createCustomer(input: { email: "ada@example.com", name: "Eve", since: "2025-01-01T00:00:00Z" }) { customer { id } }', 'NOT_UNIQUE'],
  ['a label of another form', 'createProduct(input: { sku: "pot", name: "Pot", price: 1 }) { product { id } }', 'BAD_USER_INPUT'],
  ['a product for nothing', 'createProduct(input: { sku: "POT-009", name: "Pot", price: 0 }) { product { id } }', 'BAD_USER_INPUT'],
  ['six stars', 'addReview(input: { productId: "p1", stars: 6, reviewer: "Ada" }) { product { id } }', 'BAD_USER_INPUT'],
  ['an order of nothing', 'placeOrder(input: { customerId: "c1", lines: [] }) { order { id } }', 'BAD_USER_INPUT'],
  ['a line that gives something back', 'placeOrder(input: { customerId: "c1", lines: [{ productId: "p1", quantity: 2 }, { productId: "p2", quantity: -1 }] }) { order { id } }', 'BAD_USER_INPUT'],
  ['a line that takes more than there is, after one that does not', 'placeOrder(input: { customerId: "c1", lines: [{ productId: "p2" }, { productId: "p1", quantity: 13 }] }) { order { id } }', 'BAD_USER_INPUT'],
  ['two lines that together take more than there is', 'placeOrder(input: { customerId: "c1", lines: [{ productId: "p1", quantity: 7 }, { productId: "p1", quantity: 7 }] }) { order { id } }', 'BAD_USER_INPUT'],
  ['an order of nobody', 'placeOrder(input: { customerId: "c9", lines: [{ productId: "p1" }] }) { order { id } }', 'REFERENCE_MISSING'],
  ['an order of what there never was', 'placeOrder(input: { customerId: "c1", lines: [{ productId: "p9" }] }) { order { id } }', 'NOT_FOUND'],
])('%s is refused, and nothing is written', async (_, mutation, code) => {
  const shop = await open()
  const everything = '{ products { nodes { stock countOfReviews } totalCount } customers { totalCount } orders { totalCount } }'
  const before = (await shop.ask(everything)).data
  expect((await shop.ask(`mutation { ${mutation} }`)).errors).toMatchObject([{ extensions: { code } }])
  expect((await shop.ask(everything)).data).toEqual(before)
})

test('customers see and place their own orders, staff see all and change products', async () => {
  const shop = await open({ identity: 'server' })
  const [ada, staff] = [{ id: 'c1', roles: [] }, { id: 'eve', roles: ['staff'] }]
  const seen = '{ orders { totalCount } customers { nodes { name } } }'
  expect((await shop.ask(seen, { viewer: ada })).data).toEqual({ orders: { totalCount: 2 }, customers: { nodes: [{ name: 'Ada Byron' }] } })
  expect((await shop.ask(seen, { viewer: staff })).data).toMatchObject({ orders: { totalCount: 4 } })
  expect((await shop.ask(order('c1', 'p1'), { viewer: ada })).errors).toBeUndefined()
  expect((await shop.ask(order('c2', 'p1'), { viewer: ada })).errors).toMatchObject([{ extensions: { code: 'REFERENCE_MISSING' } }])
  expect((await shop.ask(order('c1', 'p1'))).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  const reprice = 'mutation { updateProduct(input: { id: "p1", price: 1 }) { product { stock } } }'
  expect((await shop.ask(reprice, { viewer: ada })).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
  expect((await shop.ask(reprice, { viewer: staff })).data).toEqual({ updateProduct: { product: { stock: 11 } } })
  expect(await shop.findings()).toEqual([])
})

describe.each(stores)('on $name', ({ name, store }) => {
  test('many clients order at once: as many are sold as there were, the others are told', async () => {
    const ask = await openGateway({ ...schema, store, settles: false })
    const codes = await Promise.all(Array.from({ length: 20 }, async (_, at) => (await ask(order(`c${1 + (at % 3)}`, 'p1'))).errors?.[0]?.extensions?.['code']))
    expect(codes.filter((code) => code === undefined)).toHaveLength(12)
    expect(new Set(codes)).toEqual(new Set([undefined, 'BAD_USER_INPUT']))
    const { data } = await ask('{ product(id: "p1") { stock } orders(filter: { placedAt: { gt: "2026-01-01T00:00:00Z" } }) { totalCount } }')
    expect(data).toEqual({ product: { stock: 0 }, orders: { totalCount: 12 } })
    await ask.close()
  })

  test(name === 'cosmos' ? 'an order of two products is refused, because it would change two partitions' : 'orders of the same two products, in either order, all go through', async () => {
    const ask = await openGateway({ ...schema, store, settles: false })
    const [clients, sold] = name === 'cosmos' ? [1, 0] : [8, 8]
    const answers = await Promise.all(Array.from({ length: clients }, async (_, at) => ask(at % 2 === 0 ? order('c1', 'p2', 'p4') : order('c1', 'p4', 'p2'))))
    expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(sold)
    expect((await ask('{ a: product(id: "p2") { stock } b: product(id: "p4") { stock } }')).data).toEqual({ a: { stock: 80 - sold }, b: { stock: 200 - sold } })
    await ask.close()
  })
})

test('its code compiles, and fits the types of quire codegen', async () => {
  const root = mkdtempSync(join(tmpdir(), 'quire-shop-'))
  closing.push(async () => rmSync(root, { recursive: true, force: true }))
  cpSync(folder, join(root, 'shop'), { recursive: true })
  for (const file of ['resolvers.ts', 'documents.ts']) writeFileSync(join(root, 'shop', file), readFileSync(join(folder, file), 'utf8').replace('../../src/index.ts', 'quire-graphql'))
  linkPackage(root)
  expect(await quire(['codegen', 'shop'], { cwd: root })).toMatchObject({ code: 0, err: [] })
  writeFileSync(join(root, 'shop/typed.ts'), "import type { Resolvers } from './quire.generated.ts'\nimport { resolvers } from './resolvers.ts'\nexport const typed: Resolvers = resolvers\n")
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ extends: resolve('tsconfig.json'), compilerOptions: { typeRoots: [resolve('node_modules/@types')] }, include: ['shop'] }))
  await expect(promisify(execFile)(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', root]).then(() => '', (error: { stdout: string }) => error.stdout)).resolves.toBe('')
})
