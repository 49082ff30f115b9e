// A small schema for metrics, spans and logs: snapshots that cover a selection and that do not, references, counts and a
// subscription, queried through `fetch` without a socket.

import type { IResolvers } from '@graphql-tools/utils'
import type { CostReport } from '../../src/observe/cost-report.ts'
import type { ChangeStream } from '../../src/feed/change-stream.ts'
import type { Gateway } from '../../src/http/gateway-server.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { createLog } from '../../src/observe/log/log.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Body } from '../../src/model/json/json.ts'
import type { Write } from '../../src/store/store.ts'
import { post } from '../over-http.ts'

const typeDefs = `
  type Cage @document(container: "cages") { id: ID! size: Int! beasts: [Beast!]! @snapshot(at: "beasts", fields: ["name"]) keeper: Keeper @reference(at: "keeperId") trouble: String @derived }
  type Beast @document(container: "beasts") { id: ID! name: String! weight: Int }
  type Keeper @document(container: "keepers") { id: ID! name: String! cages: CageConnection! @reverse(of: "Cage.keeper") }
  type Subscription { beastChanged: Beast! }
`

const documents: Record<string, readonly Body[]> = {
  beasts: ['Leo', 'Mia', 'Rex'].map((name, index) => ({ id: `b${index}`, name, weight: 100 * index })),
  keepers: [{ id: 'k1', name: 'Ann' }, { id: 'k2', name: 'Bob' }],
  cages: [
    { id: 'c1', size: 1, keeperId: 'k1', beasts: [{ id: 'b0', name: 'Leo' }, { id: 'b1', name: 'Mia' }] },
    { id: 'c2', size: 2, keeperId: 'k2', beasts: [{ id: 'b2', name: 'Rex' }] },
    // Does not fit the schema, to provoke an internal error.
    { id: 'odd', size: 'topsecret', keeperId: 'k1', beasts: [] },
  ],
}

const resolvers: IResolvers = {
  Subscription: {
    beastChanged: {
      subscribe: (_: unknown, __: unknown, { quire }: { quire: { changes: ChangeStream } }) => quire.changes.of('Beast'),
      resolve: ({ document }: { document: unknown }) => document,
    },
  },
}

const silent = createLog({ level: 'silent', readable: false })

export interface Asked {
  readonly status: number
  readonly headers: Headers
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string; readonly requestId?: string } }[]
  readonly costReport: CostReport
}

export interface Zoo {
  readonly gateway: Gateway
  readonly ask: (query: string, options?: { variables?: object; headers?: Record<string, string>; operationName?: string }) => Promise<Asked>
  readonly get: (path: string, init?: RequestInit) => Promise<Response>
}

export async function openZoo(options: Partial<GatewayOptions> = {}): Promise<Zoo> {
  const gateway = await createGateway({
    typeDefs, resolvers, log: silent, store: openMemoryStore, cursorSecret: 'tests', seed: seeded, openWrites: true,
    derive: { Cage: { trouble: ({ id }) => { throw new Error(`Cage trouble with Authorization: Bearer abcdefgh.ijklmnop.qrst and ${String(id).length} letters`) } } },
    ...options,
  })
  const get: Zoo['get'] = async (path, init = {}) => gateway.fetch(`http://quire${path}`, init)
  return {
    gateway,
    get,
    ask: async (query, { variables, headers, operationName } = {}) => {
      const response = await post(gateway, { query, variables, operationName }, headers)
      const { data, errors, extensions } = (await response.json()) as Pick<Asked, 'data' | 'errors'> & { extensions?: { quire?: CostReport } }
      return { status: response.status, headers: response.headers, ...(data === undefined ? {} : { data }), ...(errors ? { errors } : {}), costReport: extensions?.quire as CostReport }
    },
  }
}

function seeded(): Write[] {
  return Object.entries(documents).flatMap(([container, bodies]) => bodies.map((body): Write => ({ kind: 'put', container, key: { partition: [body['id'] as string], id: body['id'] as string }, body })))
}
