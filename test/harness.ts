// What tests share: a gateway over a small schema and some documents, on any store, asked without a
// socket. Nothing here knows the shipped domain.

import type { CostReport } from '../src/observe/cost-report.ts'
import { createGateway, type GatewayOptions } from '../src/gateway.ts'
import { placed } from '../src/model/keys/partition.ts'
import { readDeclaration } from '../src/relations/declaration.ts'
import { Propagator } from '../src/feed/propagator.ts'
import { openMemoryStore } from '../src/store/memory/memory-store.ts'
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import type { Body } from '../src/model/json/json.ts'
import type { Store, Write } from '../src/store/store.ts'
import { openCosmosTestStore } from './store/cosmos/local.ts'

/** Every store that the same test runs on. */
export const stores: readonly { name: string; store: GatewayOptions['store'] }[] = [
  { name: 'memory', store: openMemoryStore },
  { name: 'sqlite', store: (layout) => openSqliteStore(':memory:', layout) },
  // In one physical partition, so that a query is one round trip there too.
  { name: 'cosmos', store: (layout) => openCosmosTestStore(layout, 1) },
]

export interface Answer {
  readonly data: Record<string, unknown> | null | undefined
  readonly errors: readonly { message: string; path?: readonly (string | number)[]; extensions?: { code?: string } }[] | undefined
  readonly account: CostReport
  readonly headers: Headers
}

export interface Ask {
  (query: string, options?: { variables?: object; headers?: Record<string, string> }): Promise<Answer>
  /** Closes the gateway; one that follows the change feed has to be. */
  close(): Promise<void>
}

/** Documents by the name of their type; a list under a container's name is written as it is. */
export interface Documents {
  readonly [type: string]: readonly Body[]
}

/** Whether what a mutation means for copies is carried out before its answer is handed on; see below. */
export interface Settles {
  readonly settles?: boolean
}

export async function openGateway(options: GatewayOptions & Settles & { documents?: Documents }): Promise<Ask> {
  const { documents = {}, settles = true, ...gateway } = options
  let settle: (() => Promise<void>) | undefined
  const yoga = await createGateway({
    development: true, cursorSecret: 'tests', seed: ({ model }) => placedWrites(model, documents), ...gateway,
    ...following(options, (settling) => (settle = settling)),
  })
  const ask = async (query: string, { variables, headers }: Parameters<Ask>[1] = {}): Promise<Answer> => {
    const response = await yoga.fetch('http://quire/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    })
    if (settles && /^\s*mutation\b/m.test(query)) await settle?.()
    const { data, errors, extensions } = (await response.json()) as { data?: Answer['data']; errors?: Answer['errors']; extensions?: { quire: CostReport } }
    return { data, errors, account: extensions?.quire as CostReport, headers: response.headers }
  }
  return Object.assign(ask, { close: async () => yoga.dispose() })
}

/**
 * Where copies cannot be written together with what they copy, tests do not wait for the feed: whatever
 * a mutation means is carried out before its answer is handed on, and copies are then as true as elsewhere.
 */
function following(options: GatewayOptions, settleBy: (settle: () => Promise<void>) => void): Partial<GatewayOptions> {
  if (options.effects === 'feed' || options.propagates !== undefined) return {}
  // A test that says how fresh copies are does not want anybody to make them so.
  if (options.freshness) return { propagates: false }
  let store: Store | undefined
  settleBy(oneAtATime(async () => {
    if (!store || store.supports.atomic === 'store') return
    const propagator = new Propagator(readDeclaration(options.typeDefs, options.derive, options.tenants), store, { owner: 'tests' })
    while ((await propagator.round()) > 0);
  }))
  return {
    propagates: false,
    store: async (layout) => (store = await options.store(layout)),
    // A mutation's own answer has not been carried anywhere yet, so it must not come from copies.
    freshness: () => ({ boundMs: 0, watermark: store?.supports.atomic === 'store' ? Infinity : Number.MAX_SAFE_INTEGER }),
  }
}

/** Whoever comes while it runs waits for the next run, together with all others who do. */
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

function placedWrites(model: Parameters<NonNullable<GatewayOptions['seed']>>[0]['model'], documents: Documents): Write[] {
  return Object.entries(documents).flatMap(([name, bodies]) => bodies.map((each): Write => {
    const type = model.documents.get(name)
    if (!type) throw new Error(`There is no document type ${name}.`)
    const { partition, body } = placed(type, type.discriminator === undefined || each['type'] ? each : { ...each, type: type.discriminator })
    return { kind: 'put', container: type.container, key: { partition, id: String(each['id']) }, body }
  }))
}
