// A small shop with a recorded gateway: orders with a snapshot of their customer, references to products, and a counted field.

import { openGateway, stores, type Ask, type Documents } from '../../harness.ts'
import type { GatewayOptions } from '../../../src/gateway.ts'
import { Recorder } from '../../../src/observe/workload/recorder.ts'

export const shopSdl = /* GraphQL */ `
  type Customer @document(container: "customers") {
    id: ID!
    first: String!
    last: String!
    name: String! @derived
    note: String
    countOfOrders: Int! @counted(relation: "orders")
    orders: OrderConnection! @reverse(of: "Order.customer")
  }
  type Order @document(container: "orders") {
    id: ID!
    code: String! @indexed
    customer: Customer! @snapshot(at: "customer", fields: ["name"])
    products: [Product!]! @reference(at: "products", max: 5)
    lines: [Line!]! @contained(max: 10)
  }
  type Line { text: String! count: Int! }
  type Product @document(container: "products") { id: ID! label: String! price: Float! }
`

export const derive = { Customer: { name: (body: Record<string, unknown>) => `${String(body['first'])} ${String(body['last'])}` } }

export const shopDocuments: Documents = {
  Customer: [{ id: 'c1', first: 'Ann', last: 'Lee', countOfOrders: 2 }, { id: 'c2', first: 'Bob', last: 'May', countOfOrders: 1 }],
  Product: [{ id: 'p1', label: 'Pen', price: 2 }, { id: 'p2', label: 'Ink', price: 5 }, { id: 'p3', label: 'Pad', price: 3 }],
  Order: [
    { id: 'o1', code: 'A', customer: { id: 'c1', name: 'Ann Lee' }, products: ['p1', 'p2'], lines: [] },
    { id: 'o2', code: 'B', customer: { id: 'c1', name: 'Ann Lee' }, products: ['p2'], lines: [] },
    { id: 'o3', code: 'C', customer: { id: 'c2', name: 'Bob May' }, products: ['p2', 'p3'], lines: [] },
  ],
}

export async function openShop(options: Partial<GatewayOptions> & { settles?: boolean } = {}): Promise<{ ask: Ask; record: Recorder }> {
  const record = new Recorder()
  const ask = await openGateway({ typeDefs: shopSdl, derive, store: stores[0]!.store, documents: shopDocuments, record, ...options })
  return { ask, record }
}
