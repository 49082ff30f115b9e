// A stock room whose numbers several clients change at once, and boxes that reference items: for increments, upserts and many at once.

import type { GatewayOptions } from '../../src/gateway.ts'
import type { Settles } from '../harness.ts'
import { openWritable, type Writable } from './open-writable.ts'

export const stockRoomSdl = /* GraphQL */ `
  type Item @document(container: "items") {
    id: ID!
    name: String!
    stock: Int! @stored(at: "in-stock") @indexed
    weight: Float
    label: String
    shelf: Shelf @reference(at: "shelfId")
  }

  type Box @document(container: "boxes") {
    id: ID!
    items: [Item!]! @snapshot(at: "items", fields: ["name", "stock"])
    inside: Box @reference(at: "boxId", onDelete: RESTRICT)
  }

  type Shelf @document(container: "shelves") {
    id: ID!
    room: Int! @indexed
    places: Int!
    countOfItems: Int! @counted(relation: "items")
    items: ItemConnection! @reverse(of: "Item.shelf")
  }

  type Visit @document(container: "visits", partitionKey: { concat: ["day"], suffix: { random: 3 } }) {
    id: ID!
    day: String! @indexed
    guests: Int
  }
`

const documents = {
  Item: [{ id: 'i1', name: 'Nails', 'in-stock': 10 }, { id: 'i2', name: 'Glue', 'in-stock': 5, weight: 0.5 }],
  Box: [{ id: 'x1', items: [{ id: 'i1', name: 'Nails', stock: 10 }] }],
  Shelf: [{ id: 's1', room: 1, places: 4, countOfItems: 0 }],
  Visit: [{ id: 'v1', day: 'mon', guests: 1 }],
}

export function openStockRoom(store: GatewayOptions['store'], options: Partial<GatewayOptions & Settles> = {}): Promise<Writable> {
  return openWritable({ typeDefs: stockRoomSdl, store, documents, ...options })
}
