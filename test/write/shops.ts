// A small schema with everything that an input can have: renamed fields, contained objects and unions, lists with a max,
// references. And two shops to start from.

import type { GatewayOptions } from '../../src/gateway.ts'
import { openWritable, type Writable } from './open-writable.ts'

const sdl = /* GraphQL */ `
  type Shop @document(container: "shops") {
    id: ID!
    name: String! @stored(at: "shop-name") @indexed
    motto: String
    size: Size
    open: Boolean! @stored(at: "is-open")
    home: Address! @contained
    branch: Address @contained(at: "second-home")
    tags: [String!]! @contained(max: 3)
    contacts: [Contact!]! @contained(max: 2)
    owner: Contact @contained
    region: Region @reference(at: "region-no", numeric: true)
    rivals: [Shop!]! @reference(at: "rivals", max: 2)
  }
  enum Size { SMALL LARGE }
  type Address { street: String! @stored(at: "line1") city: String floors: [Int!]! @contained(max: 2) }
  union Contact = Mail | Phone
  type Mail @shape(has: "email") { email: String! }
  type Phone @shape(has: "number") { number: String! extension: Int @stored(at: "ext") }

  type Region @document(container: "regions") {
    id: ID!
    name: String!
    shops: ShopConnection! @reverse(of: "Shop.region")
  }
`

const documents = {
  Shop: [
    { id: 's1', 'shop-name': 'Hats', motto: 'Hats!', 'is-open': true, home: { line1: '1 High Street' }, tags: ['felt'], contacts: [], 'region-no': 7, rivals: [] },
    { id: 's2', 'shop-name': 'Shoes', 'is-open': true, home: { line1: '2 High Street' }, tags: [], contacts: [], rivals: [] },
  ],
  Region: [{ id: '7', name: 'North' }, { id: 'west', name: 'West' }],
}

export const home = { street: '1 High Street' }
export const create = 'mutation ($input: CreateShopInput!) { createShop(input: $input) { clientMutationId shop { id name } } }'
export const update = 'mutation ($input: UpdateShopInput!) { updateShop(input: $input) { clientMutationId shop { id name motto etag } } }'
export const remove = 'mutation ($input: DeleteShopInput!) { deleteShop(input: $input) { clientMutationId shop { id name etag } } }'

export function openShops(store: GatewayOptions['store'], options: Pick<GatewayOptions, 'limits'> = {}): Promise<Writable> {
  return openWritable({ typeDefs: sdl, store, documents, ...options })
}
