// The way to open a gateway in a test: a small schema and some documents, on any store, asked without a socket.
// Nothing here knows the shipped schema. Requests over sockets are in over-http.ts.

import type { CostReport } from '../src/observe/cost-report.ts'
import { createGateway, type GatewayOptions } from '../src/gateway.ts'
import type { Model } from '../src/model/model.ts'
import { placed } from '../src/model/keys/partition.ts'
import { readDeclaration } from '../src/relations/declaration.ts'
import { Propagator } from '../src/feed/propagator.ts'
import { openMemoryStore } from '../src/store/memory/memory-store.ts'
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import type { Body } from '../src/model/json/json.ts'
import type { storeKinds } from '../src/store/open-store.ts'
import type { Store, Write } from '../src/store/store.ts'
import { openCosmosTestStore } from './store/cosmos/local.ts'
import { openPostgresTestStore } from './store/postgres/local.ts'
import { post } from './over-http.ts'

const ofEachKind: { readonly [kind in keyof typeof storeKinds]: GatewayOptions['store'] } = {
  memory: openMemoryStore,
  sqlite: (layout) => openSqliteStore(':memory:', layout),
  postgres: openPostgresTestStore,
  // One physical partition, so that a query is one round trip, as on the other stores.
  cosmos: (layout) => openCosmosTestStore(layout, 1),
}

/** The stores that tests of behaviour run on: an empty one of each kind. */
export const stores: readonly { name: string; store: GatewayOptions['store'] }[] = Object.entries(ofEachKind).map(([name, store]) => ({ name, store }))

/** One store that writes all documents together and one that writes by partition: enough for what lies above the port and has tests on every store elsewhere. */
export const unlikeStores = stores.filter(({ name }) => name === 'memory' || name === 'cosmos')

export interface Answer {
  readonly data: Record<string, unknown> | null | undefined
  readonly errors: readonly { message: string; path?: readonly (string | number)[]; extensions?: { code?: string } }[] | undefined
  readonly report: CostReport
  readonly headers: Headers
}

export interface Ask {
  (query: string, options?: { variables?: object; headers?: Record<string, string> }): Promise<Answer>
  /** Closes the gateway; needed where it follows the change feed. */
  close(): Promise<void>
}

/** Documents by the name of their type. */
export interface Documents {
  readonly [type: string]: readonly Body[]
}

/** Whether the effects of a mutation are written before its answer is returned; see `settling`. */
export interface Settles {
  readonly settles?: boolean
}

export async function openGateway(options: GatewayOptions & Settles & { documents?: Documents }): Promise<Ask> {
  const { documents = {}, settles = true, ...given } = options
  let settle: (() => Promise<void>) | undefined
  const gateway = await createGateway({
    development: true, cursorSecret: 'tests', seed: ({ model }) => documentWrites(model, documents), ...given,
    ...settling(options, (run) => (settle = run)),
  })
  const ask = async (query: string, { variables, headers }: Parameters<Ask>[1] = {}): Promise<Answer> => {
    const response = await post(gateway, { query, variables }, headers)
    if (settles && /^\s*mutation\b/m.test(query)) await settle?.()
    const { data, errors, extensions } = (await response.json()) as { data?: Answer['data']; errors?: Answer['errors']; extensions?: { quire: CostReport } }
    return { data, errors, report: extensions?.quire as CostReport, headers: response.headers }
  }
  return Object.assign(ask, { close: async () => gateway.dispose() })
}

/**
 * A store that cannot write snapshots together with their source updates them through the change feed. Tests do not wait
 * for it: a propagator runs before the answer of a mutation is returned, so that snapshots are as fresh as on other stores.
 */
function settling(options: GatewayOptions, settleBy: (settle: () => Promise<void>) => void): Partial<GatewayOptions> {
  if (options.effects === 'feed' || options.propagates !== undefined) return {}
  // A test that sets the freshness of snapshots wants none of them updated.
  if (options.freshness) return { propagates: false }
  let store: Store | undefined
  settleBy(oneAtATime(async () => {
    if (!store || store.supports.atomic === 'store') return
    const propagator = new Propagator(readDeclaration(options.typeDefs, options.derive, options.tenants), store, { owner: 'tests' })
    while ((await propagator.round()) > 0);
  }))
  return {
    propagates: false,
    store: async (layout) => {
      const opened = await options.store(layout)
      store ??= opened
      return opened
    },
    // The effects of a mutation are written after its answer is read, so that answer must not come from snapshots.
    freshness: () => ({ boundMs: 0, watermark: store?.supports.atomic === 'store' ? Infinity : Number.MAX_SAFE_INTEGER }),
  }
}

/** A call during a run waits for the next run, which serves all calls that wait for it. */
function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= running.then(() => {
      running = next!
      next = undefined
      return run()
    })
    return next
  }
}

/** Documents as writes into their containers and partitions, with the `type` of shared containers. */
export function documentWrites(model: Model, documents: Documents): Write[] {
  return Object.entries(documents).flatMap(([name, bodies]) => bodies.map((each): Write => {
    const type = model.documents.get(name)
    if (!type) throw new Error(`Unknown document type ${name}.`)
    const { partition, body } = placed(type, type.discriminator === undefined || each['type'] ? each : { ...each, type: type.discriminator })
    return { kind: 'put', container: type.container, key: { partition, id: String(each['id']) }, body }
  }))
}
