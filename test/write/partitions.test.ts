// Where new documents are stored: Quire fills in the discriminator of a shared container and every kind of partition key,
// and a point read finds the document where the key can be computed.

import type { GraphQLResolveInfo } from 'graphql'
import { beforeEach, describe, expect, test } from 'vitest'
import type { MutationContext } from '../../src/write/mutations.ts'
import { stores } from '../harness.ts'
import { callsOf, expectRefused, openWritable, written, type Writable } from './open-writable.ts'

const sdl = /* GraphQL */ `
  type Order @document(container: "orders", partitionKey: "/orderId", type: "order") {
    id: ID!
    note: String
    lines: LineConnection! @reverse(of: "Line.order")
    remarks: RemarkConnection! @bucketed(at: "recentRemarks", recent: 1, size: 2, key: "orderId", type: "remarks")
  }
  type Remark { text: String! }
  type Line @document(container: "orders", partitionKey: "/orderId", type: "line") {
    id: ID!
    order: Order! @reference(at: "orderId")
    text: String!
  }
  type Parcel @document(container: "parcels", partitionKey: ["/tenant", "/depot-no", "/parcelId"]) {
    id: ID!
    tenant: String!
    depot: Depot! @reference(at: "depot-no", numeric: true)
    weight: Float
  }
  type Depot @document(container: "depots") { id: ID! }
  type Reading @document(container: "readings", partitionKey: { concat: ["deviceId", "year"] }) { id: ID! deviceId: String! year: Int! celsius: Float }
  type Visit @document(container: "visits", partitionKey: { concat: ["shop", "day"], suffix: { hashOf: "id", spread: 5 }, at: "pk" }) { id: ID! shop: String! day: String! note: String }
  type Click @document(container: "clicks", partitionKey: { concat: ["day"], suffix: { random: 4 } }) { id: ID! day: String! note: String }
  type Stay @document(container: "stays", partitionKey: "/shop") { id: ID! @unique shop: String! }
  type Note @document(container: "notes", partitionKey: "/topic") { id: ID! topic: String text: String }

  type Site @document(container: "sites", partitionKey: "/address/zip") { id: ID! address: Address! @contained }
  type Address { zip: String! street: String }

  extend type Mutation { addRemark(input: AddRemarkInput!): AddRemarkPayload! }
  input AddRemarkInput { orderId: ID! text: String! }
  type AddRemarkPayload { order: Order! }
`

type AddRemark = (source: unknown, args: { input: { orderId: string; text: string } }, context: MutationContext, info: GraphQLResolveInfo) => unknown

const addRemark: AddRemark = (_, { input }, { quire }, info) =>
  quire.mutate(input, info, async (change) => ({ order: await change.append('Order.remarks', input.orderId, input) }))

const taken = (type: string, id: string) => ({ code: 'CONFLICT', says: `${type} ${id} already exists` })

const visitIn = (shop: string) => ({ kind: 'put', container: 'visits', key: { partition: [`${shop}-mon.1`], id: 'v9' }, body: { id: 'v9', shop, day: 'mon', pk: `${shop}-mon.1`, _v: 1 } }) as const

describe.each(stores)('new documents on $name', ({ store }) => {
  let opened: Writable
  beforeEach(async () => {
    opened = await openWritable({ typeDefs: sdl, resolvers: { Mutation: { addRemark } }, store, documents: { Order: [{ id: 'o1', orderId: 'o1' }], Depot: [{ id: '12' }] } })
  })

  /** Reads one document and returns its store calls. */
  const read = async (query: string) => {
    const answer = await opened.ask(query)
    expect(answer.errors).toBeUndefined()
    return { data: answer.data, calls: callsOf(answer) }
  }

  test('a type in a shared container gets its discriminator, in the partition of its parent', async () => {
    await written(opened.ask, `mutation {
      a: createOrder(input: { id: "o2", note: "Soon" }) { order { id } }
      b: createLine(input: { id: "l1", orderId: "o2", text: "Tea" }) { line { id } }
    }`)
    expect(await opened.bodies('orders')).toMatchObject({
      o2: { id: 'o2', orderId: 'o2', type: 'order', note: 'Soon' },
      l1: { id: 'l1', orderId: 'o2', type: 'line', text: 'Tea' },
    })
    expect(await read('{ line(id: "l1", orderId: "o2") { text order { note } } }')).toEqual({ data: { line: { text: 'Tea', order: { note: 'Soon' } } }, calls: ['read orders 1', 'read orders 1'] })
    expect((await read('{ orders { nodes { id } } lines { nodes { id } } }')).data).toEqual({ orders: { nodes: [{ id: 'o1' }, { id: 'o2' }] }, lines: { nodes: [{ id: 'l1' }] } })
  })

  test('the document of another type under the same key is not overwritten', async () => {
    await expectRefused(opened, 'mutation { createLine(input: { id: "o1", orderId: "o1", text: "Tea" }) { line { id } } }', { code: 'CONFLICT' })
  })

  test('a document cannot take the id of a bucket, nor a bucket that of a document', async () => {
    const { errors } = await opened.ask('mutation { createLine(input: { id: "o1.remarks.0", orderId: "o1", text: "Tea" }) { line { id } } }')
    await written(opened.ask, 'mutation { a: addRemark(input: { orderId: "o1", text: "First" }) { order { id } } b: addRemark(input: { orderId: "o1", text: "Second" }) { order { id } } }')
    expect((await read('{ lines { nodes { text } } order(id: "o1") { remarks { nodes { text } } } }')).data).toEqual({
      lines: { nodes: errors ? [] : [{ text: 'Tea' }] },
      order: { remarks: { nodes: [{ text: 'Second' }, { text: 'First' }] } },
    })
  })

  test('the document of another type is not found, updated or deleted', async () => {
    await written(opened.ask, 'mutation { createLine(input: { id: "l1", orderId: "o1", text: "Tea" }) { line { id } } }')
    await expectRefused(opened, 'mutation { updateLine(input: { id: "o1", text: "Tea" }) { line { id } } }', { code: 'NOT_FOUND', says: 'Line o1' })
    await expectRefused(opened, 'mutation { deleteOrder(input: { id: "l1" }) { order { id } } }', { code: 'NOT_FOUND', says: 'Order l1' })
  })

  test('fills in a hierarchical key from the input, and from the id where nothing is given', async () => {
    await written(opened.ask, 'mutation { createParcel(input: { id: "p1", tenant: "acme", depotId: "12", weight: 2.5 }) { parcel { id } } }')
    expect((await opened.bodies('parcels'))['p1']).toEqual({ id: 'p1', tenant: 'acme', 'depot-no': 12, parcelId: 'p1', weight: 2.5, _v: 1 })
    expect(await read('{ parcel(id: "p1", tenant: "acme", depotId: "12") { weight } }')).toEqual({ data: { parcel: { weight: 2.5 } }, calls: ['read parcels 1'] })
  })

  test('fills in a synthetic key', async () => {
    await written(opened.ask, 'mutation { createReading(input: { id: "r1", deviceId: "abc-123", year: 2018, celsius: 21 }) { reading { id } } }')
    expect((await opened.bodies('readings'))['r1']).toEqual({ id: 'r1', deviceId: 'abc-123', year: 2018, celsius: 21, partitionKey: 'abc-123-2018', _v: 1 })
    expect(await read('{ reading(id: "r1", deviceId: "abc-123", year: 2018) { celsius } }')).toEqual({ data: { reading: { celsius: 21 } }, calls: ['read readings 1'] })
  })

  test('a suffix hashed from the id keeps the point read', async () => {
    await written(opened.ask, `mutation { ${['v1', 'v2', 'v3', 'v4', 'v5', 'v6'].map((id) => `${id}: createVisit(input: { id: "${id}", shop: "s", day: "mon" }) { visit { id } }`).join(' ')} }`)
    const keys = Object.values(await opened.bodies('visits')).map((body) => body['pk'] as string)
    expect(keys.filter((key) => /^s-mon\.[1-5]$/.test(key))).toHaveLength(6)
    expect(new Set(keys).size).toBeGreaterThan(1)
    for (const id of ['v1', 'v6']) expect(await read(`{ visit(id: "${id}", shop: "s", day: "mon") { id } }`)).toEqual({ data: { visit: { id } }, calls: ['read visits 1'] })
  })

  test('keeps a random suffix for the life of the document', async () => {
    await written(opened.ask, 'mutation { createClick(input: { id: "c1", day: "mon" }) { click { id } } }')
    const before = (await opened.bodies('clicks'))['c1']!
    expect(before['partitionKey']).toMatch(/^mon\.[1-4]$/)
    await written(opened.ask, 'mutation { updateClick(input: { id: "c1", note: "Late" }) { click { id } } }')
    expect(await opened.bodies('clicks')).toEqual({ c1: { ...before, note: 'Late', _v: 2 } })
    expect(await read('{ click(id: "c1") { note } }')).toEqual({ data: { click: { note: 'Late' } }, calls: ['query clicks'] })
  })

  test('an id is taken in every partition, but in a store that writes each on its own only where it is declared or the partition cannot be known', async () => {
    await written(opened.ask, `mutation {
      a: createVisit(input: { id: "v1", shop: "s", day: "mon" }) { visit { id } }
      b: createParcel(input: { id: "p1", tenant: "acme", depotId: "12" }) { parcel { id } }
      c: createClick(input: { id: "c1", day: "mon" }) { click { id } }
      d: createStay(input: { id: "s1", shop: "r" }) { stay { id } }
    }`)
    await expectRefused(opened, 'mutation { createVisit(input: { id: "v1", shop: "s", day: "mon" }) { visit { id } } }', taken('Visit', 'v1'))
    await expectRefused(opened, 'mutation { createStay(input: { id: "s1", shop: "s" }) { stay { id } } }', opened.store.supports.atomic === 'store' ? taken('Stay', 's1') : { code: 'NOT_UNIQUE', says: 'Stay.id' })
    if (opened.store.supports.atomic === 'store') {
      await expectRefused(opened, 'mutation { createVisit(input: { id: "v1", shop: "s", day: "tue" }) { visit { id } } }', taken('Visit', 'v1'))
      await expectRefused(opened, 'mutation { createParcel(input: { id: "p1", tenant: "other", depotId: "12" }) { parcel { id } } }', taken('Parcel', 'p1'))
    }
    await expectRefused(opened, 'mutation { createClick(input: { id: "c1", day: "tue" }) { click { id } } }', taken('Click', 'c1'))
  })

  test('of documents with one id in several partitions, reads by id always find the same one, and changes need ifMatch', async () => {
    for (const shop of ['r', 's', 't']) await opened.store.write([visitIn(shop)])
    const first = (await read('{ visits(filter: { id: { eq: "v9" } }) { nodes { shop nodeId } } }')).data!['visits'] as { nodes: { shop: string; nodeId: string }[] }
    for (let time = 0; time < 3; time++) expect((await read('{ visit(id: "v9") { shop } }')).data).toEqual({ visit: { shop: first.nodes[0]!.shop } })
    for (const { shop, nodeId } of first.nodes) expect((await read(`{ node(nodeId: "${nodeId}") { ... on Visit { shop etag } } }`)).data).toMatchObject({ node: { shop } })
    await expectRefused(opened, 'mutation { updateVisit(input: { id: "v9", note: "Rain" }) { visit { id } } }', { code: 'CONFLICT', says: ['3 documents', 'v9', 'ifMatch'] })
    await expectRefused(opened, 'mutation { deleteVisit(input: { id: "v9" }) { visit { id } } }', { code: 'CONFLICT', says: '3 documents' })
    const { etag } = ((await read(`{ node(nodeId: "${first.nodes[2]!.nodeId}") { ... on Visit { etag } } }`)).data!['node'] as { etag: string })
    await written(opened.ask, `mutation { deleteVisit(input: { id: "v9", ifMatch: "${etag}" }) { visit { shop } } }`)
    const left = (await read('{ visits(filter: { id: { eq: "v9" } }) { nodes { shop } } }')).data!['visits'] as { nodes: { shop: string }[] }
    expect(left.nodes.map(({ shop }) => shop)).toEqual(first.nodes.slice(0, 2).map(({ shop }) => shop))
  })

  test('updates and deletes by id where the id alone gives no key', async () => {
    await written(opened.ask, 'mutation { createVisit(input: { id: "v1", shop: "s", day: "mon" }) { visit { id } } }')
    await written(opened.ask, 'mutation { updateVisit(input: { id: "v1", note: "Rain" }) { visit { id } } }')
    expect((await read('{ visit(id: "v1", shop: "s", day: "mon") { note } }')).data).toEqual({ visit: { note: 'Rain' } })
    await written(opened.ask, 'mutation { deleteVisit(input: { id: "v1" }) { visit { id } } }')
    expect(await opened.bodies('visits')).toEqual({})
  })

  test('refuses to change a property of the partition key', async () => {
    for (const [type, change] of [['Parcel', 'tenant: "x"'], ['Parcel', 'depotId: "12"'], ['Line', 'orderId: "o1"'], ['Visit', 'day: "tue"'], ['Reading', 'year: 1'], ['Note', 'topic: "x"']]) {
      const { errors } = await opened.ask(`mutation { update${type}(input: { id: "x", ${change} }) { clientMutationId } }`)
      expect(errors).toMatchObject([{ message: expect.stringContaining(`is not defined by type "Update${type}Input"`) }])
    }
  })

  test('also inside a contained object, whose other values can change', async () => {
    await written(opened.ask, 'mutation { createSite(input: { id: "s1", address: { zip: "98012" } }) { site { id } } }')
    await written(opened.ask, 'mutation { updateSite(input: { id: "s1", address: { zip: "98012", street: "Main" } }) { site { id } } }')
    expect(await opened.bodies('sites')).toMatchObject({ s1: { address: { zip: '98012', street: 'Main' } } })
    await expectRefused(opened, 'mutation { updateSite(input: { id: "s1", address: { zip: "10115" } }) { site { id } } }', { code: 'BAD_USER_INPUT' })
  })

  test.each(['', 'topic: null'])('refuses a document without its partition key: { %s }', async (topic) => {
    await expectRefused(opened, `mutation { createNote(input: { id: "n1", ${topic} text: "Hm" }) { note { id } } }`, { code: 'BAD_USER_INPUT' })
  })
})
